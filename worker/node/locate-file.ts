/** Finds the one absolute path of a store's file, and refuses places where a store would be damaged. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { recallError } from '../../src/core/model/errors.ts'
import { networkOf } from './file-systems.ts'

/**
 * Returns the real path, without links, so that each process names the same file alike. Throws INVALID_CONFIG if the folder does not
 * exist or the path is not that of a file, and STORAGE_UNAVAILABLE on a network file system.
 */
export function locateFile(given: string): string {
  const path = realPath(resolve(given))
  const stats = statOf(path)
  if (stats !== undefined && !stats.isFile()) {
    throw invalid(given, 'must be the path of a file', 'Give the path of a file, for example memory.sqlite.')
  }
  if (stats !== undefined && stats.nlink > 1) {
    throw invalid(
      given,
      'must be a file with one name, but hard links give it several',
      'Copy the file and open the copy. Under another name, another process could write to it at the same time.',
    )
  }
  const network = networkOf(dirname(path))
  if (network !== null) {
    throw recallError('STORAGE_UNAVAILABLE', `must be on a local disk, but its folder is on ${network}`, {
      field: 'path',
      value: given,
      hint: 'Keep the store on a local disk. Other machines could write to it at the same time.',
    })
  }
  return path
}

function realPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || links > mostLinks) throw unusable(path, error)
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (isLink) return realPath(resolve(dirname(path), readlinkSync(path)), links + 1)
  try {
    return namedBefore(join(realpathSync.native(dirname(path)), basename(path)))
  } catch (error) {
    throw unusable(path, error)
  }
}

/**
 * Some file systems do not tell `Notes` from `notes`. An existing file has one real name, but a file that another process is creating has only
 * the folder of its sockets, whose name decides.
 */
function namedBefore(path: string): string {
  let sockets: string
  try {
    sockets = realpathSync.native(`${path}-open`)
  } catch {
    return path
  }
  const name = basename(sockets).slice(0, -'-open'.length)
  return isSameName(name, basename(path)) ? join(dirname(path), name) : path
}

function isSameName(a: string, b: string): boolean {
  return a.normalize().toLowerCase() === b.normalize().toLowerCase()
}

const mostLinks = 40

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown) {
  const problem = `must be in a folder that exists and that this process can read (${String(error)})`
  return invalid(path, problem, 'Create the folder, or change its permissions.')
}

function invalid(path: string, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field: 'path', value: path, hint })
}
