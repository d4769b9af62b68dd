/**
 * Room for deletions on a full disk [P3], in a byte store: one value of no meaning. A browser refuses every write when its quota
 * is used up, but never a removal. So a deletion removes this value first, and has its room. A write that is no deletion brings it back.
 */
import type { Put } from './log-format.ts'

/**
 * The smallest power of two that holds the file and some pages more, from 1 to 8 MiB. A file of up to 8 MiB may have no generation yet
 * that could be rewritten in its own place, so a deletion needs room for a whole one.
 */
export function reserveBytesFor(fileBytes: number): number {
  let bytes = smallestReserve
  while (bytes < fileBytes + moreBytes && bytes < largestReserve) bytes *= 2
  return bytes
}

const smallestReserve = 1 << 20
const largestReserve = 8 << 20
/** For what frames add, and for pages that a deletion adds. */
const moreBytes = 1 << 17

const prefix = 'reserve/'

/** The key says the size: reading the value would cost time at each opening. */
export const isReserveKey = (key: string) => key.startsWith(prefix)
export const reserveBytesOf = (key: string) => Number(key.slice(prefix.length))

/** Noise: browsers compress what they store. */
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
