/** Meaningless bytes that take space on a disk. File systems and browsers may compress zeros, but not these. */
export function createFilling(bytes: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(bytes / 4)
  let word = 0x9e3779b9
  for (let i = 0; i < words.length; i++) {
    word ^= word << 13
    word ^= word >>> 17
    word ^= word << 5
    words[i] = word
  }
  return new Uint8Array(words.buffer)
}

/**
 * Bytes to reserve for deletions from a store of this size: as many as the store has and a few more pages, from 1 to 8 MiB. A larger deletion
 * is carried out in parts. Grows in small steps: a deletion that adds a page must not double what the next put has to leave free.
 */
export function reserveBytesFor(storeBytes: number): number {
  const steps = Math.ceil((storeBytes + moreBytes) / reserveStep)
  return Math.min(Math.max(steps * reserveStep, smallestReserve), largestReserve)
}

/** Each step writes the reserve again in IndexedDB. */
const reserveStep = 1 << 19
const smallestReserve = 1 << 20
const largestReserve = 8 << 20
/** For the overhead of frames, and for pages that a deletion adds. */
const moreBytes = 1 << 17
