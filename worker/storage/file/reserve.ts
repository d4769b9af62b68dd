/**
 * Reserves disk space for deletions [P3]. Deleting writes: to the journal first, and sometimes to new pages. So the file of the database
 * is longer than SQLite knows, and a deletion may cut the rest off when the disk is full. A commit that adds pages makes sure beforehand
 * that they and the reserve fit, so that the journal can always be emptied into the file. The reserve is written, because a file system
 * gives no space to a gap.
 */
import { pageBytes } from '../../sqlite/pages/page-file.ts'
import { headerBytes, pagesIn } from '../../sqlite/pages/page-format.ts'
import { createFilling, reserveBytesFor } from '../common/filling.ts'
import type { Disk, DiskFile } from './disk.ts'

export interface Reserve {
  /** The disk as SQLite sees it: the file of the database ends after its last page. */
  readonly disk: Disk
  /**
   * Called before a commit after which the database has `pages` pages: makes sure that they fit. A deletion may use the reserve; any other
   * commit must leave it. Throws the disk's error.
   */
  ensure(pages: number, isDeletion: boolean): void
  /** Fills the reserve again, as far as there is space. */
  hold(): void
  /** Frees the space of the reserve. */
  release(): void
}

/** `path`: the file of the database. */
export function reserveOn(disk: Disk, path: string): Reserve {
  let main: DiskFile | undefined
  /** Bytes of the database, and of its file. */
  let size = 0
  let held = 0

  const fill = (from: number, to: number) => {
    for (let at = from; at < to; at += filling.length) main?.write(filling.subarray(0, to - at), at)
  }
  const grow = (bytes: number) => {
    if (main === undefined || held >= bytes) return
    try {
      fill(held, bytes)
    } finally {
      held = main.size()
    }
  }
  const cut = (file: DiskFile, bytes: number) => {
    file.truncate(bytes)
    held = bytes
  }
  /** Drops pages at the end. Their text is overwritten, and their space becomes part of the reserve. */
  const shrink = (file: DiskFile, bytes: number) => {
    if (held > bytes + reserveBytesFor(bytes)) cut(file, bytes + reserveBytesFor(bytes))
    try {
      fill(bytes, Math.min(size, held))
    } catch {
      // Some file systems need space to overwrite.
      cut(file, bytes)
    }
  }

  const withoutReserve = (file: DiskFile): DiskFile => ({
    identity: file.identity,
    size: () => size,
    read: (target, offset) => file.read(target.subarray(0, Math.max(0, size - offset)), offset),
    write(source, offset) {
      file.write(source, offset)
      size = Math.max(size, offset + source.length)
      held = Math.max(held, size)
    },
    truncate(bytes) {
      // A store whose creation is undone has no text yet, and a file that begins with filling could not be opened again.
      if (bytes === 0) cut(file, 0)
      else if (bytes < size) shrink(file, bytes)
      else if (bytes > size) {
        cut(file, size)
        cut(file, bytes)
      }
      size = bytes
    },
    sync: () => file.sync(),
    close() {
      if (file === main) main = undefined
      file.close()
    },
  })

  return {
    disk: {
      ...disk,
      open(opened, create) {
        const file = disk.open(opened, create)
        if (opened !== path) return file
        if (main === undefined) {
          main = file
          held = file.size()
          size = sizeInHeader(file, held)
        }
        return withoutReserve(file)
      },
    },
    ensure(pages, isDeletion) {
      const bytes = pages * pageBytes
      const least = isDeletion ? bytes : bytes + reserveBytesFor(bytes)
      if (held >= least) return
      try {
        grow(isDeletion ? least : least + ampleBytes)
      } catch (error) {
        if (held < least) throw error
      }
    },
    hold() {
      try {
        grow(size + reserveBytesFor(size))
      } catch {
        // As much as there is.
      }
    },
    release() {
      if (main !== undefined && held > size) cut(main, size)
    },
  }
}

const filling = createFilling(1 << 18)

/** Added when the file grows, so that not every commit extends it. */
const ampleBytes = 64 * pageBytes

/** `held` if the header does not say. */
function sizeInHeader(file: DiskFile, held: number): number {
  const header = new Uint8Array(headerBytes)
  const bytes = file.read(header, 0) < headerBytes ? 0 : pagesIn(header) * pageBytes
  return bytes > 0 && bytes <= held ? bytes : held
}
