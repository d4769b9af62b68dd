/**
 * Loads SQLite once per thread: silent, and with none of the storage layers that Scrubjay does not use.
 * It also keeps the last failure each VFS reported, because SQLite itself passes on a bare SQLITE_IOERR.
 */
import sqlite3InitModule, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { recallError } from '../../src/core/model/errors.ts'

export interface SqliteInitOptions {
  /** Where `sqlite3.wasm` lies. Default: beside the bundled module. */
  readonly wasmUrl?: string | URL | undefined
}

/** Resolves to the one SQLite of this thread; later calls ignore their options. Rejects with STORAGE_UNAVAILABLE. */
export function initSqlite(options: SqliteInitOptions = {}): Promise<Sqlite3Static> {
  loading ??= load(options).catch((error: unknown) => {
    loading = undefined
    throw recallError('STORAGE_UNAVAILABLE', `SQLite could not be loaded: ${String(error)}`, {
      cure: 'Check that sqlite3.wasm is served and that the policy of the page allows wasm-unsafe-eval.',
    })
  })
  return loading
}

/** The error the VFS of this name reported last, once; undefined when there is none. */
export function takeVfsFailure(vfsName: string): unknown {
  const failure = vfsFailures.get(vfsName)
  vfsFailures.delete(vfsName)
  return failure
}

let loading: Promise<Sqlite3Static> | undefined
const vfsFailures = new Map<string, unknown>()

async function load({ wasmUrl }: SqliteInitOptions): Promise<Sqlite3Static> {
  // The package reads its configuration from this global, once, and deletes it: it has no other door.
  Object.assign(globalThis, { sqlite3ApiConfig: configuration })
  const moduleOptions = {
    print: ignore,
    printErr: ignore,
    ...(wasmUrl === undefined ? {} : { locateFile: () => String(wasmUrl) }),
  }
  try {
    return await (sqlite3InitModule as (options: object) => Promise<Sqlite3Static>)(moduleOptions)
  } finally {
    Reflect.deleteProperty(globalThis, 'sqlite3ApiConfig')
  }
}

const ignore = () => undefined

const configuration = {
  debug: ignore,
  log: ignore,
  warn: ignore,
  // The pool reports as ('<vfs name>:', error); this is the only place where the browser's own error is to be had.
  error: (source: unknown, failure: unknown) => {
    if (typeof source === 'string' && source.endsWith(':')) vfsFailures.set(source.slice(0, -1), failure)
  },
  // 'opfs' needs COOP/COEP, 'opfs-wl' asynchronous waits, 'kvvfs' localStorage: none may ever answer by accident.
  disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-wl': true } },
}
