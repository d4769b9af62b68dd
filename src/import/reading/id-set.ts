/** A set of ids in 16 bytes each: an import of millions of turns must fit in memory. */
import { sha256Hex } from '../../core/text/hash/sha256.ts'

export interface IdSet {
  /** Whether the id is new. Two ids count as one only if the first 128 bits of their SHA-256 are equal. */
  add(id: string): boolean
}

const wordsPerId = 4
const leastSlots = 1_024

export function createIdSet(): IdSet {
  let slots = new Uint32Array(leastSlots * wordsPerId)
  let count = 0
  return {
    add(id) {
      const words = fingerprintOf(id)
      const at = slotOf(slots, words)
      if (!isFree(slots, at)) return false
      slots.set(words, at)
      count++
      if (count * wordsPerId * 3 > slots.length * 2) slots = grown(slots)
      return true
    },
  }
}

function fingerprintOf(id: string): Uint32Array {
  const hex = sha256Hex(id)
  return Uint32Array.from({ length: wordsPerId }, (_, i) => Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16))
}

/** Where the id is, or the free slot in which it belongs. */
function slotOf(slots: Uint32Array, words: Uint32Array): number {
  // The number of slots is a power of two.
  let at = (words[0]! * wordsPerId) % slots.length
  while (!isFree(slots, at) && !words.every((word, i) => slots[at + i] === word)) at = (at + wordsPerId) % slots.length
  return at
}

/** No id has 128 bits of zero. */
function isFree(slots: Uint32Array, at: number): boolean {
  return (slots[at]! | slots[at + 1]! | slots[at + 2]! | slots[at + 3]!) === 0
}

function grown(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * slots.length)
  for (let at = 0; at < slots.length; at += wordsPerId) {
    if (isFree(slots, at)) continue
    const words = slots.subarray(at, at + wordsPerId)
    larger.set(words, slotOf(larger, words))
  }
  return larger
}
