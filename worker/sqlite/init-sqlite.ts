/**
 * Loads SQLite once per thread: silent, and with none of the storage layers that Scrubjay does not use.
 * It also keeps the last failure each VFS reported, because SQLite itself passes on a bare SQLITE_IOERR.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { loadSqliteWasm, refuse } from './load-sqlite-wasm.ts'
import { sqlite3InitModule } from './sqlite-module.ts'

export interface SqliteInitOptions {
  /** Where `sqlite3.wasm` lies. Default: beside the bundled module. */
  readonly wasmUrl?: string | URL | undefined
}

/** Resolves to the one SQLite of this thread; later calls ignore their options. Rejects with STORAGE_UNAVAILABLE. */
export function initSqlite(options: SqliteInitOptions = {}): Promise<Sqlite3Static> {
  loading ??= load(options).catch((error: unknown) => {
    loading = undefined
    throw error
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
  const wasm = await loadSqliteWasm(wasmUrl === undefined ? undefined : String(wasmUrl))
  // The package reads its configuration from this global, once, and deletes it: it has no other door.
  Object.assign(globalThis, { sqlite3ApiConfig: configuration })
  try {
    return await start(wasm)
  } finally {
    Reflect.deleteProperty(globalThis, 'sqlite3ApiConfig')
  }
}

/** The instance is made here: SQLite's own loader prints its failures, with advice for those who build it. */
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
  // The pool reports as ('<vfs name>:', error); this is the only place where the browser's own error is to be had.
  error: (source: unknown, failure: unknown) => {
    if (typeof source === 'string' && source.endsWith(':')) vfsFailures.set(source.slice(0, -1), failure)
  },
  // 'opfs' needs COOP/COEP, 'opfs-wl' asynchronous waits, 'kvvfs' localStorage: none may ever answer by accident.
  disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-wl': true } },
}
