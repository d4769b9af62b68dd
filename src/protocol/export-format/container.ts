/**
 * Reads and writes the outer layer of an export: `SCRUBJAY`, a version, chunks of at most 64 KiB, each with the SHA-256 of its number and
 * bytes, and an end with the SHA-256 of everything before. The reader passes on only checked bytes.
 */
import { joinBytes } from '../../core/collections/join-bytes.ts'
import { recallError } from '../../core/model/errors.ts'
import { sha256HexOfBytes } from '../../core/text/hash/sha256.ts'
import { encryptedVersion } from './encrypted.ts'

/** The format that this build writes, and the newest it reads. It reads all older ones. */
export const portableVersion = 3

const magic = 'SCRUBJAY'
const preambleBytes = magic.length + 4
const chunkBytes = 65_536
const digestBytes = 32

export interface ContainerWriter {
  write(content: Uint8Array): void
  /** Writes the rest and the end. */
  end(): void
  /** Bytes that wait for `take`. */
  size(): number
  /** Returns all waiting bytes and removes them. */
  take(): Uint8Array<ArrayBuffer>
}

export function createContainerWriter(): ContainerWriter {
  // The chunk's number is in front of its content, because both are hashed together.
  const chunk = new Uint8Array(4 + chunkBytes)
  const digests: Uint8Array[] = []
  let filled = 0
  let output: Uint8Array[] = [preamble(portableVersion)]
  let size = preambleBytes
  const push = (bytes: Uint8Array) => {
    output.push(bytes)
    size += bytes.length
  }
  const flush = () => {
    setUint32(chunk, 0, digests.length)
    const digest = digestOf(chunk.subarray(0, 4 + filled))
    digests.push(digest)
    push(uint32(filled))
    push(chunk.slice(4, 4 + filled))
    push(digest)
    filled = 0
  }
  return {
    write(content) {
      for (let at = 0; at < content.length; ) {
        const part = content.subarray(at, at + chunkBytes - filled)
        chunk.set(part, 4 + filled)
        filled += part.length
        at += part.length
        if (filled === chunkBytes) flush()
      }
    },
    end() {
      if (filled > 0) flush()
      push(uint32(0))
      push(totalOf(portableVersion, digests))
    },
    size: () => size,
    take() {
      const all = joinBytes(output, size)
      output = []
      size = 0
      return all
    },
  }
}

export interface ContainerReader {
  /** Passes checked content on. Throws INVALID_ARGUMENT if the bytes are not an export, STORE_NEWER for a later format. */
  push(bytes: Uint8Array): void
  /** Throws if the end is missing. */
  end(): void
}

export function createContainerReader(content: (bytes: Uint8Array) => void): ContainerReader {
  // Space for a chunk's number, content and digest.
  const buffer = new Uint8Array(4 + chunkBytes + digestBytes)
  const digests: Uint8Array[] = []
  let state: 'preamble' | 'length' | 'chunk' | 'end' | 'done' = 'preamble'
  let filled = 0
  let needed = preambleBytes
  let length = 0
  let version: number = portableVersion
  const expect = (next: typeof state, bytes: number, from = 0) => {
    state = next
    filled = from
    needed = bytes
  }

  const step = () => {
    if (state === 'preamble') {
      version = checkedVersion(buffer)
      expect('length', 4)
    } else if (state === 'length') {
      length = getUint32(buffer, 0)
      if (length > chunkBytes) throw damaged(`chunk ${digests.length} claims ${length} bytes`)
      if (length === 0) return expect('end', digestBytes)
      setUint32(buffer, 0, digests.length)
      expect('chunk', 4 + length + digestBytes, 4)
    } else if (state === 'chunk') {
      const digest = digestOf(buffer.subarray(0, 4 + length))
      if (!isSame(digest, buffer.subarray(4 + length, needed)))
        throw damaged(`the checksum of chunk ${digests.length} differs`)
      digests.push(digest)
      content(buffer.subarray(4, 4 + length))
      expect('length', 4)
    } else {
      if (!isSame(totalOf(version, digests), buffer.subarray(0, digestBytes)))
        throw damaged('the checksum of the whole differs')
      expect('done', 0)
    }
  }

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (state === 'done') throw damaged('data follow its end')
        const part = bytes.subarray(at, at + needed - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === needed) step()
      }
    },
    end() {
      if (state !== 'done') throw damaged('it ends too early')
    },
  }
}

/** The error for bytes that are not a valid export. */
export function damaged(problem: string) {
  return recallError('INVALID_ARGUMENT', `must be a whole, undamaged export, but ${problem}`, {
    field: 'source',
    hint: 'Give all bytes of exportTo in their order. Nothing was changed.',
  })
}

function checkedVersion(bytes: Uint8Array): number {
  for (let i = 0; i < magic.length; i++)
    if (bytes[i] !== magic.charCodeAt(i)) throw damaged('it does not begin like an export')
  const version = getUint32(bytes, magic.length)
  if (version >= 1 && version <= portableVersion) return version
  if (version === 0) throw damaged('its version is 0')
  if (version === encryptedVersion)
    throw recallError('LOCKED', 'must be a plain export here, but it is encrypted', {
      field: 'source',
      hint: 'Import it on this device into a store of its own, with the option lock. Or export it with encrypted: false.',
    })
  throw recallError('STORE_NEWER', 'must be an export that this build can read, but a newer Scrubjay wrote it', {
    field: 'source',
    value: version,
    hint: `Reload the page to get the newer build. This build reads format ${portableVersion}.`,
  })
}

function preamble(version: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(preambleBytes)
  for (let i = 0; i < magic.length; i++) bytes[i] = magic.charCodeAt(i)
  setUint32(bytes, magic.length, version)
  return bytes
}

/** The digest over the preamble and all chunk digests, and so over all content. */
function totalOf(version: number, digests: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return digestOf(joinBytes([preamble(version), ...digests], preambleBytes + digests.length * digestBytes))
}

function digestOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const hex = sha256HexOfBytes(bytes)
  return Uint8Array.from({ length: digestBytes }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** Little-endian, like all numbers of the format. */
export function setUint32(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = value >>> (8 * i)
}

export function getUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
}

function uint32(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4)
  setUint32(bytes, 0, value)
  return bytes
}
