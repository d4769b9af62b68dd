/**
 * Numbers distinct texts and counts their uses. Texts are packed as UTF-16 units in one growing array instead of strings, so
 * that an unused text can be zeroed in place. Numbers of unused texts stay empty until `compact`.
 */

export interface Vocabulary {
  /** Returns the number of text[from, to) and adds one use. */
  use(text: string, from: number, to: number): number
  /** Removes one use; a text without uses is zeroed. */
  release(id: number): void
  /** The number of a text in use; -1 if there is none. */
  find(text: string): number
  startsWith(id: number, text: string): boolean
  endsWith(id: number, text: string): boolean
  includes(id: number, text: string): boolean
  /** The unit at position `fromEnd` from the end, 1 for the last; null before the start. */
  unitFromEnd(id: number, fromEnd: number): number | null
  /** The arrays themselves, valid until the next write: text `id` is units[starts[id], starts[id + 1]). */
  packed(): PackedTexts
  /** Units of unused texts (`waste`) and of the others (`used`). */
  counts(): { readonly waste: number; readonly used: number }
  /** Drops unused texts. Returns new numbers by old ones; undefined for numbers without uses. */
  compact(): Uint32Array
  bytes(): number
  /** All units, used or not, as one string. */
  allText(): string
}

export interface PackedTexts {
  readonly units: Uint16Array
  readonly starts: Uint32Array
  readonly count: number
}

export function createVocabulary(): Vocabulary {
  let units = new Uint16Array(4096)
  let starts = new Uint32Array(1024)
  let uses = new Uint32Array(1024)
  let hashes = new Int32Array(1024)
  /** Hash table with open addressing; its size is a power of two. An element is a number plus one, `empty`, or `deleted`. */
  let table = new Int32Array(2048)
  let usedSlots = 0
  let count = 0
  let waste = 0

  const lengthOf = (id: number) => starts[id + 1]! - starts[id]!

  const isTextAt = (id: number, at: number, text: string, from: number, to: number) => {
    const start = starts[id]! + at - from
    for (let i = from; i < to; i++) if (units[start + i] !== text.charCodeAt(i)) return false
    return true
  }

  /** The table slot of a text in use; otherwise ~slot of the free slot for it. */
  const slotOf = (text: string, from: number, to: number, hash: number) => {
    const mask = table.length - 1
    let free = -1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = table[slot]!
      if (entry === empty) return ~(free === -1 ? slot : free)
      if (entry === deleted) {
        if (free === -1) free = slot
        continue
      }
      const id = entry - 1
      if (hashes[id] === hash && lengthOf(id) === to - from && isTextAt(id, 0, text, from, to)) return slot
    }
  }

  const rehash = () => {
    let size = 2048
    while (size < count * 4) size *= 2
    table = new Int32Array(size)
    for (let id = 0; id < count; id++) {
      if (uses[id] === 0) continue
      let slot = hashes[id]! & (size - 1)
      while (table[slot] !== empty) slot = (slot + 1) & (size - 1)
      table[slot] = id + 1
    }
    usedSlots = count
  }

  const add = (text: string, from: number, to: number, hash: number) => {
    const start = starts[count]!
    const end = start + to - from
    if (end > units.length) {
      const larger = new Uint16Array(Math.max(units.length * 2, end))
      larger.set(units)
      units.fill(0)
      units = larger
    }
    if (count + 2 > starts.length) {
      starts = doubled(starts, Uint32Array)
      uses = doubled(uses, Uint32Array)
      hashes = doubled(hashes, Int32Array)
    }
    for (let i = from; i < to; i++) units[start + i - from] = text.charCodeAt(i)
    starts[count + 1] = end
    uses[count] = 1
    hashes[count] = hash
    return count++
  }

  return {
    use(text, from, to) {
      if ((usedSlots + 1) * 2 > table.length) rehash()
      const hash = hashOf(text, from, to)
      const slot = slotOf(text, from, to, hash)
      if (slot >= 0) {
        const id = table[slot]! - 1
        uses[id] = uses[id]! + 1
        return id
      }
      if (table[~slot] === empty) usedSlots++
      const id = add(text, from, to, hash)
      table[~slot] = id + 1
      return id
    },
    release(id) {
      uses[id] = uses[id]! - 1
      if (uses[id] !== 0) return
      const mask = table.length - 1
      let slot = hashes[id]! & mask
      while (table[slot] !== id + 1) slot = (slot + 1) & mask
      table[slot] = deleted
      // Forgetting must leave not even a hash.
      hashes[id] = 0
      units.fill(0, starts[id], starts[id + 1])
      waste += lengthOf(id)
    },
    find(text) {
      const slot = slotOf(text, 0, text.length, hashOf(text, 0, text.length))
      return slot < 0 ? -1 : table[slot]! - 1
    },
    startsWith: (id, text) => lengthOf(id) >= text.length && isTextAt(id, 0, text, 0, text.length),
    endsWith(id, text) {
      const at = lengthOf(id) - text.length
      return at >= 0 && isTextAt(id, at, text, 0, text.length)
    },
    includes(id, text) {
      const last = lengthOf(id) - text.length
      for (let at = 0; at <= last; at++) if (isTextAt(id, at, text, 0, text.length)) return true
      return false
    },
    unitFromEnd: (id, fromEnd) => (fromEnd > lengthOf(id) ? null : units[starts[id + 1]! - fromEnd]!),
    packed: () => ({ units, starts, count }),
    counts: () => ({ waste, used: starts[count]! - waste }),
    compact() {
      const renumbered = new Uint32Array(count)
      let newCount = 0
      let end = 0
      for (let id = 0; id < count; id++) {
        if (uses[id] === 0) continue
        const [from, to] = [starts[id]!, starts[id + 1]!]
        units.copyWithin(end, from, to)
        starts[newCount] = end
        end += to - from
        uses[newCount] = uses[id]!
        hashes[newCount] = hashes[id]!
        renumbered[id] = newCount++
      }
      units.fill(0, end)
      hashes.fill(0, newCount)
      starts[newCount] = end
      count = newCount
      waste = 0
      rehash()
      return renumbered
    },
    bytes: () => units.byteLength + starts.byteLength + uses.byteLength + hashes.byteLength + table.byteLength,
    allText() {
      let text = ''
      for (let at = 0; at < units.length; at += 8192) text += String.fromCharCode(...units.subarray(at, at + 8192))
      return text
    },
  }
}

const empty = 0
const deleted = -1

/** FNV-1a over UTF-16 units. Upper bits are mixed in, because the table uses the lower ones. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash ^ (hash >>> 15)
}

type Numbers = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>

function doubled<T extends Numbers>(array: T, make: new (length: number) => T): T {
  const larger = new make(array.length * 2)
  larger.set(array)
  return larger
}
