/** Saves the last acknowledged revision in a small file next to the database while the store is open. */
import { decodeRevision, encodeRevision, noteBytes } from '../common/revision-note.ts'
import type { Disk, DiskFile } from './disk.ts'

export interface RevisionFile {
  /** The revision last saved; 0 if there is none or it cannot be read. */
  latest(): number
  /** Not synced, so that it is fast. After a power loss an older revision may be read, never one that was not durable. */
  note(revision: number): void
  close(): void
}

export function openRevisionFile(disk: Disk, path: string): RevisionFile {
  const file = disk.open(path, true)
  let latest = read(file)
  return {
    latest: () => latest,
    note(revision) {
      if (revision === latest) return
      latest = revision
      try {
        file.write(encodeRevision(revision, 0), 0)
      } catch {
        // Acknowledged changes are durable without it.
      }
    },
    close: () => file.close(),
  }
}

function read(file: DiskFile): number {
  const note = new Uint8Array(noteBytes)
  return file.read(note, 0) < noteBytes ? 0 : decodeRevision(note, 0)
}
