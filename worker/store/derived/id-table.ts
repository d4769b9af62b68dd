/**
 * Ids by key, packed as UTF-8 in one growing buffer: a ledger of two thousand ids is read without asking SQLite.
 * Ids are spelled out when first asked for, and kept. Derived from `records`; a forgotten id's bytes are zeroed in place.
 * Keys are never used again, so what is kept follows the living ids: pages of dead keys are dropped, the buffer closes ranks.
 */

export interface IdTable {
  idOf(key: number): string
  add(key: number, id: Uint8Array): void
  remove(key: number): void
  /** Bytes held for this id: under a key, or left over where no living id stands. */
  bytesHeld(id: string): number
  bytes(): number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function createIdTable(): IdTable {
  let starts = new Uint32Array(1024)
  let lengths = new Uint16Array(1024)
  let buffer = new Uint8Array(32 * 1024)
  let used = 0
  let dead = 0
  const pages: (Page | undefined)[] = []
  /** Characters of the ids that are spelled out. */
  let spelledLength = 0

  /** Moves the living ids together, into a buffer with room for as much again. */
  const closeRanks = () => {
    const ids = new Uint8Array(Math.max(buffer.length >> 1, (used - dead) * 2))
    let to = 0
    for (let key = 0; key < starts.length; key++) {
      const [start, length] = [starts[key]!, lengths[key]!]
      if (length === 0) continue
      ids.set(buffer.subarray(start, start + length), to)
      starts[key] = to
      to += length
    }
    buffer = ids
    used = to
    dead = 0
  }

  const remove = (key: number) => {
    const start = starts[key] ?? 0
    const length = lengths[key] ?? 0
    const page = pages[key >>> pageShift]
    if (length === 0 || page === undefined) return
    buffer.fill(0, start, start + length)
    lengths[key] = 0
    dead += length
    spelledLength -= page.spelled[key & pageMask]?.length ?? 0
    page.spelled[key & pageMask] = undefined
    page.living--
    if (page.living === 0) pages[key >>> pageShift] = undefined
  }

  return {
    idOf(key) {
      const page = pages[key >>> pageShift]
      const known = page?.spelled[key & pageMask]
      if (known !== undefined) return known
      const start = starts[key] ?? 0
      const id = decodeAscii(buffer, start, start + (lengths[key] ?? 0))
      if (page !== undefined) {
        page.spelled[key & pageMask] = id
        spelledLength += id.length
      }
      return id
    },
    add(key, id) {
      remove(key)
      if (key >= starts.length) {
        starts = grown(starts, key, Uint32Array)
        lengths = grown(lengths, key, Uint16Array)
      }
      if (used + id.length > buffer.length && dead > used / 2) closeRanks()
      if (used + id.length > buffer.length) buffer = grown(buffer, used + id.length, Uint8Array)
      buffer.set(id, used)
      starts[key] = used
      lengths[key] = id.length
      used += id.length
      const page = (pages[key >>> pageShift] ??= { living: 0, spelled: [] })
      page.living++
    },
    remove,
    bytesHeld(id) {
      const wanted = encoder.encode(id)
      // Bytes of other living ids are theirs, even where this id is a part of one.
      const unowned = buffer.slice(0, used)
      let held = 0
      for (let key = 0; key < starts.length; key++) {
        const [start, length] = [starts[key]!, lengths[key]!]
        if (length === 0) continue
        if (length === wanted.length && holds(buffer, start, wanted)) held += length
        unowned.fill(0, start, start + length)
      }
      const first = wanted[0] ?? 0
      if (first === 0) return held
      for (let at = unowned.indexOf(first); at !== -1; at = unowned.indexOf(first, at + 1)) {
        if (holds(unowned, at, wanted)) held += wanted.length
      }
      return held
    },
    bytes: () => buffer.byteLength + starts.byteLength + lengths.byteLength + spelledLength,
  }
}

/** Ids of 256 keys in a row. */
interface Page {
  /** Of its keys, those that have an id. */
  living: number
  readonly spelled: (string | undefined)[]
}

const pageShift = 8
const pageMask = 255

function holds(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return at + wanted.length <= bytes.length && wanted.every((byte, i) => bytes[at + i] === byte)
}

/** Most ids are short ASCII; a decoder call costs more than reading them here. */
function decodeAscii(buffer: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let i = from; i < to; i++) {
    const byte = buffer[i]!
    if (byte >= 0x80) return decoder.decode(buffer.subarray(from, to))
    text += String.fromCharCode(byte)
  }
  return text
}

type Growable = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

function grown<T extends Growable>(array: T, needed: number, make: new (length: number) => T): T {
  const larger = new make(Math.max(array.length * 2, needed + 1024))
  larger.set(array)
  return larger
}
