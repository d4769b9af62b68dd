/**
 * T10: clocks that jump ten years either way, stop, repeat a millisecond or return no valid time. Red when a write
 * with an invalid time is accepted or changes anything, when the last write does not win, when the log is in another
 * order than the revisions, when a score is not finite or out of order under any policy, and when the control, which
 * orders by the clock instead of the revision, still passes.
 */
import { parseArgs } from 'node:util'
import { RecallError } from '../../../src/core/model/errors.ts'
import type { RecallResult } from '../../../src/core/model/result.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { totalChanges } from '../../support/stores/dump.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { type Outcome, print, seedsFrom } from '../outcome.ts'

const tenYearsMs = 10 * 365.25 * 86_400_000
const stepsPerRun = 40
const dimensions = 8
const noTimes = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 9e15, -9e15]

interface Tried {
  readonly faults: readonly string[]
  readonly scores: number
  /** The clock would have put the log, or the records, in another order. */
  readonly isClockWrong: boolean
}

/** `--runs`, `--from` the first seed; `--seed` runs one again. */
export async function runClocks(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
    },
  })
  const first = Number(values.seed ?? values.from)
  const count = values.seed === undefined ? Number(values.runs) : 1
  const tried: Tried[] = []
  for (let seed = first; seed < first + count; seed++) {
    const one = await runOne(seed)
    tried.push(one)
    for (const fault of one.faults)
      print(`  seed ${seed}: ${fault}\n  replay: node test/torture/run.mjs t10 --seed ${seed}`)
  }
  const wrong = tried.filter(({ faults }) => faults.length > 0).length
  const clockWrong = tried.filter(({ isClockWrong }) => isClockWrong).length
  return {
    isGreen: wrong === 0 && clockWrong > 0,
    size: `${count} runs of ${stepsPerRun} steps`,
    seeds: seedsFrom(first, count),
    result: `${tried.reduce((sum, { scores }) => sum + scores, 0)} scores finite and in order, ${wrong} runs wrong`,
    control: `by the clock ${clockWrong} of ${count} are wrong`,
    browsers: '',
  }
}

async function runOne(seed: number): Promise<Tried> {
  const random = createRandom(seed)
  const opened = await openOver({ space: { name: 'eight', dimensions } })
  const { call, database } = opened
  const clock = createClock(random)
  const faults: string[] = []
  const bodies = new Map<string, string>()
  const newest = new Map<string, { readonly at: number; readonly body: string }>()
  let revision = 0

  for (let step = 0; step < stepsPerRun; step++) {
    const now = clock()
    const id = `r${random.below(12)}`
    const kind = random.below(10)
    const body = `the jay hides acorn ${step} ${random.below(1e6)}`
    if (random.below(6) === 0) {
      await refuses(opened, random, faults)
      continue
    }
    if (kind < 6) {
      const vectors = random.vector(dimensions)
      const receipt = await call('put', { batch: [{ id, body, vectors, importance: random.pick([0, 1, 1e6]) }] }, now)
      if (receipt.revision <= revision) faults.push(`step ${step}: revision ${receipt.revision} after ${revision}`)
      revision = receipt.revision
      bodies.set(id, body)
      if (now >= (newest.get(id)?.at ?? Number.NEGATIVE_INFINITY)) newest.set(id, { at: now, body })
    } else if (kind === 6) {
      await call('forget', { ids: [id] }, now)
      bodies.delete(id)
      newest.delete(id)
    } else if (kind === 7 && bodies.size > 1) {
      const [a = '', b = ''] = random.shuffled([...bodies.keys()])
      await call('link', { a, b, weight: 0.5 }, now)
    } else if (bodies.has(id)) {
      await call('acknowledge', { of: [id], outcomes: { [id]: random.pick(['acted', 'dismissed']) } }, now)
    }
    const { revision: found } = await call('status', {})
    if (found < revision) faults.push(`step ${step}: the store went back from revision ${revision} to ${found}`)
    revision = found
  }

  const isSame = (records: Iterable<readonly [string, string]>, stored: ReadonlyMap<string, string | null>) =>
    [...records].every(([id, body]) => stored.get(id) === body)
  const ids = [...bodies.keys()]
  const records = await call('get', { ids })
  const stored = new Map(ids.map((id, i) => [id, records[i]?.body ?? null]))
  if (!isSame(bodies, stored)) faults.push('the last write is missing')
  if ((await call('count', { scope: {} })) !== bodies.size) faults.push('there are other records')
  const log = await call('events', {})
  const isRising = log.every((event, i) => {
    const before = log[i - 1]
    return before === undefined || (event.sequence > before.sequence && event.revision >= before.revision)
  })
  if (!isRising) faults.push('the log is not in the order of the revisions')
  const { ok, problems } = await call('integrityCheck', {})
  if (!ok) faults.push(...problems)

  let scores = 0
  for (const [name, policy] of everyPolicy) {
    for (const now of [clock(), startOfTime - tenYearsMs, startOfTime + tenYearsMs]) {
      const result = await call(
        'recall',
        { query: { text: 'jay acorn', vector: random.vector(dimensions), policy, limit: 50 } },
        now,
      )
      scores += result.hits.length
      for (const fault of faultsOf(result)) faults.push(`${name} at ${now}: ${fault}`)
    }
  }
  const byClock = newestBodies(newest)
  const isLogWrong = log.some((event, i) => event.at < (log[i - 1]?.at ?? Number.NEGATIVE_INFINITY))
  await call('close', {})
  void database
  return { faults, scores, isClockWrong: isLogWrong || !isSame(byClock, stored) }
}

function newestBodies(newest: ReadonlyMap<string, { readonly body: string }>): readonly (readonly [string, string])[] {
  return [...newest].map(([id, { body }]) => [id, body])
}

async function refuses({ call, database }: OpenedOver, random: Random, faults: string[]): Promise<void> {
  const now = random.pick(noTimes)
  const before = totalChanges(database)
  try {
    await call('put', { batch: [{ id: 'never', body: 'never' }] }, now)
    faults.push(`a put at ${now} was taken`)
  } catch (error) {
    const isTyped = error instanceof RecallError && error.code === 'INVALID_ARGUMENT' && error.field === 'now'
    if (!isTyped) faults.push(`a put at ${now} threw ${String(error)}`)
  }
  if (totalChanges(database) !== before) faults.push(`a put at ${now} changed something`)
}

function faultsOf({ hits }: RecallResult): readonly string[] {
  return hits.flatMap(({ id, score, contributions }, i) => {
    const before = hits[i - 1]
    return [
      ...(Number.isFinite(score) ? [] : [`the score of ${id} is ${score}`]),
      ...contributions
        .filter(({ value, amount }) => !Number.isFinite(value) || !Number.isFinite(amount))
        .map(({ signal, amount }) => `${signal} of ${id} is ${amount}`),
      ...(before !== undefined && before.score < score ? [`${id} is behind a lower score`] : []),
    ]
  })
}

function createClock(random: Random): () => number {
  let now = startOfTime
  let frozen = 0
  return () => {
    if (frozen > 0) {
      frozen -= 1
      return now
    }
    const kind = random.below(6)
    if (kind === 0) now = startOfTime + (random.next() * 2 - 1) * tenYearsMs
    else if (kind === 1) now += random.pick([-1, 1]) * tenYearsMs
    else if (kind === 2) frozen = random.below(6)
    else if (kind > 3) now += random.below(100_000)
    // Repeated jumps of ten years must stay within the range of times.
    if (Math.abs(now - startOfTime) > 3 * tenYearsMs) now = startOfTime
    now = Math.round(now)
    return now
  }
}
