/**
 * Reserves space for deletions on a full disk [P3], as one meaningless value in the byte store. When the quota is used up, a browser
 * refuses every write, but never a removal. So a deletion first removes this value. Any other write restores it.
 */
import type { Put } from './log-format.ts'

/**
 * The smallest power of two that holds the file and a few more pages, from 1 to 8 MiB. A file of up to 8 MiB may have no generation that
 * could be rewritten in place, so a deletion needs space for a complete one.
 */
export function reserveBytesFor(fileBytes: number): number {
  let bytes = smallestReserve
  while (bytes < fileBytes + moreBytes && bytes < largestReserve) bytes *= 2
  return bytes
}

const smallestReserve = 1 << 20
const largestReserve = 8 << 20
/** For the overhead of frames, and for pages that a deletion adds. */
const moreBytes = 1 << 17

const prefix = 'reserve/'

/** The key contains the size, because reading the value at each opening would take time. */
export const isReserveKey = (key: string) => key.startsWith(prefix)
export const reserveBytesOf = (key: string) => Number(key.slice(prefix.length))

/** Random bytes, because browsers compress stored data. */
export function encodeReserve(bytes: number): Put {
  const words = new Uint32Array(bytes / 4)
  let word = 0x9e3779b9
  for (let i = 0; i < words.length; i++) {
    word ^= word << 13
    word ^= word >>> 17
    word ^= word << 5
    words[i] = word
  }
  return [`${prefix}${bytes}`, new Uint8Array(words.buffer)]
}
