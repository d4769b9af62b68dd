/** Encodes the record of a store's locks as it is stored: twice, so that one copy is whole at every moment. A copy has always the same length. */
import { recallError } from '../../../src/core/model/errors.ts'
import { hasRightChecksum, writePageChecksum } from '../../sqlite/pages/page-checksum.ts'

export const copyBytes = 8192

export interface KeyCopy {
  readonly record: Uint8Array
  readonly sequence: number
}

export interface StoredKeys extends KeyCopy {
  /** Whether both copies are this one. */
  readonly isEven: boolean
}

/** `Scrubjay locked` and a zero. */
export const magic: Uint8Array = new TextEncoder().encode('Scrubjay locked\0')
const recordAt = magic.length + 8
/** The last bytes are the checksum. */
const mostRecordBytes = copyBytes - recordAt - 8

/** At most so many bytes of locks can be stored. */
function checkRecord(record: Uint8Array): void {
  if (record.length <= mostRecordBytes) return
  throw recallError('INVALID_ARGUMENT', 'The store has as many locks as it can have', {
    hint: 'Remove one with keys.remove first.',
  })
}

export function encodeCopy(record: Uint8Array, sequence: number): Uint8Array<ArrayBuffer> {
  checkRecord(record)
  const copy = new Uint8Array(copyBytes)
  const view = new DataView(copy.buffer)
  copy.set(magic)
  view.setUint32(magic.length, sequence)
  view.setUint32(magic.length + 4, record.length)
  copy.set(record, recordAt)
  writePageChecksum(copy, 0)
  return copy
}

/** A copy without locks: what remains of a store with it cannot be read by anyone. */
export function emptyCopy(): Uint8Array<ArrayBuffer> {
  const nothing = new Uint8Array(copyBytes)
  nothing.set(magic)
  return nothing
}

/** The newest whole copy; null if there is none. */
export function newestOf(copies: readonly Uint8Array<ArrayBuffer>[]): StoredKeys | null {
  const whole = copies.map(decodeCopy).filter((copy) => copy !== null)
  const [first, second] = whole.toSorted((a, b) => b.sequence - a.sequence)
  return first === undefined ? null : { ...first, isEven: second?.sequence === first.sequence }
}

function decodeCopy(copy: Uint8Array<ArrayBuffer>): KeyCopy | null {
  if (copy.length !== copyBytes || !hasMagic(copy) || !hasRightChecksum(copy, 0)) return null
  const view = new DataView(copy.buffer, copy.byteOffset)
  const length = view.getUint32(magic.length + 4)
  // Of a copy whose locks were thrown away.
  if (length === 0 || length > mostRecordBytes) return null
  return { record: copy.slice(recordAt, recordAt + length), sequence: view.getUint32(magic.length) }
}

export function hasMagic(bytes: Uint8Array): boolean {
  return magic.every((byte, i) => bytes[i] === byte)
}
