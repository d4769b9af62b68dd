/** The first text, by code points, after all that begin so. */
export function after(beginning: string): string {
  const last = [...beginning].at(-1)!
  const next = last.codePointAt(0)! + 1
  return beginning.slice(0, -last.length) + String.fromCodePoint(next === 0xd800 ? 0xe000 : next)
}
