/**
 * Writes and checks a checksum at the end of each page, in bytes that SQLite reserves for extensions. It proves that a page has the
 * content that was written to this position. SQLite alone would read a flipped bit in a text as part of the text.
 */

/** Bytes reserved at the end of each page; byte 20 of the file header has this number. */
export const checksumBytes = 8

/** Writes the checksum of a page into its last bytes. `number`: position of the page in the file, from 0. */
export function writePageChecksum(page: Uint8Array, number: number): void {
  const words = wordsOf(page)
  const [first, second] = sumOf(words, number)
  words[words.length - 2] = first
  words[words.length - 1] = second
}

export function hasRightChecksum(page: Uint8Array, number: number): boolean {
  const words = wordsOf(page)
  const [first, second] = sumOf(words, number)
  return words[words.length - 2] === first && words[words.length - 1] === second
}

/** The page as words: SQLite aligns pages. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength >> 2)
}

/** Two running sums that feed each other, so that order counts. They start with the position, so that a misplaced page fails. */
function sumOf(words: Int32Array, number: number): readonly [number, number] {
  let first = Math.imul(number + 1, 0x9e3779b1)
  let second = ~number
  for (let i = 0; i < words.length - 2; i += 2) {
    first = (first + words[i]! + second) | 0
    second = (second + words[i + 1]! + first) | 0
  }
  return [first, second]
}
