/**
 * The head of a locked file: two copies of the record of its locks, of which one is whole at every moment. The pages of the database follow it, so that a
 * copy of the file can be opened with the same locks.
 */
import { copyBytes, emptyCopy, encodeCopy, hasMagic, magic, newestOf, type StoredKeys } from '../common/key-copies.ts'
import type { Disk, DiskFile } from './disk.ts'

export const keyAreaBytes = 2 * copyBytes

/** Null: the file is not locked; `empty`: it has no content yet; `damaged`: both copies are. */
export function readKeyArea(disk: Disk, path: string): StoredKeys | null | 'empty' | 'damaged' {
  if (!disk.exists(path)) return 'empty'
  const file = disk.open(path, false)
  try {
    const size = file.size()
    if (size === 0) return 'empty'
    const bytes = new Uint8Array(keyAreaBytes)
    file.read(bytes, 0)
    const copies = [0, 1].map((i) => bytes.slice(i * copyBytes, (i + 1) * copyBytes))
    const keys = newestOf(copies)
    if (keys !== null) return keys
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
    writeCopies(file, encodeCopy(record, sequence))
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
    writeCopies(file, emptyCopy())
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
