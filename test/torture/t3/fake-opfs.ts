/**
 * An origin-private file system whose disk can lose power: what was written since a file's last flush survives per
 * 512-byte sector at random, or as an ordered prefix. Names (created files, removed entries) are on disk at once; a
 * read sees every write. A crash is scheduled at the n-th changing call; from then on every handle is dead.
 */
import type { Disk } from '../../../worker/storage/file/disk.ts'
import {
  apply,
  bytesOf,
  copyOf,
  createContent,
  everyFile,
  type FakeFile,
  type FakeFolder,
  filesIn,
  isFile,
  isFolder,
  loseNames,
  newFile,
  orderedPrefix,
  sectorsAtRandom,
} from './fake-content.ts'
import { filesOver } from './fake-files.ts'
import type { Random } from './random.ts'

export type LossModel = 'sector' | 'prefix'

export interface FakeOpfs {
  getDirectory(): Promise<FileSystemDirectoryHandle>
  /**
   * The same disk as the file system of a server. Unlike in OPFS, names that were created or removed since the folder was synced may vanish
   * or come back when the power fails.
   */
  files(): Disk
  /**
   * The power fails at the n-th write, truncate or flush from now on, before it takes effect; with `flush`, at the
   * first flush from there, when most data is at risk.
   */
  armCrash(nth: number, at: 'any' | 'flush'): void
  disarmCrash(): void
  hasCrashed(): boolean
  /**
   * The n-th call from now on fails without effect, and with `isForever` every later one: the disk fails, not the
   * power.
   */
  armFault(nth: number, fault: Fault): void
  disarmFault(): void
  /** Calls since the fault was scheduled, or since the beginning. */
  calls(): number
  /** Writes, truncations and flushes since the beginning. */
  changes(): number
  /** Frees the bytes: pools of SQLite keep their files for as long as the thread lives. */
  wipe(): void
  /** Another disk with the same bytes, all of them flushed. */
  copy(): FakeOpfs
  /** Replaces the bytes of files at rest by those that `change` returns, by path; null leaves a file unchanged. */
  edit(change: (path: string, bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | null): void
  /** The process is killed: handles die, the operating system keeps what was written. */
  kill(): void
  /** The power fails: handles die, the disk keeps what the model lets survive. */
  losePower(model: LossModel, random: Random): void
}

export interface Fault {
  readonly isForever: boolean
  /** The browser's name of the error; null, for a control: a call that only seems to succeed. */
  readonly name: string | null
}

export function createFakeOpfs(root: FakeFolder = { children: new Map() }): FakeOpfs {
  let epoch = 0
  let order = 0
  let callsLeft = Number.POSITIVE_INFINITY
  let crashAt: 'any' | 'flush' = 'any'
  let isCrashed = false
  let calls = 0
  let changes = 0
  let faultAt = Number.POSITIVE_INFINITY
  let fault: Fault = { isForever: false, name: null }

  /** Counts any call. False: it must pretend to work; throws when it fails openly. */
  const works = (): boolean => {
    calls += 1
    if (calls < faultAt || (calls > faultAt && !fault.isForever)) return true
    if (fault.name === null) return false
    throw new DOMException('the disk failed, says the test', fault.name)
  }

  /** Counts a changing call; the crash comes when the count runs out. */
  const beforeChange = (call: 'write' | 'truncate' | 'flush') => {
    callsLeft -= 1
    changes += 1
    if (callsLeft <= 0 && (crashAt === 'any' || call === 'flush')) isCrashed = true
    if (isCrashed) throw new DOMException('the power failed', 'AbortError')
  }

  const assertAlive = (born: number) => {
    if (isCrashed || born !== epoch) throw new DOMException('this handle died', 'AbortError')
  }

  const openHandle = (file: FakeFile, born: number) => ({
    read(target: ArrayBufferView<ArrayBuffer>, { at = 0 } = {}) {
      assertAlive(born)
      if (!works()) return bytesOf(target).fill(0).length
      return file.seen.read(bytesOf(target), at)
    },
    write(source: ArrayBufferView<ArrayBuffer>, { at = 0 } = {}) {
      assertAlive(born)
      beforeChange('write')
      if (!works()) return source.byteLength
      const bytes = bytesOf(source).slice()
      file.seen.write(bytes, at)
      file.pending.push({ order: order++, kind: 'write', at, bytes })
      return bytes.length
    },
    truncate(size: number) {
      assertAlive(born)
      beforeChange('truncate')
      if (!works()) return
      file.seen.resize(size)
      file.pending.push({ order: order++, kind: 'resize', size })
    },
    flush() {
      assertAlive(born)
      beforeChange('flush')
      if (!works()) return
      for (const change of file.pending) apply(file.durable, change)
      file.pending = []
    },
    // The pool does not catch errors of these two: they must not throw, even when dead.
    getSize: () => file.seen.size,
    close() {
      if (born === epoch) file.isHeld = false
    },
  })

  const fileHandle = (file: FakeFile, name: string, born: number) => ({
    kind: 'file' as const,
    name,
    async createSyncAccessHandle() {
      assertAlive(born)
      works()
      if (file.isHeld) throw new DOMException('held', 'NoModificationAllowedError')
      file.isHeld = true
      return openHandle(file, born)
    },
    async getFile() {
      assertAlive(born)
      works()
      // Like a File as far as the storage code reads it; real blobs would cost a round trip to another process each.
      const bytes = file.seen.copy()
      return {
        size: bytes.length,
        slice: (from: number, to: number) => ({ arrayBuffer: async () => bytes.slice(from, to).buffer }),
      }
    },
  })

  const folderHandle = (folder: FakeFolder, name: string, born: number): unknown => {
    const child = <T extends FakeFile | FakeFolder>(
      key: string,
      isKind: (node: FakeFile | FakeFolder) => node is T,
      made: T | null,
    ): T => {
      assertAlive(born)
      works()
      const found = folder.children.get(key) ?? made
      if (found === null) throw new DOMException(key, 'NotFoundError')
      if (!isKind(found)) throw new DOMException(key, 'TypeMismatchError')
      folder.children.set(key, found)
      return found
    }
    const handleOf = ([key, node]: [string, FakeFile | FakeFolder]) =>
      isFolder(node) ? folderHandle(node, key, born) : fileHandle(node, key, born)
    async function* entries() {
      assertAlive(born)
      works()
      for (const entry of Array.from(folder.children)) yield [entry[0], handleOf(entry)] as const
    }
    return {
      kind: 'directory' as const,
      name,
      getDirectoryHandle: async (key: string, { create = false } = {}) =>
        folderHandle(child(key, isFolder, create ? { children: new Map() } : null), key, born),
      getFileHandle: async (key: string, { create = false } = {}) =>
        fileHandle(child(key, isFile, create ? newFile() : null), key, born),
      async removeEntry(key: string) {
        assertAlive(born)
        works()
        if (!folder.children.delete(key)) throw new DOMException(key, 'NotFoundError')
      },
      entries,
      async *values() {
        for await (const [, handle] of entries()) yield handle
      },
      [Symbol.asyncIterator]: entries,
    }
  }

  /** Files that a server removed since it synced the folder, by path. */
  const removed = new Map<string, FakeFile>()

  const filesOfServer = (): Disk => {
    const born = epoch
    const parts = { root, removed, assertAlive: () => assertAlive(born), beforeChange }
    return filesOver({ ...parts, openHandle: (file) => openHandle(file, born) })
  }

  const revive = () => {
    epoch += 1
    isCrashed = false
    callsLeft = Number.POSITIVE_INFINITY
    for (const file of everyFile(root)) file.isHeld = false
  }

  return {
    getDirectory: async () => folderHandle(root, '', epoch) as FileSystemDirectoryHandle,
    files: filesOfServer,
    armCrash: (nth, at) => {
      callsLeft = nth
      crashAt = at
    },
    disarmCrash: () => {
      callsLeft = Number.POSITIVE_INFINITY
    },
    hasCrashed: () => isCrashed,
    armFault: (nth, how) => {
      calls = 0
      faultAt = nth
      fault = how
    },
    disarmFault: () => {
      faultAt = Number.POSITIVE_INFINITY
    },
    calls: () => calls,
    changes: () => changes,
    wipe: () => {
      for (const file of everyFile(root)) Object.assign(file, newFile())
    },
    copy: () => createFakeOpfs(copyOf(root)),
    edit(change) {
      for (const [path, file] of filesIn(root, '')) {
        const bytes = change(path, file.seen.copy())
        if (bytes === null) continue
        Object.assign(file, { seen: createContent(bytes.slice()), durable: createContent(bytes.slice()), pending: [] })
      }
    },
    kill: revive,
    losePower(model, random) {
      const files = everyFile(root)
      const keep = model === 'sector' ? sectorsAtRandom(random) : orderedPrefix(random, files)
      for (const file of files) {
        for (const change of file.pending) keep(file, change)
        file.pending = []
        file.seen = createContent(file.durable.copy())
      }
      const hidden = files.flatMap(({ replaces }) => replaces ?? [])
      for (const file of [...removed.values(), ...hidden])
        Object.assign(file, { pending: [], seen: createContent(file.durable.copy()) })
      loseNames(root, removed, random)
      revive()
    },
  }
}
