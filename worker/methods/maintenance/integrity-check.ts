/**
 * integrityCheck: checks each part separately, so that damage in one does not hide damage in others. With `repair`, the parts
 * that are derived from records are rebuilt and checked again. The database file itself is never repaired: import an
 * export for that. Each step of a check is its own job in the write queue, so that reads and writes run between the steps. A
 * repair is one job with reads between its steps. A storage error rejects the whole call; it does not count as damage.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { IntegrityReport, IntegrityState } from '../../../src/core/model/receipts.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { isDamage } from '../../store/integrity/integrity.ts'
import type { CheckedPart, Store } from '../../store/port/store.ts'
import type { VectorIndex } from '../../vector/port.ts'
import { inSteps } from '../common/in-steps.ts'
import type { Ports } from '../common/ports.ts'

export interface IntegrityRequest {
  readonly repair?: boolean | undefined
}

/** In the order of dependence: text index and codes are derived from records. */
const parts = ['sqlite', 'derived', 'fts', 'vectors'] as const satisfies readonly CheckedPart[]

export async function integrityCheck(
  ports: Ports,
  { repair = false }: IntegrityRequest,
  signal: AbortSignal | undefined,
): Promise<IntegrityReport> {
  if (typeof repair !== 'boolean') {
    const hint = 'Give true or false, or leave it out.'
    throw recallError('INVALID_ARGUMENT', 'must be a boolean', { field: 'repair', value: repair, hint })
  }
  const problems: string[] = []
  const states = new Map<CheckedPart, IntegrityState>()
  // For progress only. Read from memory, because an SQL statement here could fail on damage outside of all parts.
  const records = Math.max(1, ports.store.statistics(null).records)
  for (const [i, part] of parts.entries()) {
    const tell = (done: number) => reportProgress(ports, i * records + Math.min(done, records), records)
    const watching = { signal, tell }
    tell(0)
    const faults = await check(ports, part, watching)
    problems.push(...faults.slice(0, mostProblems).map((problem) => `${part}: ${problem}`))
    if (faults.length === 0) states.set(part, part === 'vectors' && !hasVectors(ports) ? 'not built' : 'ok')
    else states.set(part, repair && (await isRepaired(ports, part, watching)) ? 'repaired' : 'damaged')
  }
  reportProgress(ports, parts.length * records, records)
  const state = (part: CheckedPart) => states.get(part)!
  return {
    ok: ![...states.values()].includes('damaged'),
    sqlite: state('sqlite'),
    fts: state('fts'),
    vectors: state('vectors'),
    derived: state('derived'),
    problems,
  }
}

function reportProgress({ emit }: Ports, done: number, records: number): void {
  emit({ type: 'progress', operation: 'integrityCheck', done, total: parts.length * records })
}

const mostProblems = 100

interface Watching {
  readonly signal: AbortSignal | undefined
  /** Called with the number of finished records of the part. */
  readonly tell: (done: number) => void
}

async function check(ports: Ports, part: CheckedPart, { signal, tell }: Watching): Promise<readonly string[]> {
  let store: Store | undefined
  let steps: Steps<readonly string[]> | undefined
  const next = (): IteratorResult<number, readonly string[]> => {
    try {
      if (steps === undefined || store !== ports.store) {
        // A write between two steps was rolled back and the store was rebuilt: check the part again from its beginning.
        store = ports.store
        steps = stepsOf(ports, part)
      }
      return steps.next()
    } catch (error) {
      if (isDamage(error)) return { done: true, value: [error.message] }
      throw error
    }
  }
  for (;;) {
    const step = await ports.writeQueue.write(next, signal)
    if (step.done === true) return step.value
    tell(step.value)
  }
}

function* stepsOf(ports: Ports, part: CheckedPart): Steps<readonly string[]> {
  const rows = yield* ports.store.check(part)
  // Damaged vectors cannot be compared with the index.
  return part === 'vectors' && rows.length === 0 ? yield* checkIndex(ports) : rows
}

async function isRepaired(ports: Ports, part: CheckedPart, watching: Watching): Promise<boolean> {
  if (part === 'sqlite') return false
  try {
    await ports.writeQueue.write(async () => {
      await inSteps(ports, ports.store.repair(part), { signal: watching.signal, tell: () => watching.tell(0) })
      if (part === 'vectors') refill(ports)
    }, watching.signal)
  } catch (error) {
    // A part cannot be rebuilt from records that cannot be read.
    if (isDamage(error)) return false
    throw error
  }
  return (await check(ports, part, watching)).length === 0
}

function hasVectors({ store, index }: Ports): boolean {
  const { current, otherSpaces } = store.vectorCounts()
  return index !== null || current + otherSpaces > 0
}

/** Compares the index with the stored vectors: each vector must find itself with a cosine of 1 within its margin. */
function* checkIndex(ports: Ports): Steps<readonly string[]> {
  const { store, index } = ports
  if (index === null) return []
  const keys = new Set<number>()
  let rows = 0
  for (const of of indexed)
    store.eachCode((key) => {
      keys.add(key)
      rows++
    }, of)
  if (index.rows() !== rows) return [`the index has ${index.rows()} vectors, the store has ${rows}`]
  let wrong = 0
  const pace = createPace()
  for (const key of keys) {
    if (pace.isDue(costs.read)) yield 0
    // The present index: a compaction may have replaced it.
    if (ports.index !== null && !findsItself(store, ports.index, key)) wrong++
  }
  return wrong === 0 ? [] : [`${wrong} records differ between index and store`]
}

/** True, too, for a record that was forgotten or got a new key meanwhile: it has no vectors under this key. */
function findsItself(store: Store, index: VectorIndex, key: number): boolean {
  let isFound = true
  const own = Uint32Array.of(key)
  store.vectorsOf(key, (vector) => {
    if (!isFound) return
    isFound = index.has(key)
    const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
    if (norm === 0 || !isFound) return
    const { estimates, margins } = index.estimate(
      vector.map((x) => x / norm),
      own,
    )
    isFound = estimates[0]! + margins[0]! >= 1 - slack
  })
  return isFound
}

/** Vectors of the space, and stand-in vectors. */
const indexed = ['own', 'standIn'] as const

/** Tolerance for float32 rounding of the norm. */
const slack = 1e-4

function refill({ store, index }: Ports): void {
  if (index === null) return
  index.clear()
  const codes = new Map<number, Uint8Array[]>()
  for (const of of indexed)
    store.eachCode((key, code) => {
      const own = codes.get(key)
      if (own === undefined) codes.set(key, [code.slice()])
      else own.push(code.slice())
    }, of)
  // Keys ascend.
  for (const [key, own] of [...codes].sort(([a], [b]) => a - b)) index.add(key, own)
}
