/** The folder next to a store's file that has an entry for each process that has the file open. It exists only while there are some. */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { recallError } from '../../src/core/model/errors.ts'
import { explainFailure } from '../storage/file/file.ts'
import { addressesIn } from './addresses.ts'

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

/** `platform`: the system's name in Node. `pipes`: what the names of pipes begin with. Throws STORAGE_UNAVAILABLE if the folder cannot be made. */
export function openSocketFolder(
  path: string,
  platform: string = process.platform,
  pipes: string | null = platform === 'win32' ? '\\\\.\\pipe\\scrubjay-' : null,
): SocketFolder {
  const folder = `${path}-open`
  const make = () => {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
        throw recallError(
          'STORAGE_UNAVAILABLE',
          'must be free for the sockets of this store, but something else is there',
          {
            field: 'path',
            value: folder,
            hint: 'Move it away.',
          },
        )
      }
      const explained = explainFailure(error)
      if (explained.code === 'QUOTA_EXCEEDED') throw explained
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
  let sockets = addressesIn(folder, longestName, platform)
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
  /** What remains refuses connections. */
  const remove = (name: string) => {
    try {
      rmSync(join(folder, name), { force: true })
    } catch {}
  }
  const shared = {
    names: () => list().filter((name) => published.test(name)),
    newName: () => `${process.pid}-${crypto.getRandomValues(new Uint32Array(2)).join('')}`,
    remove,
    renew() {
      make()
      sockets.close()
      sockets = addressesIn(folder, longestName, platform)
    },
    close() {
      sockets.close()
      try {
        for (const name of list()) if (isForgotten(join(folder, name))) remove(name)
        rmdirSync(folder)
      } catch {
        // Other processes have it in use, or another one removed it.
      }
    },
  }
  // A pipe is in no folder: an empty file publishes it. It ends with its process, and a connection to it then finds nothing.
  return pipes === null
    ? {
        ...shared,
        draftAddressOf: (name) => sockets.of(draftPrefix + name),
        addressOf: (name) => sockets.of(name),
        publish: (name) => renameSync(join(folder, draftPrefix + name), join(folder, name)),
      }
    : {
        ...shared,
        draftAddressOf: (name) => pipes + name,
        addressOf: (name) => pipes + name,
        publish: (name) => writeFileSync(join(folder, name), '', { mode: 0o600 }),
      }
}

const published = /^\d+-\d+$/
const draftPrefix = 'new-'

/** Whether a process was killed between the two steps of publishing. */
function isForgotten(path: string): boolean {
  if (!path.includes(`${sep}${draftPrefix}`)) return false
  const changedMs = statSync(path, { throwIfNoEntry: false })?.ctimeMs
  return changedMs !== undefined && changedMs < Date.now() - longestDraftMs
}

const longestDraftMs = 600_000

/** Bytes of a slash, the prefix and the longest name. */
const longestName = 1 + draftPrefix.length + 10 + 1 + 20
