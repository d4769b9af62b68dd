/**
 * Blobs in a folder: one that the user picked in a page (File System Access), one of OPFS, or a path in Node. A service such as Syncthing
 * may carry the folder between devices. A folder has no conditional write: the etag is compared just before. If two devices write a blob
 * at the same time, one version is lost, and the device that wrote it merges the other and writes again at its next round.
 */
import { RecallError, recallError } from '../../core/model/errors.ts'
import { checkSize, maxNames, noLimits, tooManyNames } from './limits.ts'
import { isSame } from './same-bytes.ts'
import type { RequestLimits, Transport } from './transport.ts'

/** The part of `FileSystemDirectoryHandle` that is used, so that an app without the DOM's types can use this module. */
export interface DirectoryHandle {
  entries(): AsyncIterable<[string, { readonly kind: 'file' | 'directory' }]>
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<FileHandle>
}

interface FileHandle {
  getFile(): Promise<{ readonly lastModified: number; readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }>
  createWritable(): Promise<{ write(bytes: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void> }>
}

interface Folder {
  names(): AsyncIterable<string>
  /** Null if there is no such file. */
  state(name: string): Promise<FileState | null>
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
  /** Replaces the file as a whole. */
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

interface FileState {
  readonly etag: string
  readonly size: number
}

/** `folder`: a directory handle with permission to write, or in Node the path of an existing folder. Only this store may use it. */
export function folderTransport(folder: string | DirectoryHandle): Transport {
  const { names, state, read, write } = typeof folder === 'string' ? nodeFolder(folder) : pickedFolder(folder)
  const get = async (name: string, { signal, maxBytes }: RequestLimits = noLimits) => {
    for (;;) {
      signal.throwIfAborted()
      const before = await state(name)
      if (before === null) return null
      checkSize(`The file ${name}`, before.size, maxBytes)
      const bytes = await read(name)
      // Equal before and after: these are the bytes of this version.
      if ((await state(name))?.etag === before.etag) return { bytes, etag: before.etag }
    }
  }
  return {
    list: ({ signal } = noLimits) =>
      explained(async () => {
        const etags = new Map<string, string>()
        let count = 0
        for await (const name of names()) {
          signal.throwIfAborted()
          if (++count > maxNames) throw tooManyNames('The folder')
          const found = isBlobName(name) ? await state(name) : null
          if (found !== null) etags.set(name, found.etag)
        }
        return etags
      }),
    get: (name, limits) => explained(() => get(name, limits)),
    put: (name, bytes, ifMatch, limits = noLimits) =>
      explained(async () => {
        if ((await state(name))?.etag !== ifMatch) return null
        limits.signal.throwIfAborted()
        await write(name, bytes)
        // Another device may have written at the same time: its etag must not be taken for that of these bytes.
        const stored = await get(name, limits)
        return stored !== null && isSame(stored.bytes, bytes) ? stored.etag : null
      }),
  }
}

/** Other files of the folder are not looked at. */
function isBlobName(name: string): boolean {
  return /^[\w-]+$/.test(name)
}

/** Gives a failure of the folder as `STORAGE_UNAVAILABLE` with its text. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RecallError) throw error
    throw recallError('STORAGE_UNAVAILABLE', `The folder cannot be used (${String(error)})`, {
      hint: 'Check that the folder exists, and that this app may read and write it.',
    })
  }
}

function pickedFolder(handle: DirectoryHandle): Folder {
  const fileOf = async (name: string) => (await handle.getFileHandle(name)).getFile()
  return {
    async *names() {
      for await (const [name, entry] of handle.entries()) if (entry.kind === 'file') yield name
    },
    state: (name) =>
      fileOf(name).then(
        ({ lastModified, size }) => ({ etag: `${lastModified}-${size}`, size }),
        (error: unknown) => nullIfMissing(error, 'NotFoundError'),
      ),
    read: async (name) => new Uint8Array(await (await fileOf(name)).arrayBuffer()),
    async write(name, bytes) {
      // The new content takes the place of the old one when the stream is closed.
      const stream = await (await handle.getFileHandle(name, { create: true })).createWritable()
      await stream.write(bytes)
      await stream.close()
    },
  }
}

function nodeFolder(path: string): Folder {
  const fs = nodeFiles()
  const at = (name: string) => `${path}/${name}`
  return {
    async *names() {
      yield* await fs.readdir(path)
    },
    state: (name) =>
      fs.stat(at(name), { bigint: true }).then(
        (file) =>
          file.isFile() ? { etag: `${file.mtimeNs}-${file.ino}-${file.size}`, size: Number(file.size) } : null,
        (error: unknown) => nullIfMissing(error, 'ENOENT'),
      ),
    read: async (name) => new Uint8Array(await fs.readFile(at(name))),
    async write(name, bytes) {
      const unfinished = at(`.${name}.${crypto.randomUUID()}`)
      await fs.writeFile(unfinished, bytes, { flush: true })
      await fs.rename(unfinished, at(name))
    },
  }
}

function nullIfMissing(error: unknown, missing: string): null {
  const { name, code } = error as { readonly name?: string; readonly code?: string }
  if (name === missing || code === missing) return null
  throw error
}

interface NodeFiles {
  readdir(path: string): Promise<string[]>
  stat(
    path: string,
    options: { readonly bigint: true },
  ): Promise<{ isFile(): boolean; readonly mtimeNs: bigint; readonly ino: bigint; readonly size: bigint }>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, bytes: Uint8Array, options: { readonly flush: boolean }): Promise<void>
  rename(from: string, to: string): Promise<void>
}

/** Loads the module in a way that bundlers for browsers do not follow. */
function nodeFiles(): NodeFiles {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }
  const fs = process?.getBuiltinModule?.('node:fs/promises')
  if (fs !== undefined) return fs as NodeFiles
  throw recallError('INVALID_CONFIG', 'must be a directory handle here, because this platform has no file paths', {
    field: 'folder',
    hint: 'Get one from showDirectoryPicker() or navigator.storage.getDirectory(). Paths need Node 20.16 or newer.',
  })
}
