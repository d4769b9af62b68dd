/** Fills a store until the browser grants no more space, and checks what is left. One command at a time. */
import { RecallError } from '../../../src/core/model/errors.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openStorage } from '../../../worker/storage/choose-storage.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'

export interface Filled {
  /** Records of puts that were acknowledged. */
  readonly acknowledged: number
  readonly code: string | null
  readonly message: string
}

export interface Looked {
  readonly records: number
  /** Records whose text or vector is not found. */
  readonly notFound: number
  readonly problems: readonly string[]
}

let engine: Engine | undefined
const context = { now: Date.UTC(2026, 0, 1) }
const space = { name: 'torture', dimensions: 512 }

const commands = {
  async open(name: string, kind: 'opfs' | 'indexeddb' = 'opfs') {
    const storage = await openStorage(await initSqlite(), { name, storage: kind })
    try {
      engine = createEngineOver(storage, { ...options, name, storage: kind }, null)
    } catch (error) {
      await storage.close()
      throw error
    }
  },
  /** Puts batches of `perPut` until one fails or `most` records are stored. */
  async fill(from: number, most: number, perPut: number): Promise<Filled> {
    for (let at = from; at < most; at += perPut) {
      const batch = Array.from({ length: Math.min(perPut, most - at) }, (_, i) => recordOf(at + i))
      try {
        await opened().call('put', { batch }, context)
      } catch (error) {
        const code = error instanceof RecallError ? error.code : 'NOT TYPED'
        return { acknowledged: at - from, code, message: String(error) }
      }
    }
    return { acknowledged: most - from, code: null, message: '' }
  },
  async look(count: number): Promise<Looked> {
    const { problems } = await opened().call('integrityCheck', {}, context)
    const records = await opened().call('count', { scope: {} }, context)
    let notFound = 0
    for (let from = 0; from < count; from += 100) {
      const numbers = Array.from({ length: Math.min(100, count - from) }, (_, i) => from + i)
      const found = await opened().call('get', { ids: numbers.map((number) => `r${number}`) }, context)
      notFound += numbers.filter((number, i) => found[i]?.body !== recordOf(number).body).length
    }
    return { records, notFound, problems }
  },
  /** The number of forgotten records. */
  async forget(numbers: readonly number[]): Promise<number> {
    const { forgotten } = await opened().call('forget', { ids: numbers.map((number) => `r${number}`) }, context)
    return forgotten.length
  },
  async forgetScope(): Promise<number> {
    const { forgotten } = await opened().call('forget', { scope: { project: 'full' } }, context)
    return forgotten.length
  },
  isForgotten: async (number: number) => (await opened().call('verifyForgotten', { id: `r${number}` }, context)).clean,
  recall: async (text: string) =>
    (await opened().call('recall', { query: { text, limit: 5 } }, context)).hits.map((hit) => hit.id),
  compact: () => opened().call('compact', {}, context),
  /** Bytes of an export. */
  async exported(): Promise<number> {
    let bytes = 0
    for (let part = 0, isLast = false; !isLast; part++) {
      const answer = await opened().call('exportPart', { export: 'full', part }, context)
      bytes += answer.bytes.length
      isLast = answer.isLast
    }
    await opened().call('endExport', { export: 'full' }, context)
    return bytes
  },
  usage: async () => (await navigator.storage.estimate()).usage ?? 0,
  /** The control: a store without a reserve, as before it existed. */
  keepNoRoom() {
    const { truncate, write } = FileSystemSyncAccessHandle.prototype
    FileSystemSyncAccessHandle.prototype.write = function (this: FileSystemSyncAccessHandle, source, at) {
      return source.byteLength === 1 ? 1 : write.call(this, source, at)
    }
    FileSystemSyncAccessHandle.prototype.truncate = function (this: FileSystemSyncAccessHandle, size) {
      if (size <= this.getSize()) truncate.call(this, size)
    }
  },
  /** Another database takes the rest of the quota, to the last bytes. */
  async addBallast() {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('ballast')
      request.onupgradeneeded = () => void request.result.createObjectStore('all', { autoIncrement: true })
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    for (let bytes = 1 << 18; bytes >= 1; bytes >>= 1) {
      const value = new Uint8Array(bytes)
      for (let at = 0; at < bytes; at += 1 << 16) crypto.getRandomValues(value.subarray(at, at + (1 << 16)))
      while (
        await new Promise<boolean>((resolve) => {
          const transaction = database.transaction('all', 'readwrite')
          transaction.objectStore('all').put(value)
          transaction.oncomplete = () => resolve(true)
          transaction.onabort = () => resolve(false)
        })
      );
    }
    database.close()
  },
  close: () => opened().call('close', {}, context),
  destroy: () => opened().call('destroy', {}, context),
  /** The control: a disk that reports success for writes it has no space for. */
  lie() {
    const { truncate, write } = FileSystemSyncAccessHandle.prototype
    FileSystemSyncAccessHandle.prototype.write = function (this: FileSystemSyncAccessHandle, source, at) {
      try {
        write.call(this, source, at)
      } catch {
        // Silently dropped.
      }
      return source.byteLength
    }
    // A store that reserves space asks for it here, before it writes.
    FileSystemSyncAccessHandle.prototype.truncate = function (this: FileSystemSyncAccessHandle, size) {
      try {
        truncate.call(this, size)
      } catch {
        // Silently dropped.
      }
    }
  },
}

const options: Parameters<typeof createEngineOver>[1] = {
  ...engineOptions,
  name: '',
  storage: 'opfs',
  runtime: 'worker',
  space,
}

function opened(): Engine {
  if (engine === undefined) throw new Error('no store is open')
  return engine
}

/** About 6 kB in the store; from number 1,000,000 on about 20 kB of text. */
function recordOf(number: number) {
  const words = Array.from(
    { length: number < 1_000_000 ? 300 : 3_000 },
    (_, i) => `word${Math.imul(number + 1, i + 7) % 997}`,
  )
  return {
    id: `r${number}`,
    project: 'full',
    body: words.join(' '),
    vectors: Float32Array.from({ length: space.dimensions }, (_, i) => (((number + 1) * (i + 3)) % 101) - 50),
  }
}

let last: Promise<unknown> = Promise.resolve()
self.onmessage = ({ data: [command, ...args] }: MessageEvent<[keyof typeof commands, ...unknown[]]>) => {
  last = last.then(async () => {
    try {
      self.postMessage({ value: (await (commands[command] as (...values: unknown[]) => unknown)(...args)) ?? null })
    } catch (error) {
      const code = error instanceof RecallError ? error.code : 'NOT TYPED'
      self.postMessage({ error: { code, message: error instanceof Error ? error.message : String(error) } })
    }
  })
}
