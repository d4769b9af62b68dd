/**
 * A disk in memory with a limited number of blocks, as file systems count them: a gap takes no space, a write takes some, and a write that
 * does not fit is cut short. `copyOnWrite`: as in Btrfs, ZFS and APFS, a replaced block keeps its space until the next sync of the file.
 */
import type { Disk, DiskFile } from '../../../worker/storage/file/disk.ts'

export interface LimitedDisk extends Disk {
  /** Bytes that all files may take from now on. */
  limit(bytes: number): void
  /** Bytes that all files take. */
  bytes(): number
  /** Whether a file has this text. */
  holds(text: string): boolean
  /** Files that exist. */
  names(): readonly string[]
}

interface StoredFile {
  readonly identity: string
  content: Uint8Array
  size: number
  readonly blocks: Set<number>
  /** Replaced blocks since the last sync. */
  replaced: number
}

const blockBytes = 4096

export function createLimitedDisk({ copyOnWrite = false } = {}): LimitedDisk {
  const files = new Map<string, StoredFile>()
  let most = Number.POSITIVE_INFINITY
  const bytes = () =>
    [...files.values()].reduce((sum, { blocks, replaced }) => sum + (blocks.size + replaced) * blockBytes, 0)

  const take = (file: StoredFile, block: number): boolean => {
    const isNew = !file.blocks.has(block)
    if (!isNew && !copyOnWrite) return true
    if (bytes() + blockBytes > most) return false
    if (isNew) file.blocks.add(block)
    else file.replaced += 1
    return true
  }

  const handleOf = (file: StoredFile): DiskFile => ({
    identity: file.identity,
    size: () => file.size,
    read(target, offset) {
      const part = file.content.subarray(Math.min(offset, file.size), Math.min(offset + target.length, file.size))
      target.set(part)
      return part.length
    },
    write(source, offset) {
      let done = 0
      while (done < source.length) {
        const at = offset + done
        if (!take(file, Math.floor(at / blockBytes))) throw full()
        const part = source.subarray(done, done + blockBytes - (at % blockBytes))
        file.content = withRoom(file.content, at + part.length)
        file.content.set(part, at)
        file.size = Math.max(file.size, at + part.length)
        done += part.length
      }
    },
    truncate(size) {
      if (size < file.size) file.content.fill(0, size, file.size)
      file.content = withRoom(file.content, size)
      file.size = size
      for (const block of file.blocks) if (block * blockBytes >= size) file.blocks.delete(block)
    },
    sync() {
      file.replaced = 0
    },
    close: () => undefined,
  })

  return {
    open(path, create) {
      let file = files.get(path)
      if (file === undefined) {
        if (!create) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
        file = emptyFile()
        files.set(path, file)
      }
      return handleOf(file)
    },
    exists: (path) => files.has(path),
    remove: (path) => void files.delete(path),
    findAt(path) {
      const file = files.get(path)
      return file === undefined ? null : { identity: file.identity, bytes: file.size }
    },
    renew(path) {
      const { content, size } = files.get(path)!
      const copy = emptyFile()
      handleOf(copy).write(content.subarray(0, size), 0)
      files.set(path, copy)
    },
    syncFolder: () => undefined,
    limit(count) {
      most = count
    },
    bytes,
    holds: (text) => [...files.values()].some(({ content }) => Buffer.from(content.buffer).includes(text)),
    names: () => [...files.keys()],
  }
}

let created = 0

function emptyFile(): StoredFile {
  return { identity: `file ${++created}`, content: new Uint8Array(0), size: 0, blocks: new Set(), replaced: 0 }
}

function withRoom(content: Uint8Array, size: number): Uint8Array {
  if (size <= content.length) return content
  const larger = new Uint8Array(Math.max(size, 2 * content.length))
  larger.set(content)
  return larger
}

function full(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}
