/**
 * Addresses of sockets in a folder. An address has at most 103 bytes, but a path may have more. Then the folder is reached another way: on
 * Linux through an open descriptor, elsewhere through a link in the folder of temporary files.
 */
import { closeSync, constants, lstatSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recallError } from '../../src/core/model/errors.ts'

export interface Addresses {
  /** Valid only now: a later call may return another one. */
  of(name: string): string
  close(): void
}

const mostBytes = 103

/** `longestName`: bytes of a slash and the longest name. Throws STORAGE_UNAVAILABLE if no address is short enough. */
export function addressesIn(
  folder: string,
  longestName: number,
  platform: string = process.platform,
  temporary: string = tmpdir(),
): Addresses {
  if (platform === 'win32' || Buffer.byteLength(folder) + longestName <= mostBytes)
    return { of: (name) => join(folder, name), close: () => undefined }
  return platform === 'linux' ? overDescriptor(folder) : overLink(folder, longestName, temporary)
}

function overDescriptor(folder: string): Addresses {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  let isOpen = true
  return {
    of: (name) => `/proc/self/fd/${descriptor}/${name}`,
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}

function overLink(folder: string, longestName: number, temporary: string): Addresses {
  const link = join(temporary, `sj${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`)
  if (Buffer.byteLength(link) + longestName > mostBytes) {
    throw recallError(
      'STORAGE_UNAVAILABLE',
      `must have at most ${mostBytes - longestName - '-open'.length} bytes on this system`,
      {
        field: 'path',
        value: folder.slice(0, -'-open'.length),
        hint: 'Choose a folder with a shorter path, or set TMPDIR to one.',
      },
    )
  }
  return {
    of(name) {
      // The system may empty the folder. Through a missing link, a process that lives would look as if it had ended.
      if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(folder, link)
      return `${link}/${name}`
    },
    close: () => rmSync(link, { force: true }),
  }
}
