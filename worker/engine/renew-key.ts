/**
 * Encrypts an open locked store again with a new data key. The record of its locks first gets the new key next to the old one, then every page is written
 * again in short commits, and at last the old key leaves the record. A kill at any moment leaves a store that opens with the same locks; the next call
 * continues.
 */
import type { OpenKeys } from '../lock/port.ts'
import { type Database, first } from '../sqlite/database.ts'
import type { OpenStorage } from '../storage/common/port.ts'
import type { Engine } from './engine.ts'

export interface RenewingEngine {
  readonly inTurn: Engine['inTurn']
  keys(storage: OpenStorage): OpenKeys
  /** Stores the record of these keys, which take the place of the present ones. */
  save(storage: OpenStorage, keys: OpenKeys): Promise<void>
}

export async function renewKey(engine: RenewingEngine, signal: AbortSignal | undefined): Promise<void> {
  const { inTurn } = engine
  const step = () =>
    inTurn(async ({ storage }) => {
      const { keys, apply } = await engine.keys(storage).renew()
      await engine.save(storage, keys)
      apply()
    })
  if (!(await inTurn(({ storage }) => engine.keys(storage).isRenewing))) await step()
  let done = 0
  for (let total = 1; done < total; done += pagesAtOnce) {
    signal?.throwIfAborted()
    total = await inTurn(async ({ storage, emit }) => {
      const { database } = storage
      const count = first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
      database.transaction(() => writeAgain(database, done + 1, done + pagesAtOnce))
      emit({ type: 'progress', operation: 'compact', done: Math.min(done, count), total: count })
      return count
    })
  }
  // Then no journal and no earlier copy has the old key.
  await inTurn(({ storage }) => storage.checkpoint())
  await step()
}

const pagesAtOnce = 64

/** SQLite writes a page that was set, also to what it was. */
function writeAgain(database: Database, from: number, to: number): void {
  database.undefended(() =>
    database.execute('UPDATE sqlite_dbpage SET data = data WHERE pgno BETWEEN ? AND ?', [from, to]),
  )
}
