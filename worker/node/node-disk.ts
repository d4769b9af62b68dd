/** A `Disk` over node:fs. */
import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Disk, DiskFile } from '../storage/file/disk.ts'

export const nodeDisk: Disk = {
  // The paths have no links (`locateFile`): one that appears would let another user choose which file is overwritten.
  open: (path, create) =>
    openFile(openSync(path, constants.O_RDWR | noFollow | (create ? constants.O_CREAT : 0), ownerOnly)),
  exists: existsSync,
  remove: (path) => rmSync(path, { force: true }),
  findAt(path) {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? null : { identity: identityOf(stats), bytes: Number(stats.size) }
  },
  renew(path) {
    const copy = `${path}-new`
    rmSync(copy, { force: true })
    copyFileSync(path, copy, constants.COPYFILE_EXCL)
    const descriptor = openSync(copy, constants.O_RDWR | noFollow)
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(copy, path)
    nodeDisk.syncFolder(path)
  },
  syncFolder(path) {
    // Windows cannot sync a folder; its file systems keep names in a journal.
    if (process.platform === 'win32') return
    const folder = openSync(dirname(path), constants.O_RDONLY)
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  },
}

/** Permissions of a new file. */
const ownerOnly = 0o600

/** Windows has no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

function openFile(descriptor: number): DiskFile {
  return {
    identity: identityOf(fstatSync(descriptor, { bigint: true })),
    size: () => fstatSync(descriptor).size,
    read: (target, offset) =>
      transfer(target.length, (done) => readSync(descriptor, target, done, target.length - done, offset + done)),
    write(source, offset) {
      const written = transfer(source.length, (done) =>
        writeSync(descriptor, source, done, source.length - done, offset + done),
      )
      if (written < source.length) throw Object.assign(new Error('a write was cut short'), { code: 'ENOSPC' })
    },
    truncate: (size) => ftruncateSync(descriptor, size),
    // On macOS, libuv asks the disk itself to write its cache (F_FULLFSYNC).
    sync: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  }
}

/** Repeats a call that may transfer only a part, until all is transferred or nothing more is. */
function transfer(length: number, step: (done: number) => number): number {
  let done = 0
  while (done < length) {
    const bytes = step(done)
    if (bytes === 0) break
    done += bytes
  }
  return done
}
