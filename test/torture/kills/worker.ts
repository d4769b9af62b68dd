/**
 * The victim: opens the store, reports what it found, then takes steps through the shipped client and reports each
 * acknowledged step, and each slice of one, before it goes on. It never ends by itself. `early` is the control: it
 * acknowledges writes that are not durable yet.
 */
import type { Recall } from '../../../src/client/api/recall.ts'
import { RecallError } from '../../../src/core/model/errors.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import { all, first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openStorage } from '../../../worker/storage/choose-storage.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { connect } from '../../support/scripted-engine.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import type { Progress } from './judge.ts'
import { digestOf, isLongId, lineOf, longTag, type Step, slicesOf, stepAt, type Written } from './script.ts'

export interface Order {
  readonly name: string
  readonly storage: 'opfs' | 'indexeddb'
  readonly mode: 'shipped' | 'early'
  /** Records that exist before the first step and never change. */
  readonly base: number
  /** The progress reported so far; null: the store was not created yet. */
  readonly progress: Progress | null
}

export type Report =
  | {
      readonly type: 'opened'
      readonly digest: string
      readonly fault: string | null
      /** From the first access of the storage to an engine that answers; null where the store was created. */
      readonly tookMs: number | null
    }
  | { readonly type: 'step'; readonly steps: number }
  /** So many slices of the next step, after so many steps. */
  | ({ readonly type: 'slice' } & Progress)
  | { readonly type: 'failed'; readonly code: string; readonly message: string }

const context = { now: Date.UTC(2026, 0, 1) }
const space = { name: 'torture', dimensions: 64 }

async function live(): Promise<void> {
  const order = (await (await fetch('/order')).json()) as Order
  const sqlite3 = await initSqlite()
  const startedMs = performance.now()
  const opened = await openStorage(sqlite3, order)
  const storage = order.mode === 'early' ? acknowledgingEarly(opened) : opened
  const engine = createEngineOver(storage, optionsOf(order), null)
  await storage.flush?.()
  const tookMs = performance.now() - startedMs
  if (order.progress === null) await putBase(engine, order.base)
  // The initial records must be durable in the control, too: it is to lose acknowledged steps.
  if (order.progress === null && order.mode === 'early') await pause(3 * earlyMs)
  let written: (() => Promise<void>) | null = null
  const { recall } = await connect(
    told(engine, async () => written?.()),
    {
      // The operation ids of one victim differ from those of the next.
      clientId: crypto.randomUUID(),
      now: () => context.now,
      deadlineMs: 600_000,
    },
  )
  await report({
    type: 'opened',
    digest: digestOf(linesIn(storage)),
    fault: faultOf(storage, order.base) ?? (isCheckedWhole(order) ? await faultFoundBy(recall) : null),
    tookMs: order.progress === null ? null : tookMs,
  })
  let { steps, slices } = (await (await fetch('/resume')).json()) as Progress
  for (;;) {
    const step = stepAt(steps)
    const before = slices
    let writes = 0
    written = async () => {
      writes += 1
      // A repeated scope continues after the forgotten records. Records and ids are all sent again.
      slices = 'forget' in step && step.by === 'scope' ? before + writes : Math.max(before, writes)
      if (slices < slicesOf(step)) await report({ type: 'slice', steps, slices })
    }
    await take(recall, step)
    written = null
    slices = 0
    steps += 1
    await report({ type: 'step', steps })
  }
}

/** The same engine. `written` is called with each transaction before the client is. */
function told(engine: Engine, written: () => Promise<void>): Engine {
  return {
    ...engine,
    async call(method, request, given) {
      const answer = await engine.call(method, request, given)
      if (method === 'put' || method === 'forget') await written()
      return answer
    },
  }
}

async function take(recall: Recall, step: Step): Promise<void> {
  if ('put' in step) await recall.put(step.put.map(recordOf), { atomic: step.isAtomic })
  else await recall.forget(step.by === 'ids' ? step.forget : { tags: { any: [longTag] } })
}

function optionsOf({ name, storage }: Order): Parameters<typeof createEngineOver>[1] {
  return {
    ...engineOptions,
    name,
    storage,
    runtime: 'worker',
    space,
  }
}

async function putBase(engine: Engine, count: number): Promise<void> {
  const batchSize = 500
  for (let from = 0; from < count; from += batchSize) {
    const length = Math.min(batchSize, count - from)
    const batch = Array.from({ length }, (_, i) => recordOf({ id: `base-${from + i}`, step: 0 }))
    await engine.call('put', { batch }, context)
  }
}

/** ms by which the control's acknowledgements precede their commits. */
const earlyMs = 1_000

/**
 * Commits reach the disk some time later, as if no caller waited for them. OPFS commits by itself: there the control
 * keeps one transaction open over many steps.
 */
function acknowledgingEarly(storage: OpenStorage): OpenStorage {
  if (storage.flush) {
    const later = (work: () => unknown) => async () => void setTimeout(work, earlyMs)
    return { ...storage, flush: later(() => storage.flush?.()), checkpoint: later(() => storage.flush?.()) }
  }
  // Without the note of the acknowledged end, which would reveal the loss at the opening, and without read connections:
  // they would not see uncommitted rows.
  const { acknowledged: _noted, openReader: _reader, ...rest } = storage
  const { database } = storage
  database.execute('BEGIN')
  setInterval(() => {
    database.execute('COMMIT')
    database.execute('BEGIN')
  }, earlyMs)
  const joined = {
    ...database,
    begin: () => ({ commit: () => undefined, rollback: () => undefined }),
    transaction: <T>(work: () => T) => work(),
    reading: <T>(work: () => T) => work(),
  }
  return { ...rest, database: joined, checkpoint: () => undefined }
}

/** The records that the steps left, without the initial ones. */
function linesIn({ database }: OpenStorage): readonly string[] {
  return all(database, `SELECT title FROM records WHERE id LIKE 'r%'`, [], (row) => row.text(0)).toSorted()
}

function faultOf({ database }: OpenStorage, base: number): string | null {
  const integrity = first(database, 'PRAGMA integrity_check', [], (row) => row.text(0))
  if (integrity !== 'ok') return `integrity: ${integrity}`
  const count = (sql: string) => first(database, sql, [], (row) => row.number(0)) ?? 0
  const kept = count(`SELECT count(*) FROM records WHERE id LIKE 'base-%'`)
  if (kept !== base) return `${kept} of ${base} records from the beginning are left`
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

/**
 * The store's own check takes seconds in a large store: it runs after a kill between slices, and otherwise every
 * fourth step.
 */
function isCheckedWhole({ progress }: Order): boolean {
  return progress !== null && (progress.slices > 0 || progress.steps % 4 === 0)
}

/** The report of the store's own check, beyond SQLite's. */
async function faultFoundBy(recall: Recall): Promise<string | null> {
  const checked = await recall.integrityCheck()
  return checked.ok ? null : `integrityCheck: ${JSON.stringify(checked)}`
}

/** Records of long puts are short: their number makes them long. */
function recordOf({ id, step }: Written): RecordInput {
  const line = lineOf(id, step)
  const seed = [...line].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), 7)
  return {
    id,
    title: line,
    tags: isLongId(id) ? [longTag] : [],
    body: Array.from(
      { length: isLongId(id) ? 12 : 150 },
      (_, i) => `everywhere word${(seed >>> (i % 16)) % 997} ${i}`,
    ).join(' '),
    vectors: Float32Array.from({ length: space.dimensions }, (_, i) => ((seed * (i + 1)) % 101) - 50),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
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
