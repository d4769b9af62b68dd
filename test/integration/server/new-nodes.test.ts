/** Tests the database that a node begins with: a copy of an empty one, which is equal to a migrated one but for its device. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openOverBlocks } from '../../../worker/node/open-over-blocks.ts'
import { fillWithSchema } from '../../../worker/replica/empty-store.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { migrate } from '../../../worker/store/migrate.ts'
import type { StoreSettings } from '../../../worker/store/migrations/migration.ts'
import { dump } from '../../support/stores/dump.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'
import { openNode } from '../../support/stores/open-node.ts'

const emptyDatabase = async () => (await openMemory(await initSqlite(), '')).database
const deviceOf = (database: SqliteDatabase) =>
  first(database, `SELECT value FROM settings WHERE name = 'device'`, [], (row) => row.text(0))

afterEach(() => void vi.restoreAllMocks())

describe('the database of a new node', () => {
  it('is that of a migrated store, whichever settings the one before had', async () => {
    const settings: Partial<StoreSettings>[] = [
      {},
      { stemmer: 'none' },
      { metadataKeys: ['lang'] },
      { languages: ['de', 'en'] },
      {},
    ]
    for (const requested of settings) {
      const [migrated, made, copied] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()]
      migrate(migrated, requested)
      for (const database of [made, copied]) fillWithSchema(database, requested)
      expect(dump(made)).toBe(dump(migrated))
      expect(dump(copied)).toBe(dump(migrated))
      for (const pragma of ['user_version', 'application_id'])
        expect(first(copied, `PRAGMA ${pragma}`, [], (row) => row.number(0))).toBe(
          first(migrated, `PRAGMA ${pragma}`, [], (row) => row.number(0)),
        )
      expect(new Set([migrated, made, copied].map(deviceOf)).size).toBe(3)
    }
  })

  it('takes at most a quarter of a megabyte, because a server has many small stores', async () => {
    const options = { ...engineOptions, name: 'small' }
    const node = await openOverBlocks(options, null, undefined, { blocks: memoryBlocks() })
    const kept = await node.closeAndKeep()
    expect(kept!.database.length).toBeGreaterThan(0)
    expect(kept!.database.length).toBeLessThan(2 ** 18)
  })
})

describe('a node without memory for a copy of its database', () => {
  it('closes, and leaves nothing to open again', async () => {
    const { node, call } = await openNode(memoryBlocks())
    await call('put', { batch: [{ id: 'a', body: 'An acorn' }] })
    const { capi } = await initSqlite()
    vi.spyOn(capi, 'sqlite3_js_db_export').mockImplementation(() => {
      throw new Error('out of memory')
    })
    expect(await node.closeAndKeep({ now: 1 })).toBeNull()
    await expect(call('count', { scope: {} })).rejects.toMatchObject({ code: 'CLOSED' })
  })
})
