/**
 * The victim: opens the store, says what it found, then takes steps and reports each one that was acknowledged, before it
 * takes the next. It never ends by itself. `early` is the control: it acknowledges what is not durable yet.
 */
import { RecallError } from '../../../src/core/model/errors.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { createEngineOver } from '../../../worker/engine.ts'
import { initSqlite } from '../../../worker/persistence/init-sqlite.ts'
import { openStorage } from '../../../worker/persistence/ladder.ts'
import type { OpenStorage } from '../../../worker/persistence/port.ts'
import { all, first } from '../../../worker/store/database.ts'
import { digestOf, stepAt } from './script.ts'

export interface Order {
  readonly name: string
  readonly storage: 'opfs' | 'indexeddb'
  readonly mode: 'shipped' | 'early'
  /** Steps that were reported so far. */
  readonly steps: number
}

export type Report =
  | { readonly type: 'opened'; readonly digest: string; readonly fault: string | null; readonly tookMs: number }
  | { readonly type: 'step'; readonly steps: number }
  | { readonly type: 'failed'; readonly code: string; readonly message: string }

const context = { now: Date.UTC(2026, 0, 1) }
const space = { name: 'torture', dimensions: 64 }

async function live(): Promise<void> {
  const order = (await (await fetch('/order')).json()) as Order
  const startedMs = performance.now()
  const opened = await openStorage(await initSqlite(), order)
  const storage = order.mode === 'early' ? acknowledgingEarly(opened) : opened
  const engine = createEngineOver(
    storage,
    {
      name: order.name,
      storage: order.storage,
      runtime: 'worker',
      policy: policies.balanced,
      stemmer: 'porter',
      metadataKeys: [],
      authority: null,
      autoLink: true,
      index: 'exact',
      space,
    },
    null,
  )
  await storage.flush?.()
  const tookMs = performance.now() - startedMs
  const ids = all(storage.database, 'SELECT id FROM records ORDER BY id', [], (row) => row.text(0))
  await report({ type: 'opened', digest: digestOf(ids), fault: faultOf(storage), tookMs })
  let steps = Number(await (await fetch(`/resume?digest=${encodeURIComponent(digestOf(ids))}`)).text())
  for (;;) {
    const step = stepAt(steps)
    if ('forget' in step) await engine.call('forget', { ids: [step.forget] }, context)
    else await engine.call('put', { batch: step.put.map(recordOf) }, context)
    steps += 1
    await report({ type: 'step', steps })
  }
}

/** Commits go to the disk some time later, as if nobody had to wait for them. */
function acknowledgingEarly(storage: OpenStorage): OpenStorage {
  const later = (work: () => unknown) => async () => void setTimeout(work, 300)
  return { ...storage, flush: later(() => storage.flush?.()), checkpoint: later(() => storage.flush?.()) }
}

function faultOf({ database }: OpenStorage): string | null {
  const integrity = first(database, 'PRAGMA integrity_check', [], (row) => row.text(0))
  if (integrity !== 'ok') return `integrity: ${integrity}`
  const count = (sql: string) => first(database, sql, [], (row) => row.number(0)) ?? 0
  const records = count('SELECT count(*) FROM records')
  for (const sql of [
    'SELECT count(*) FROM vectors',
    'SELECT count(*) FROM vector_codes',
    `SELECT count(*) FROM record_fts WHERE record_fts MATCH 'everywhere'`,
  ]) {
    if (count(sql) !== records) return `${sql}: ${count(sql)} of ${records}`
  }
  try {
    database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('integrity-check', 1)`)
  } catch (error) {
    return `FTS5: ${String(error)}`
  }
  return null
}

function recordOf(id: string) {
  const seed = [...id].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), 7)
  return {
    id,
    title: `the jay ${id}`,
    body: Array.from({ length: 150 }, (_, i) => `everywhere word${(seed >>> (i % 16)) % 997} ${i}`).join(' '),
    vectors: Float32Array.from({ length: space.dimensions }, (_, i) => ((seed * (i + 1)) % 101) - 50),
  }
}

async function report(what: Report): Promise<void> {
  await fetch('/report', { method: 'POST', body: JSON.stringify(what) })
}

live().catch((error: unknown) =>
  report({
    type: 'failed',
    code: error instanceof RecallError ? error.code : 'NOT_TYPED',
    message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
  }),
)
