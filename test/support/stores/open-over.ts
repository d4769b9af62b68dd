/**
 * Opens an engine over an in-memory database that the test holds, too: to look at rows, to break things, to open it
 * again. `reopen` builds a second engine over the same bytes, which derives everything again.
 */
import type { EmbeddingPort, EngineOptions } from '../../../src/protocol/engine-options.ts'
import type { Timers } from '../../../src/protocol/timers.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { engineOptions } from './engine-options.ts'
import { asHandedOn, startOfTime, type TestEngine } from './open-engine.ts'

export interface OpenedOver extends TestEngine {
  readonly database: SqliteDatabase
  reopen(options?: Partial<EngineOptions>, embedding?: EmbeddingPort | null): OpenedOver
}

export async function openOver(
  options: Partial<EngineOptions> = {},
  embedding: EmbeddingPort | null = null,
  prepare: (database: SqliteDatabase) => void = () => undefined,
  timers?: Timers,
): Promise<OpenedOver> {
  const storage = await openMemory(await initSqlite(), 'test')
  prepare(storage.database)
  const over = (changed: Partial<EngineOptions>, port: EmbeddingPort | null): OpenedOver => {
    const engine = createEngineOver(storage, { ...engineOptions, ...changed }, port, undefined, undefined, { timers })
    return {
      engine,
      database: storage.database,
      reopen: (other = {}, otherPort = port) => over({ ...changed, ...other }, otherPort),
      async call(method, request, now = startOfTime) {
        const answer = await engine.call(method, request, { now })
        return asHandedOn(method, answer)
      },
    }
  }
  return over(options, embedding)
}

/** The store with another device id, opened again. The id is otherwise random. */
export function asDevice(opened: OpenedOver, device: string): OpenedOver {
  opened.database.execute(`UPDATE settings SET value = ? WHERE name = 'device'`, [device])
  return opened.reopen()
}
