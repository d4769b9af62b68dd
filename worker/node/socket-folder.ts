/** The folder next to a store's file that holds the sockets of the processes that have it open. It exists only while there are some. */
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { recallError } from '../../src/core/model/errors.ts'

export interface SocketFolder {
  /** Published names, ascending. Each begins with the id of its process. */
  names(): readonly string[]
  newName(): string
  /** Where a socket begins to listen. Other processes ignore this name. */
  draftAddressOf(name: string): string
  addressOf(name: string): string
  /** Gives a socket that listens its name. */
  publish(name: string): void
  remove(name: string): void
  /** Creates the folder again, after it was removed. */
  renew(): void
  /** Removes the folder if it is empty. */
  close(): void
}

/** Throws STORAGE_UNAVAILABLE if the folder cannot be made. */
export function openSocketFolder(path: string): SocketFolder {
  const folder = `${path}-open`
  const make = () => {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
      throw recallError(
        'STORAGE_UNAVAILABLE',
        `must be in a folder that this process can write to (${String(error)})`,
        {
          field: 'path',
          value: path,
          hint: 'Choose another folder, or change its permissions.',
        },
      )
    }
  }
  make()
  let near = nearFolder(folder)
  const list = () => {
    try {
      return readdirSync(folder).sort()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw recallError('STORAGE_UNAVAILABLE', `must be the file of one user (${String(error)})`, {
        field: 'path',
        value: path,
        hint: 'Open the store as the user who has it open, or close it there first.',
      })
    }
  }
  const remove = (name: string) => rmSync(join(folder, name), { force: true })
  return {
    names: () => list().filter((name) => published.test(name)),
    newName: () => `${process.pid}-${crypto.getRandomValues(new Uint32Array(2)).join('')}`,
    draftAddressOf: (name) => `${near.path}/${draftPrefix}${name}`,
    addressOf: (name) => `${near.path}/${name}`,
    publish: (name) => renameSync(join(folder, draftPrefix + name), join(folder, name)),
    remove,
    renew() {
      make()
      near.close()
      near = nearFolder(folder)
    },
    close() {
      near.close()
      for (const name of list()) if (isForgotten(join(folder, name))) remove(name)
      try {
        rmdirSync(folder)
      } catch {
        // Other processes have it in use, or another one removed it.
      }
    },
  }
}

const published = /^\d+-\d+$/
const draftPrefix = 'new-'

/** Whether a process was killed between the two steps of publishing. */
function isForgotten(path: string): boolean {
  if (!path.includes(`/${draftPrefix}`)) return false
  const changedMs = statSync(path, { throwIfNoEntry: false })?.ctimeMs
  return changedMs !== undefined && changedMs < Date.now() - longestDraftMs
}

const longestDraftMs = 600_000

/** The address of a socket has at most 103 bytes. On Linux, a long path can be reached through an open folder. */
function nearFolder(folder: string): { readonly path: string; close(): void } {
  if (Buffer.byteLength(folder) + longestName <= 103) return { path: folder, close: () => undefined }
  if (process.platform !== 'linux') {
    throw recallError(
      'STORAGE_UNAVAILABLE',
      `must have at most ${103 - longestName - '-open'.length} bytes on this system`,
      {
        field: 'path',
        value: folder.slice(0, -'-open'.length),
        hint: 'Choose a folder with a shorter path.',
      },
    )
  }
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  let isOpen = true
  return {
    path: `/proc/self/fd/${descriptor}`,
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}

/** Bytes of a slash, the prefix and the longest name. */
const longestName = 1 + draftPrefix.length + 10 + 1 + 20
