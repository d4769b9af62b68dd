/**
 * Writes and reads encrypted exports: a header with the record of the store's locks and a key of this export alone, which the key of the store
 * encrypts; then the plain export in chunks of one size, each with its number. The last chunk is shorter and says so, and a checksum over the header
 * tells damage from a wrong lock.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { joinBytes } from '../../src/core/collections/join-bytes.ts'
import { recallError } from '../../src/core/model/errors.ts'
import { encryptedMagic } from '../../src/protocol/export-format/encrypted.ts'
import { type Seal, sealBytes } from '../sqlite/pages/seal.ts'
import { createSeal, type KeyedSeal, keyBytes } from './create-seal.ts'
import { type LockRecord, parseRecord } from './lock-record.ts'

const exportFormat = 1
/** The magic, the format, and the length of the record. */
const fixedBytes = encryptedMagic.length + 8
const wrappedBytes = keyBytes + sealBytes
const digestBytes = 32
/** No store has as many locks. */
const mostRecordBytes = 65_536
/** Of the plain export. */
export const chunkBytes = 65_536
const unitBytes = chunkBytes + sealBytes

export interface ExportWriter {
  /** Returns the encrypted bytes that are complete. */
  write(plain: Uint8Array): Uint8Array<ArrayBuffer>
  end(): Uint8Array<ArrayBuffer>
  wipe(): void
}

export interface ExportReader {
  /** Returns the plain bytes that are complete. Rejects with STORE_CORRUPT, or as `open` does. */
  push(bytes: Uint8Array): Promise<Uint8Array>
  /** Rejects with STORE_CORRUPT if something is missing. */
  end(): Uint8Array
  wipe(): void
}

/** The record of the locks in a header. With the key of the store, `unwrap` makes the seal of the export; null: it is another key. */
export interface ExportHeader {
  readonly record: Uint8Array
  unwrap(seal: Seal): KeyedSeal | null
}

/** `seal`: of the store, with a key that the locks of the record open. */
export function createExportWriter(record: Uint8Array, seal: Seal): ExportWriter {
  const { storeId } = parseRecord(record) as LockRecord
  const key = crypto.getRandomValues(new Uint8Array(keyBytes))
  const own = createSeal(key.slice(), storeId)
  const clear = fixedBytes + record.length
  const head = new Uint8Array(clear + wrappedBytes)
  head.set(encryptedMagic)
  viewOf(head).setUint32(encryptedMagic.length, exportFormat)
  viewOf(head).setUint32(encryptedMagic.length + 4, record.length)
  head.set(record, fixedBytes)
  head.set(key, clear)
  key.fill(0)
  seal.seal(head, { kind: 'export', number: 0 }, clear)
  let output: Uint8Array[] = [head, sha256(head)]
  let number = 0
  let unit = newUnit()
  let filled = 0
  const push = (isLast: boolean) => {
    const whole = unit.subarray(0, 1 + filled + sealBytes)
    whole[0] = Number(isLast)
    own.seal(whole, { kind: 'export', number: number++ }, 1)
    output.push(whole.subarray(1))
    unit = newUnit()
    filled = 0
  }
  const take = () => {
    const taken = joined(output)
    output = []
    return taken
  }
  return {
    write(plain) {
      for (let at = 0; at < plain.length; ) {
        const part = plain.subarray(at, at + chunkBytes - filled)
        unit.set(part, 1 + filled)
        filled += part.length
        at += part.length
        if (filled === chunkBytes) push(false)
      }
      return take()
    },
    end() {
      push(true)
      return take()
    },
    wipe: own.wipe,
  }
}

/** `open`: finds a key of the store, and returns the seal of the export. */
export function createExportReader(open: (header: ExportHeader) => Promise<KeyedSeal>): ExportReader {
  let waiting: Uint8Array = new Uint8Array(0)
  let seal: KeyedSeal | undefined
  let number = 0
  const opened = (unit: Uint8Array, isLast: boolean): Uint8Array => {
    const whole = new Uint8Array(1 + unit.length)
    whole[0] = Number(isLast)
    whole.set(unit, 1)
    if (!seal!.open(whole, { kind: 'export', number: number++ }, 1)) throw damagedExport()
    return whole.subarray(1, -sealBytes)
  }
  return {
    async push(bytes) {
      waiting = joined([waiting, bytes])
      if (seal === undefined) {
        const length = headerLength(waiting)
        if (waiting.length < length) return new Uint8Array(0)
        seal = await open(parseHeader(waiting.slice(0, length)))
        waiting = waiting.slice(length)
      }
      const plain: Uint8Array[] = []
      let at = 0
      for (; at + unitBytes <= waiting.length; at += unitBytes)
        plain.push(opened(waiting.subarray(at, at + unitBytes), false))
      waiting = waiting.slice(at)
      return joined(plain)
    },
    end() {
      if (seal === undefined || waiting.length < sealBytes) throw damagedExport()
      return opened(waiting, true)
    },
    wipe: () => seal?.wipe(),
  }
}

/** The least that it can have, until it is known. */
function headerLength(bytes: Uint8Array): number {
  if (bytes.length < fixedBytes) return fixedBytes
  const format = viewOf(bytes).getUint32(encryptedMagic.length)
  const length = viewOf(bytes).getUint32(encryptedMagic.length + 4)
  if (format === exportFormat && length <= mostRecordBytes) return fixedBytes + length + wrappedBytes + digestBytes
  throw format > exportFormat && format < 256 ? newerExport() : damagedExport()
}

function parseHeader(header: Uint8Array): ExportHeader {
  const end = header.length - digestBytes
  const head = header.subarray(0, end)
  if (!sha256(head).every((byte, i) => byte === header[end + i])) throw damagedExport()
  const clear = end - wrappedBytes
  const record = head.slice(fixedBytes, clear)
  return {
    record,
    unwrap(seal) {
      const parsed = parseRecord(record)
      const unit = head.slice()
      if (typeof parsed === 'string' || !seal.open(unit, { kind: 'export', number: 0 }, clear)) return null
      const key = unit.slice(clear, clear + keyBytes)
      unit.fill(0)
      return createSeal(key, parsed.storeId)
    },
  }
}

export function damagedExport() {
  return recallError('STORE_CORRUPT', 'must be an encrypted export as it was written', {
    field: 'source',
    hint: 'Give all its bytes in their order, or another copy of it. Nothing was changed.',
  })
}

export function newerExport() {
  return recallError('STORE_NEWER', 'must be an export that this build can read, but a newer Scrubjay encrypted it', {
    field: 'source',
    hint: 'Update this app. Nothing was changed.',
  })
}

const newUnit = () => new Uint8Array(1 + unitBytes)

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joinBytes(
    pieces,
    pieces.reduce((sum, { length }) => sum + length, 0),
  )
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
