/**
 * Blobs in a folder: one that the user picked in a page (File System Access), one of OPFS, or a path in Node. A service such as Syncthing
 * may carry the folder between devices. A folder has no conditional write: the etag is compared just before. If two devices write a blob
 * at the same time, one version is lost, and the device that wrote it merges the other and writes again at its next round.
 */
import { recallError } from '../../core/model/errors.ts'
import { isSame } from './same-bytes.ts'
import type { Transport } from './transport.ts'

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
  names(): Promise<readonly string[]>
  /** Null if there is no such file. */
  etag(name: string): Promise<string | null>
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
  /** Replaces the file as a whole. */
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

/** `folder`: a directory handle with permission to write, or in Node the path of an existing folder. Only this store may use it. */
export function folderTransport(folder: string | DirectoryHandle): Transport {
  const { names, etag, read, write } = typeof folder === 'string' ? nodeFolder(folder) : pickedFolder(folder)
  const get = async (name: string) => {
    for (;;) {
      const before = await etag(name)
      if (before === null) return null
      const bytes = await read(name)
      // Equal before and after: these are the bytes of this version.
      if ((await etag(name)) === before) return { bytes, etag: before }
    }
  }
  return {
    async list() {
      const etags = await Promise.all((await names()).map(async (name) => [name, await etag(name)] as const))
      return new Map(etags.flatMap(([name, found]) => (found === null ? [] : [[name, found] as const])))
    },
    get,
    async put(name, bytes, ifMatch) {
      if (((await etag(name)) ?? undefined) !== ifMatch) return null
      await write(name, bytes)
      // Another device may have written at the same time: its etag must not be taken for that of these bytes.
      const stored = await get(name)
      return stored !== null && isSame(stored.bytes, bytes) ? stored.etag : null
    },
  }
}

function pickedFolder(handle: DirectoryHandle): Folder {
  const fileOf = async (name: string) => (await handle.getFileHandle(name)).getFile()
  return {
    async names() {
      const names: string[] = []
      for await (const [name, entry] of handle.entries()) if (entry.kind === 'file') names.push(name)
      return names
    },
    etag: (name) =>
      fileOf(name).then(
        ({ lastModified, size }) => `${lastModified}-${size}`,
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
    names: () => fs.readdir(path),
    etag: (name) =>
      fs.stat(at(name), { bigint: true }).then(
        ({ mtimeNs, ino, size }) => `${mtimeNs}-${ino}-${size}`,
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
  ): Promise<{ readonly mtimeNs: bigint; readonly ino: bigint; readonly size: bigint }>
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
