/**
 * The head of a locked file: two copies of the record of its locks, of which one is whole at every moment. The pages of the database follow it, so that a
 * copy of the file can be opened with the same locks.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { hasRightChecksum, writePageChecksum } from '../../sqlite/pages/page-checksum.ts'
import type { Disk, DiskFile } from './disk.ts'

const copyBytes = 8192
export const keyAreaBytes = 2 * copyBytes

export interface KeyArea {
  readonly record: Uint8Array
  readonly sequence: number
  /** Whether both copies are this one. */
  readonly isEven: boolean
}

/** Null: the file is not locked; `empty`: it has no content yet; `damaged`: both copies are. */
export function readKeyArea(disk: Disk, path: string): KeyArea | null | 'empty' | 'damaged' {
  if (!disk.exists(path)) return 'empty'
  const file = disk.open(path, false)
  try {
    const size = file.size()
    if (size === 0) return 'empty'
    const bytes = new Uint8Array(keyAreaBytes)
    file.read(bytes, 0)
    const copies = [0, 1].map((i) => bytes.slice(i * copyBytes, (i + 1) * copyBytes))
    const areas = copies.map(decode)
    const [first, second] = areas.filter((area) => area !== null).toSorted((a, b) => b.sequence - a.sequence)
    if (first !== undefined) return { ...first, isEven: second?.sequence === first.sequence }
    // A power loss during the creation left nothing of the first sector, or nothing but it.
    if (size <= sectorBytes && bytes.every((byte) => byte === 0)) return 'empty'
    if (!copies.some(hasMagic)) return null
    return size <= keyAreaBytes ? 'empty' : 'damaged'
  } finally {
    file.close()
  }
}

/** Smallest part of a file that a power loss leaves as it was or as it was to be. */
const sectorBytes = 512

/** Writes both copies, one after the other. Creates the file, beginning with what tells it from a file of another program. */
export function writeKeyArea(disk: Disk, path: string, record: Uint8Array, sequence: number): void {
  const file = disk.open(path, true)
  try {
    if (file.size() <= sectorBytes) {
      file.write(magic, 0)
      file.sync()
    }
    writeCopies(file, encode(record, sequence))
  } finally {
    file.close()
  }
  disk.syncFolder(path)
}

/** Throws the locks away: what remains on the disk cannot be read by anyone. */
export function eraseKeyArea(disk: Disk, path: string): void {
  const area = readKeyArea(disk, path)
  if (area === null || area === 'empty') return
  const file = disk.open(path, false)
  try {
    const nothing = new Uint8Array(copyBytes)
    nothing.set(magic)
    writeCopies(file, nothing)
  } finally {
    file.close()
  }
}

function writeCopies(file: DiskFile, copy: Uint8Array): void {
  for (const at of [0, copyBytes]) {
    file.write(copy, at)
    file.sync()
  }
}

/** `Scrubjay locked` and a zero. */
const magic = new TextEncoder().encode('Scrubjay locked\0')
const recordAt = magic.length + 8
/** The last bytes are the checksum. */
const mostRecordBytes = copyBytes - recordAt - 8

/** At most so many bytes of locks fit in a file. */
export function checkRecord(record: Uint8Array): void {
  if (record.length <= mostRecordBytes) return
  throw recallError('INVALID_ARGUMENT', 'The store has as many locks as it can have', {
    hint: 'Remove one with keys.remove first.',
  })
}

function encode(record: Uint8Array, sequence: number): Uint8Array {
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

function decode(copy: Uint8Array): Omit<KeyArea, 'isEven'> | null {
  if (!hasMagic(copy) || !hasRightChecksum(copy, 0)) return null
  const view = new DataView(copy.buffer)
  const length = view.getUint32(magic.length + 4)
  // Of an area whose locks were thrown away.
  if (length === 0 || length > mostRecordBytes) return null
  return { record: copy.slice(recordAt, recordAt + length), sequence: view.getUint32(magic.length) }
}

export function hasMagic(bytes: Uint8Array): boolean {
  return magic.every((byte, i) => bytes[i] === byte)
}
