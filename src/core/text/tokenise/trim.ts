/** Trims by a loop from the end: a pattern such as `/[.]+$/` tries every run of the text, which takes quadratic time. */

/** The text without the characters of `unwanted` at its end. `unwanted` holds single UTF-16 units. Linear. */
export function trimEndOf(text: string, unwanted: ReadonlySet<string>): string {
  let to = text.length
  while (to > 0 && unwanted.has(text[to - 1]!)) to--
  return to === text.length ? text : text.slice(0, to)
}
