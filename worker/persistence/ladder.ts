/**
 * Chooses where a store lives. A kind named by the caller is opened or refused; `auto` takes the first that really
 * works and says why the better ones did not. It never leaves a store that is busy, damaged or missing for an empty one.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { RecallError, recallError } from '../../src/core/model/errors.ts'
import { openMemory } from './memory.ts'
import { openOpfs } from './opfs.ts'
import type { OpenStorage, StorageKind } from './port.ts'

export interface StorageRequest {
  readonly name: string
  readonly storage: 'auto' | OpenStorage['kind']
}

/** Opens a store. Only STORAGE_UNAVAILABLE moves `auto` down a rung; every other error is the caller's to hear. */
export async function openStorage(sqlite3: Sqlite3Static, { name, storage }: StorageRequest): Promise<OpenStorage> {
  if (storage !== 'auto') return kinds[storage](sqlite3, name)
  const refusals: string[] = []
  for (const kind of autoOrder) {
    try {
      const opened = await kinds[kind](sqlite3, name)
      return { ...opened, degraded: [...refusals, ...opened.degraded] }
    } catch (error) {
      if (!(error instanceof RecallError) || error.code !== 'STORAGE_UNAVAILABLE') throw error
      refusals.push(`No ${kind} storage: ${error.message}`)
    }
  }
  throw recallError('STORAGE_UNAVAILABLE', `no storage works here: ${refusals.join(' ')}`)
}

const openIndexedDb: StorageKind = async () => {
  throw recallError('STORAGE_UNAVAILABLE', 'IndexedDB storage comes with a later version', {
    cure: 'Ask for "auto", "opfs" or "memory".',
  })
}

const kinds: Readonly<Record<OpenStorage['kind'], StorageKind>> = {
  opfs: openOpfs,
  indexeddb: openIndexedDb,
  memory: openMemory,
}

/** Best first. IndexedDB takes its place in the middle once it can keep something. */
const autoOrder: readonly OpenStorage['kind'][] = ['opfs', 'memory']
