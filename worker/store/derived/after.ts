/** Finds the first text, in code point order, after all texts with a prefix. */
export function after(beginning: string): string {
  const last = [...beginning].at(-1)!
  const next = last.codePointAt(0)! + 1
  return beginning.slice(0, -last.length) + String.fromCodePoint(next === 0xd800 ? 0xe000 : next)
}
