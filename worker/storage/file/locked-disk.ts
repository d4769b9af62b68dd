/** A disk as a locked store uses it: its file begins behind the key area, and the saved revision is encrypted. checksum-vfs.ts seals pages and journal. */
import { markBytes, type Seal, sealBytes } from '../../sqlite/pages/seal.ts'
import type { Disk, DiskFile } from './disk.ts'
import { eraseKeyArea, keyAreaBytes } from './key-area.ts'
import { revisionBytes, revisionOfAnotherStore } from './revision-file.ts'

/** `path`: the file of the database, which has a key area. */
export function lockedDisk(disk: Disk, path: string, seal: Seal): Disk {
  return {
    ...disk,
    open(opened, create) {
      const file = disk.open(opened, create)
      if (opened === path) return behindKeyArea(file)
      return opened === `${path}-revision` ? sealedRecord(file, seal) : file
    },
    findAt(found) {
      const file = disk.findAt(found)
      return file === null || found !== path ? file : { ...file, bytes: Math.max(0, file.bytes - keyAreaBytes) }
    },
    forgetKeys: () => eraseKeyArea(disk, path),
  }
}

/** Whether a locked store left a saved revision at `path`. */
export function hasSealedRevision(disk: Disk, path: string): boolean {
  return disk.findAt(`${path}-revision`)?.bytes === sealedRevisionBytes
}

/** Makes the saved revision durable as it is. */
export function syncRevision(disk: Disk, path: string): void {
  if (!disk.exists(`${path}-revision`)) return
  const file = disk.open(`${path}-revision`, false)
  file.sync()
  file.close()
}

function behindKeyArea(file: DiskFile): DiskFile {
  return {
    ...file,
    size: () => Math.max(0, file.size() - keyAreaBytes),
    read: (target, offset) => file.read(target, offset + keyAreaBytes),
    write: (source, offset) => file.write(source, offset + keyAreaBytes),
    truncate: (size) => file.truncate(size + keyAreaBytes),
  }
}

/** A file of one record, which is read and written as a whole: the mark of the store, then the encrypted record. */
function sealedRecord(file: DiskFile, seal: Seal): DiskFile {
  return {
    ...file,
    size: () => Math.max(0, file.size() - markBytes - sealBytes),
    read(target) {
      const unit = new Uint8Array(sealedRevisionBytes)
      if (file.read(unit, 0) < unit.length) return 0
      const isOwn = seal.mark.every((byte, i) => byte === unit[i])
      const isWhole = isOwn && seal.open(unit, place, markBytes)
      const record = unit.subarray(markBytes, markBytes + revisionBytes)
      // A damaged record has a wrong checksum.
      if (isOwn && !isWhole) record.fill(1)
      target.set((isOwn ? record : revisionOfAnotherStore()).subarray(0, target.length))
      return Math.min(target.length, revisionBytes)
    },
    write(source) {
      const unit = new Uint8Array(sealedRevisionBytes)
      unit.set(seal.mark)
      unit.set(source, markBytes)
      seal.seal(unit, place, markBytes)
      file.write(unit, 0)
    },
  }
}

const sealedRevisionBytes = markBytes + revisionBytes + sealBytes
const place = { kind: 'revision', number: 0 } as const
