/**
 * Loads SQLite once per thread, without console output and without the storage layers that Scrubjay does not use.
 * Also keeps the last failure of each VFS, because SQLite itself reports only SQLITE_IOERR.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { loadSqliteWasm, refuse } from './load-sqlite-wasm.ts'
import { sqlite3InitModule } from './sqlite-module.ts'

export interface SqliteInitOptions {
  /** The URL of `sqlite3.wasm`. Default: next to the bundled module. */
  readonly wasmUrl?: string | URL | undefined
}

/** Resolves to this thread's SQLite; only the first call's options count. Rejects with STORAGE_UNAVAILABLE. */
export function initSqlite(options: SqliteInitOptions = {}): Promise<Sqlite3Static> {
  loading ??= load(options).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Returns and removes the last error that the VFS of this name reported; undefined if there is none. */
export function takeVfsFailure(vfsName: string): unknown {
  const failure = vfsFailures.get(vfsName)
  vfsFailures.delete(vfsName)
  return failure
}

let loading: Promise<Sqlite3Static> | undefined
const vfsFailures = new Map<string, unknown>()

async function load({ wasmUrl }: SqliteInitOptions): Promise<Sqlite3Static> {
  const wasm = await loadSqliteWasm(wasmUrl === undefined ? undefined : String(wasmUrl))
  // The package reads its configuration only from this global, once, and then deletes it.
  Object.assign(globalThis, { sqlite3ApiConfig: configuration })
  try {
    return await start(wasm)
  } finally {
    Reflect.deleteProperty(globalThis, 'sqlite3ApiConfig')
  }
}

/** Creates the instance itself, because SQLite's loader prints failures with advice for people who build SQLite. */
function start(wasm: WebAssembly.Module): Promise<Sqlite3Static> {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      use: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      WebAssembly.instantiate(wasm, imports)
        .catch((error: unknown) => refuse(error))
        .then((instance) => use(instance, wasm))
        .catch(reject)
    }
    const moduleOptions = { print: ignore, printErr: ignore, instantiateWasm }
    ;(sqlite3InitModule as (options: object) => Promise<Sqlite3Static>)(moduleOptions).then(resolve, reject)
  })
}

const ignore = () => undefined

const configuration = {
  debug: ignore,
  log: ignore,
  warn: ignore,
  // The pool VFS reports failures as ('<vfs name>:', error). The browser's own error is available only here.
  error: (source: unknown, failure: unknown) => {
    if (typeof source === 'string' && source.endsWith(':')) vfsFailures.set(source.slice(0, -1), failure)
  },
  // 'opfs' needs COOP/COEP, 'opfs-wl' asynchronous waits, 'kvvfs' localStorage. None of them may be used by accident.
  disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-wl': true } },
}
