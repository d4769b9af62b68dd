/**
 * Opens only the store, in memory, for functions that no method uses yet: written as `put`, `patch` and `forget` do,
 * without vectors.
 */
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { planWrite } from '../../../src/core/ingest/plan-write.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { patched } from '../../../worker/methods/records/patch.ts'
import { atOnce } from '../../../worker/scheduling/steps.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import type { Committed } from '../../../worker/store/port/committed.ts'
import { createSqliteStore, type SqliteStore } from '../../../worker/store/sqlite-store.ts'
import { startOfTime } from './open-engine.ts'

export interface OpenedStore {
  readonly store: SqliteStore
  put(batch: readonly RecordInput[], now?: number): Committed
  patch(id: string, fields: Partial<RecordInput>, now?: number): Committed
  /** Another store over the same rows, with everything derived again. */
  again(): SqliteStore
}

export async function openStore(): Promise<OpenedStore> {
  const { database } = await openMemory(await initSqlite(), 'test')
  const open = () => createSqliteStore(database, { stemmer: 'porter', metadataKeys: [] })
  const store = open()
  const put = (batch: readonly RecordInput[], now = startOfTime): Committed => {
    const parsed = batch.map((input) => parseRecord(input))
    const existing = store.existing(parsed.map(({ id }) => id))
    const prepared = parsed.map((record) => ({ record, vectors: [], spans: [], vectorsHash: null }))
    return atOnce(store.commit(planWrite(prepared, existing, now).writes))
  }
  return { store, put, patch: (id, fields, now) => put([patched(store, id, fields)], now), again: open }
}
