/** Trims in a loop from the end. A pattern such as `/[.]+$/` tries every run of the text, which takes quadratic time. */

/** Removes the characters of `unwanted` (single UTF-16 units) at the end of the text. Takes linear time. */
export function trimEndOf(text: string, unwanted: ReadonlySet<string>): string {
  let to = text.length
  while (to > 0 && unwanted.has(text[to - 1]!)) to--
  return to === text.length ? text : text.slice(0, to)
}
