/** Lists the stores in the files of a folder. Reads the first pages of each file, and locks and changes none. */
import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { recallError } from '../../src/core/model/errors.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import type { StoredStore } from '../../src/protocol/stored-store.ts'
import { applicationId } from '../sqlite/application-id.ts'
import { hasRightChecksum } from '../sqlite/pages/page-checksum.ts'
import { pageBytes } from '../sqlite/pages/page-file.ts'
import { hasMagic } from '../storage/common/key-copies.ts'
import { unfinishedEnd } from './unfinished-copy.ts'

/** Throws INVALID_CONFIG if the folder cannot be read. Files that this process may not read are left out. */
export function listFiles(given: string): readonly StoredStore[] {
  let folder: string
  let files: readonly string[]
  try {
    folder = realpathSync.native(given)
    files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  } catch (error) {
    throw recallError('INVALID_CONFIG', `must be a folder that this process can read (${String(error)})`, {
      field: 'folder',
      value: given,
      hint: 'Create the folder, or give another one.',
    })
  }
  const all = new Set(files)
  const begun = files.flatMap((name) => (name.endsWith(revisionEnd) ? [name.slice(0, -revisionEnd.length)] : []))
  const found = [...new Set([...begun, ...files])].flatMap((name) => {
    const kind = all.has(name) && !isBeside(name, all) ? kindOf(join(folder, name)) : null
    return kind !== null || begun.includes(name) ? [{ name, isLocked: kind === 'locked' }] : []
  })
  return found
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .map(({ name, isLocked }) => ({
      name: join(folder, name),
      storage: 'file',
      bytes: ends.reduce((sum, end) => sum + (all.has(name + end) ? sizeOf(join(folder, name + end)) : 0), 0),
      missing: !all.has(name),
      ...(isLocked ? { locked: true } : {}),
    }))
}

/** Only a store has a file of this name next to it. */
const revisionEnd = '-revision'
const ends = ['', '-wal', '-journal', revisionEnd] as const

/** Whether a file belongs to another one: a journal can hold pages of a store. */
function isBeside(name: string, all: ReadonlySet<string>): boolean {
  return [...ends, unfinishedEnd].some((end) => end !== '' && name.endsWith(end) && all.has(name.slice(0, -end.length)))
}

/**
 * By the id in the header, or by the head of a locked file; if the first page is damaged, by the checksums of the next pages, which only stores
 * have. Null: it is not a store.
 */
function kindOf(path: string): 'store' | 'locked' | null {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    const pages = new Uint8Array(pageBytes * Math.min(mostPages, Math.floor(fstatSync(descriptor).size / pageBytes)))
    if (pages.length === 0 || readSync(descriptor, pages, 0, pages.length, 0) < pages.length) return null
    if (hasMagic(pages)) return 'locked'
    if (new DataView(pages.buffer).getUint32(applicationAt) === applicationId) return 'store'
    for (let number = 1; number * pageBytes < pages.length; number++)
      if (hasRightChecksum(pages.subarray(number * pageBytes, (number + 1) * pageBytes), number)) return 'store'
    return null
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}

const mostPages = 4
const applicationAt = 68

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
