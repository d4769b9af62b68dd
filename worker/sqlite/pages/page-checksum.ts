/**
 * A checksum at the end of each page, in bytes that SQLite leaves to its storage: what comes back from a disk is what went
 * there, and went to this place. SQLite itself would take a flipped bit inside a text for the text.
 */

/** Bytes reserved at the end of every page; byte 20 of the file's header says so. */
export const sealBytes = 8

/** Where the header of a file says how many bytes of a page are reserved. */
export const reservedAt = 20

/** Writes the seal of a page into its last bytes. `number` is its place in the file, from 0. */
export function sealPage(page: Uint8Array, number: number): void {
  const words = wordsOf(page)
  const [first, second] = sumOf(words, number)
  words[words.length - 2] = first
  words[words.length - 1] = second
}

export function isSealed(page: Uint8Array, number: number): boolean {
  const words = wordsOf(page)
  const [first, second] = sumOf(words, number)
  return words[words.length - 2] === first && words[words.length - 1] === second
}

/** SQLite's pages begin at whole words. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength >> 2)
}

/** Two running sums, each fed by the other, so that order counts; begun with the place, so that a page elsewhere is none. */
function sumOf(words: Int32Array, number: number): readonly [number, number] {
  let first = Math.imul(number + 1, 0x9e3779b1)
  let second = ~number
  for (let i = 0; i < words.length - 2; i += 2) {
    first = (first + words[i]! + second) | 0
    second = (second + words[i + 1]! + first) | 0
  }
  return [first, second]
}
