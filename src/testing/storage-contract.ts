/**
 * Tests what every kind of storage guarantees. The cases run in Node for `memory`, and in a browser's worker for the other kinds. A new
 * kind needs one line in each of the two places.
 */
import type { ContractCase } from './contract.ts'

/** Opens a store of the tested kind. The same name opens the same store. */
export type OpenStore = (name: string) => Promise<TestedStorage>

/** The part of a storage that the contract uses; the engine's own port has more. */
export interface TestedStorage {
  readonly kind: string
  readonly durability: string
  /** Texts that say what works less well than with the best kind. */
  readonly degraded: readonly string[]
  readonly database: TestedDatabase
  flush?(): Promise<void>
  checkpoint(): void | Promise<void>
  usage(): Promise<{
    readonly persisted: boolean | null
    readonly quotaBytes: number | null
    readonly usageBytes: number | null
  }>
  close(): Promise<void>
  destroy(): Promise<void>
}

export interface TestedDatabase {
  execute(sql: string, bind?: readonly (string | number | null | Uint8Array)[]): number
  each(sql: string, bind: readonly (string | number | null | Uint8Array)[], visit: (row: TestedRow) => void): void
  transaction<T>(work: () => T): T
}

/** A view of the current row; valid only during the visit. Columns count from 0. */
export interface TestedRow {
  number(column: number): number
  text(column: number): string
  bytes(column: number): Uint8Array
}

export const storageContract: readonly ContractCase<OpenStore>[] = [
  {
    name: '[P1] keeps what a transaction committed and nothing of one that threw',
    run: (open) =>
      using(open, 'transactions', async ({ database }) => {
        database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
        database.transaction(() => put(database, 1, 'kept'))
        let thrown: unknown
        try {
          database.transaction(() => {
            put(database, 2, 'half')
            throw new Error('stop')
          })
        } catch (error) {
          thrown = error
        }
        expectEqual(thrown instanceof Error && thrown.message, 'stop')
        expectEqual(texts(database), ['kept'])
      }),
  },
  {
    name: '[P1] finds committed rows again after close, or says beforehand that it will not',
    run: async (open) => {
      await using(open, 'reopen', async ({ database, durability, degraded }) => {
        expectEqual(durability === 'memory', degraded.length > 0)
        database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
        put(database, 1, 'committed')
      })
      await using(open, 'reopen', async ({ database, durability }) => {
        expectEqual(tableCount(database), durability === 'memory' ? 0 : 1)
        if (durability !== 'memory') expectEqual(texts(database), ['committed'])
      })
    },
  },
  {
    name: '[P1] flush can be called at any time, also when there is nothing to flush',
    run: (open) =>
      using(open, 'flushed', async ({ database, flush }) => {
        await flush?.()
        database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
        put(database, 1, 'flushed')
        await Promise.all([flush?.(), flush?.()])
        expectEqual(texts(database), ['flushed'])
      }),
  },
  {
    name: '[P2] a kind that keeps nothing says so',
    run: (open) =>
      using(open, 'words', async ({ kind, durability, degraded }) => {
        expectEqual(durability === 'memory', kind === 'memory')
        if (kind === 'memory') expectEqual(/nothing is kept/i.test(degraded.join(' ')), true)
      }),
  },
  {
    name: '[W3] hardened: secure_delete, foreign keys, untrusted schema, checked cells, 8 K pages',
    run: (open) =>
      using(open, 'pragmas', async ({ database }) => {
        const names = ['secure_delete', 'foreign_keys', 'trusted_schema', 'cell_size_check', 'page_size']
        const read = names.map((name) => rows(database, `PRAGMA ${name}`, (row) => row.number(0))[0])
        expectEqual(read, [1, 1, 0, 1, 8192])
      }),
  },
  {
    name: '[W3] checkpoint keeps the rows, also when it is called twice',
    run: (open) =>
      using(open, 'checkpoint', async ({ database, checkpoint }) => {
        database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
        put(database, 1, 'still here')
        await checkpoint()
        await checkpoint()
        expectEqual(texts(database), ['still here'])
      }),
  },
  {
    name: 'text with NUL, lone surrogates, emoji and a 2 MB blob come back as they went in',
    run: (open) =>
      using(open, 'values', async ({ database }) => {
        const blob = Uint8Array.from({ length: 2_000_000 }, (_, i) => (i * 31) & 0xff)
        database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
        database.execute('INSERT INTO rows VALUES (?, ?, ?)', [1, 'a\0b 🐦 é', blob])
        expectEqual(texts(database), ['a\0b 🐦 é'])
        const [back] = rows(database, 'SELECT bytes FROM rows', (row) => row.bytes(0))
        expectEqual(back?.length === blob.length && back.every((byte, i) => byte === blob[i]), true)
      }),
  },
  {
    name: 'each name of 1 to 128 characters names a store of its own',
    run: async (open) => {
      const pair = '\ud83d\udc26'
      const names = ['a/b', 'a\\b', '..', '.', 'a', 'A', 'ä', 'a\u0308', pair, '\ud83d', '\udc26', ' ', 'x'.repeat(128)]
      const opened: TestedStorage[] = []
      try {
        for (const [i, name] of names.entries()) {
          const storage = await open(name)
          opened.push(storage)
          expectEqual(tableCount(storage.database), 0, `the store ${JSON.stringify(name)} is not new`)
          storage.database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
          put(storage.database, 1, `store ${i}`)
        }
        for (const [i, { database }] of opened.entries()) expectEqual(texts(database), [`store ${i}`])
      } finally {
        for (const storage of opened) await storage.destroy()
      }
    },
  },
  {
    name: 'destroy removes the store, close twice is harmless',
    run: async (open) => {
      const storage = await open('destroyed')
      storage.database.execute('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)')
      await storage.destroy()
      await storage.close()
      await using(open, 'destroyed', async ({ database }) => expectEqual(tableCount(database), 0))
    },
  },
  {
    name: 'usage answers with figures or null, never throws',
    run: (open) =>
      using(open, 'usage', async ({ usage }) => {
        const { persisted, quotaBytes, usageBytes } = await usage()
        expectEqual(persisted === null || typeof persisted === 'boolean', true)
        for (const bytes of [quotaBytes, usageBytes]) expectEqual(bytes === null || bytes >= 0, true)
      }),
  },
]

async function using(open: OpenStore, name: string, work: (storage: TestedStorage) => Promise<void>): Promise<void> {
  const storage = await open(name)
  try {
    await work(storage)
  } finally {
    await storage.close()
  }
}

function put({ execute }: TestedDatabase, id: number, text: string): void {
  execute('INSERT INTO rows VALUES (?, ?, NULL)', [id, text])
}

function texts(database: TestedDatabase): readonly string[] {
  return rows(database, 'SELECT text FROM rows ORDER BY id', (row) => row.text(0))
}

function tableCount(database: TestedDatabase): number {
  return rows(database, 'SELECT count(*) FROM sqlite_schema', (row) => row.number(0))[0] ?? -1
}

function rows<T>(database: TestedDatabase, sql: string, map: (row: TestedRow) => T): readonly T[] {
  const mapped: T[] = []
  database.each(sql, [], (row) => mapped.push(map(row)))
  return mapped
}

function expectEqual(actual: unknown, expected: unknown, problem = 'not as promised'): void {
  const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== shouldBe) throw new Error(`${problem}: got ${is}, expected ${shouldBe}`)
}
