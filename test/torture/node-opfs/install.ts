/**
 * Gives Node the browser interfaces that the shipped OPFS storage needs: those of the file system, over the current
 * fake disk.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { FakeOpfs } from '../t3/fake-opfs.ts'

/** Needs the hook of use-browser-sqlite.mjs. One SQLite for the whole process. */
export async function installOpfs(): Promise<Sqlite3Static> {
  class Handle {}
  class FileHandle extends Handle {
    createSyncAccessHandle() {}
  }
  Object.assign(globalThis, {
    FileSystemHandle: Handle,
    FileSystemDirectoryHandle: Handle,
    FileSystemFileHandle: FileHandle,
    WorkerGlobalScope: Object,
    location: { href: 'http://localhost/' },
  })
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'))
  const sqlite3 = await initSqlite({ wasmUrl: `data:application/wasm;base64,${wasm.toString('base64')}` })
  if (!('installOpfsSAHPoolVfs' in sqlite3)) throw new Error('this build of SQLite has no OPFS layer')
  return sqlite3
}

/** From now on `navigator.storage` is this disk. */
export function useDisk(disk: FakeOpfs): void {
  const navigator = { storage: { getDirectory: () => disk.getDirectory() } }
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: navigator })
}
