/**
 * Compares strings by code points, which is the order of UTF-8 bytes and of SQLite's BINARY collation.
 * JavaScript's `<` compares UTF-16 units and so puts 😀 before ﬁ.
 */

/** Negative, zero or positive if `a` comes before, equals or comes after `b`. Total; a lone surrogate is ordered like a pair. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = sortKey(a.charCodeAt(at)) - sortKey(b.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Moves surrogates, the halves of characters beyond U+FFFF, above U+E000..U+FFFF. */
function sortKey(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}
