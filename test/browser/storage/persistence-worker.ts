/**
 * The worker of the persistence tests: opens stores with the shipped code and runs the commands of the page on them.
 * Each request names one of the commands below; the answer is its value, or the code and message of its error.
 */
import { RecallError, recallError } from '../../../src/core/model/errors.ts'
import { storageContract } from '../../../src/testing/storage-contract.ts'
import type { Engine } from '../../../worker/engine/engine.ts'
import { all, first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openStorage, type StorageRequest } from '../../../worker/storage/choose-storage.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { readLocation, writeLocation } from '../../../worker/storage/common/storage-location.ts'
import { directoryName, rootDirectory } from '../../../src/protocol/store-directory.ts'
import { databaseName, openIndexedDb } from '../../../worker/storage/indexeddb/indexeddb.ts'
import { openOpfs, removeOpfs } from '../../../worker/storage/opfs/opfs.ts'
import { plantAndForget } from '../../support/plant-and-forget.ts'

let storage: OpenStorage | undefined
let engine: Engine | undefined

const commands = {
  async open(name: string, kind: StorageRequest['storage'] = 'opfs') {
    const startedMs = performance.now()
    storage = await openStorage(initSqlite(), { name, storage: kind })
    return { kind: storage.kind, degraded: storage.degraded, tookMs: performance.now() - startedMs }
  },
  /** As if its file were not served. */
  async openWithoutSqlite(name: string, kind: StorageRequest['storage']) {
    const missing = recallError('STORAGE_UNAVAILABLE', 'SQLite could not be loaded')
    await openStorage(Promise.reject(missing), { name, storage: kind })
  },
  /** Rows of text, blob and FTS; one transaction. */
  async put(from: number, to: number, bytes = 100) {
    const { database } = opened()
    createSchema()
    database.transaction(() => {
      for (let id = from; id < to; id++) {
        database.execute('INSERT INTO rows VALUES (?, ?, ?)', [
          id,
          `row ${id} of the test`,
          new Uint8Array(bytes).fill(id & 0xff),
        ])
      }
    })
    await opened().flush?.()
  },
  /** Writes transactions of 1 MB until one fails; returns the error and the acknowledged rows. */
  async fill(from: number) {
    let id = from
    try {
      for (; id < from + 64; id++) await commands.put(id, id + 1, 1_000_000)
    } catch (error) {
      return { acknowledged: id - from, error: describe(error) }
    }
    return { acknowledged: id - from, error: null }
  },
  async plant(texts: readonly string[]) {
    createSchema()
    const { database } = opened()
    database.transaction(() => {
      for (const [i, text] of texts.entries())
        database.execute('INSERT INTO rows VALUES (?, ?, ?)', [1_000 + i, text, null])
    })
    await opened().flush?.()
  },
  /** Text that must be found nowhere afterwards. */
  async plantAndForget(seed: number) {
    const planted = await plantAndForget(opened(), seed)
    engine = planted.engine
    return planted.needles
  },
  closeEngine: () => engine?.call('close', {}, { now: 0 }),
  execute: (sql: string) => opened().database.execute(sql),
  pragma: (name: string) => first(opened().database, `PRAGMA ${name}`, [], (row) => row.text(0)),
  state() {
    const { database } = opened()
    return {
      ids: all(database, 'SELECT id FROM rows ORDER BY id', [], (row) => row.number(0)),
      found: first(database, `SELECT count(*) FROM search WHERE search MATCH 'test'`, [], (row) => row.number(0)),
      integrity: first(database, 'PRAGMA integrity_check', [], (row) => row.text(0)),
      fts: database.execute(`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`) >= 0,
    }
  },
  checkpoint: () => opened().checkpoint(),
  usage: () => opened().usage(),
  close: () => opened().close(),
  destroy: () => opened().destroy(),
  async remove(name: string) {
    await writeLocation(name, { kind: null })
    await removeOpfs(name)
  },
  /** How often the needles occur in the bytes of every file of a store, and the number of those bytes. */
  async scan(name: string, needles: readonly string[]) {
    let found = 0
    let bytes = 0
    for (const file of await filesOf(await storeDirectory(name))) {
      const content = new Uint8Array(await (await file.getFile()).arrayBuffer())
      bytes += content.length
      const text = new TextDecoder('latin1').decode(content)
      for (const needle of needles) found += text.split(needle).length - 1
    }
    return { found, bytes }
  },
  files: async (name: string) =>
    Promise.all((await filesOf(await storeDirectory(name))).map(async (file) => (await file.getFile()).size)),
  stores: async () => {
    const names: string[] = []
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(rootDirectory, { create: true })
    for await (const name of root.keys()) names.push(name)
    return names
  },
  /** Changes the file that holds the SQLite database, at rest. */
  async damage(name: string, how: 'empty' | 'foreign' | 'header' | 'missing') {
    const pool = await (await (await storeDirectory(name)).getDirectoryHandle('pool')).getDirectoryHandle('.opaque')
    for (const file of await filesOf(pool)) {
      const handle = await file.createSyncAccessHandle()
      const start = new Uint8Array(14)
      handle.read(start, { at: 0 })
      const isDatabase = new TextDecoder().decode(start) === '/store.sqlite\0'
      if (isDatabase && how === 'empty') handle.truncate(4096)
      if (isDatabase && how === 'foreign') handle.write(new TextEncoder().encode('not a database at all'), { at: 4096 })
      if (isDatabase && how === 'header') handle.write(Uint8Array.of(0x5a), { at: 518 })
      handle.flush()
      handle.close()
      if (isDatabase && how === 'missing') await pool.removeEntry(file.name)
    }
  },
  /** Makes the n-th opening of a handle in this worker fail once, as Safari does at random. */
  failHandle(nth: number) {
    const original = FileSystemFileHandle.prototype.createSyncAccessHandle
    let count = 0
    FileSystemFileHandle.prototype.createSyncAccessHandle = function (this: FileSystemFileHandle) {
      count += 1
      return count === nth ? Promise.reject(new DOMException('by chance', 'InvalidStateError')) : original.call(this)
    }
  },
  /** Removes an interface of the platform from this worker. */
  forbid(...names: readonly ('opfs' | 'indexedDB' | 'caches' | 'locks')[]) {
    for (const name of names) {
      if (name === 'opfs')
        Object.defineProperty(FileSystemFileHandle.prototype, 'createSyncAccessHandle', { value: undefined })
      else if (name === 'locks') Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
      else Object.defineProperty(self, name, { value: undefined, configurable: true })
    }
  },
  location: (name: string) => readLocation(name),
  /** Damage that IndexedDB sometimes has after a browser is killed. */
  vanish: (name: string) =>
    new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(databaseName(name))
      request.onsuccess = () => resolve()
      request.onerror = () => reject(request.error)
    }),
  databases: async () => (await indexedDB.databases()).map(({ name }) => name),
  /** The keys of a store in IndexedDB, and how often the needles occur in its values. */
  async scanIdb(name: string, needles: readonly string[] = []) {
    const values = await readIdb(name)
    let found = 0
    for (const [, value] of values) {
      const text = value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : ''
      for (const needle of needles) found += text.split(needle).length - 1
    }
    return { found, keys: values.map(([key]) => key) }
  },
  /** Changes one value at rest. */
  async damageIdb(name: string, key: string, how: 'flip' | 'cut' | 'remove') {
    const stored = (await readIdb(name)).find(([one]) => one === key)?.[1] as Uint8Array<ArrayBuffer>
    const value = how === 'cut' ? stored.slice(0, stored.length >> 1) : stored.slice()
    if (how === 'flip') value[value.length >> 1] = value[value.length >> 1]! ^ 4
    const database = await openRaw(name)
    const transaction = database.transaction('bytes', 'readwrite')
    if (how === 'remove') transaction.objectStore('bytes').delete(key)
    else transaction.objectStore('bytes').put(value, key)
    await new Promise<void>((resolve) => {
      transaction.oncomplete = () => resolve()
    })
    database.close()
  },
  /** Claims a store like another tab that ignores locks. */
  async usurp(name: string) {
    const database = await openRaw(name)
    const transaction = database.transaction('bytes', 'readwrite')
    transaction.objectStore('bytes').put('somebody else', 'owner')
    await new Promise<void>((resolve) => {
      transaction.oncomplete = () => resolve()
    })
    database.close()
  },
  contractNames: () => storageContract.map(({ name }) => name),
  async contract(name: string, kind: 'opfs' | 'indexeddb' = 'opfs') {
    const sqlite3 = await initSqlite()
    const open = kind === 'opfs' ? openOpfs : openIndexedDb
    await storageContract.find((one) => one.name === name)?.run((store) => open(sqlite3, store))
  },
}

function openRaw(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName(name))
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function readIdb(name: string): Promise<readonly (readonly [string, unknown])[]> {
  const database = await openRaw(name)
  const store = database.transaction('bytes').objectStore('bytes')
  const ask = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
  const [keys, values] = await Promise.all([ask(store.getAllKeys()), ask(store.getAll())])
  database.close()
  return keys.map((key, i) => [String(key), values[i]])
}

function opened(): OpenStorage {
  if (!storage) throw new Error('no store is open')
  return storage
}

function createSchema(): void {
  const { database } = opened()
  for (const sql of [
    'CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)',
    `CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(text, content='rows', content_rowid='id', tokenize='porter unicode61')`,
    `INSERT INTO search (search, rank) VALUES ('secure-delete', 1)`,
    'CREATE TRIGGER IF NOT EXISTS rows_in AFTER INSERT ON rows BEGIN INSERT INTO search (rowid, text) VALUES (new.id, new.text); END',
    `CREATE TRIGGER IF NOT EXISTS rows_out BEFORE DELETE ON rows BEGIN INSERT INTO search (search, rowid, text) VALUES ('delete', old.id, old.text); END`,
  ]) {
    database.execute(sql)
  }
}

async function storeDirectory(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(rootDirectory)
  return root.getDirectoryHandle(directoryName(name))
}

async function filesOf(directory: FileSystemDirectoryHandle): Promise<FileSystemFileHandle[]> {
  const files: FileSystemFileHandle[] = []
  for await (const handle of directory.values()) {
    if (handle.kind === 'file') files.push(handle)
    else files.push(...(await filesOf(handle)))
  }
  return files
}

function describe(error: unknown) {
  const code = error instanceof RecallError ? error.code : 'NOT_TYPED'
  return { code, message: error instanceof Error ? error.message : String(error) }
}

// Requests are answered one after the other: a second one must not start while the first one waits.
let last: Promise<unknown> = Promise.resolve()
self.onmessage = ({ data: [command, ...args] }: MessageEvent<[keyof typeof commands, ...unknown[]]>) => {
  last = last.then(async () => {
    try {
      self.postMessage({ value: await (commands[command] as (...values: unknown[]) => unknown)(...args) })
    } catch (error) {
      self.postMessage({ error: describe(error) })
    }
  })
}
