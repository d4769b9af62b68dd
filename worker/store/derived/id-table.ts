/**
 * Stores ids by key, packed as UTF-8 in one growing buffer, so that a ledger of 2,000 ids is read without SQLite.
 * Decodes an id at its first use and caches the string. Derived from `records`; the bytes of a forgotten id are zeroed in place.
 * Keys are never reused, so pages of strings whose keys are all removed are dropped, and the buffer is compacted.
 */

export interface IdTable {
  idOf(key: number): string
  add(key: number, id: Uint8Array): void
  remove(key: number): void
  /** Bytes that hold this id: under a key, or left in parts of the buffer that no stored id owns. */
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
  /** Total length of the cached strings. */
  let cachedLength = 0

  /** Moves the stored ids together, into a buffer with as much free space again. */
  const compactBuffer = () => {
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
    cachedLength -= page.ids[key & pageMask]?.length ?? 0
    page.ids[key & pageMask] = undefined
    page.living--
    if (page.living === 0) pages[key >>> pageShift] = undefined
  }

  return {
    idOf(key) {
      const page = pages[key >>> pageShift]
      const cached = page?.ids[key & pageMask]
      if (cached !== undefined) return cached
      const start = starts[key] ?? 0
      const id = decodeAscii(buffer, start, start + (lengths[key] ?? 0))
      if (page !== undefined) {
        page.ids[key & pageMask] = id
        cachedLength += id.length
      }
      return id
    },
    add(key, id) {
      remove(key)
      if (key >= starts.length) {
        starts = enlarge(starts, key, Uint32Array)
        lengths = enlarge(lengths, key, Uint16Array)
      }
      if (used + id.length > buffer.length && dead > used / 2) compactBuffer()
      if (used + id.length > buffer.length) buffer = enlarge(buffer, used + id.length, Uint8Array)
      buffer.set(id, used)
      starts[key] = used
      lengths[key] = id.length
      used += id.length
      const page = (pages[key >>> pageShift] ??= { living: 0, ids: [] })
      page.living++
    },
    remove,
    bytesHeld(id) {
      const target = encoder.encode(id)
      // Bytes of other stored ids do not count, even if they contain this id.
      const unowned = buffer.slice(0, used)
      let total = 0
      for (let key = 0; key < starts.length; key++) {
        const [start, length] = [starts[key]!, lengths[key]!]
        if (length === 0) continue
        if (length === target.length && holds(buffer, start, target)) total += length
        unowned.fill(0, start, start + length)
      }
      const first = target[0] ?? 0
      if (first === 0) return total
      for (let at = unowned.indexOf(first); at !== -1; at = unowned.indexOf(first, at + 1)) {
        if (holds(unowned, at, target)) total += target.length
      }
      return total
    },
    bytes: () => buffer.byteLength + starts.byteLength + lengths.byteLength + cachedLength,
  }
}

/** Cached ids of 256 consecutive keys. */
interface Page {
  /** Number of keys of this page that have an id. */
  living: number
  readonly ids: (string | undefined)[]
}

const pageShift = 8
const pageMask = 255

function holds(bytes: Uint8Array, at: number, target: Uint8Array): boolean {
  return at + target.length <= bytes.length && target.every((byte, i) => bytes[at + i] === byte)
}

/** Most ids are short ASCII, for which a decoder call would cost more. */
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

function enlarge<T extends Growable>(array: T, needed: number, make: new (length: number) => T): T {
  const larger = new make(Math.max(array.length * 2, needed + 1024))
  larger.set(array)
  return larger
}
