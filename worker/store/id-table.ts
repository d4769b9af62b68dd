/**
 * Ids by key, packed as UTF-8 in one growing buffer: a ledger of two thousand ids is read without asking SQLite.
 * Ids are spelled out when first asked for, and kept. Derived from `records`; a forgotten id's bytes are zeroed in place.
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
  const spelled: (string | undefined)[] = []
  return {
    idOf(key) {
      const known = spelled[key]
      if (known !== undefined) return known
      const start = starts[key] ?? 0
      const id = decodeAscii(buffer, start, start + (lengths[key] ?? 0))
      spelled[key] = id
      return id
    },
    add(key, id) {
      if (key >= starts.length) {
        starts = grown(starts, key, Uint32Array)
        lengths = grown(lengths, key, Uint16Array)
      }
      if (used + id.length > buffer.length) buffer = grown(buffer, used + id.length, Uint8Array)
      buffer.set(id, used)
      starts[key] = used
      lengths[key] = id.length
      used += id.length
    },
    remove(key) {
      const start = starts[key] ?? 0
      buffer.fill(0, start, start + (lengths[key] ?? 0))
      lengths[key] = 0
      spelled[key] = undefined
    },
    bytesHeld(id) {
      const wanted = encoder.encode(id)
      // Bytes of other living ids are theirs, even where this id is a part of one.
      const unowned = buffer.slice(0, used)
      let held = 0
      for (let key = 0; key < starts.length; key++) {
        const [start, length] = [starts[key] as number, lengths[key] as number]
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
    bytes: () => buffer.byteLength + starts.byteLength + lengths.byteLength,
  }
}

function holds(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return at + wanted.length <= bytes.length && wanted.every((byte, i) => bytes[at + i] === byte)
}

/** Most ids are short ASCII; a decoder call costs more than reading them here. */
function decodeAscii(buffer: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let i = from; i < to; i++) {
    const byte = buffer[i] as number
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
