/** A random life of a store with history: writes of every kind, each at its own time. */
import { RecallError } from '../../../src/core/model/errors.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { createRandom, type Random } from '../data/random.ts'
import { startOfTime, type TestEngine } from './open-engine.ts'

export const space = { name: 'eight', dimensions: 8 }
const words = ['jay', 'acorn', 'nest', 'winter', 'oak', 'feather', 'wren']
export const ids = Array.from({ length: 12 }, (_, i) => (i === 0 ? 'r\u00000' : `r${i}`))

/** Runs `steps` writes, and calls `after` with the time of each. */
export async function live(
  { call }: TestEngine,
  seed: number,
  steps: number,
  after: (at: number, step: number) => Promise<void>,
): Promise<void> {
  const random = createRandom(seed)
  let at = startOfTime
  for (let step = 0; step < steps; step++) {
    at += random.pick([1, 7, 3_600_000, 86_400_000 * 3])
    await write(call, random, at, step).catch((error: unknown) => {
      // A link of a record with itself, or with one that is not stored yet.
      if (!(error instanceof RecallError && error.code === 'INVALID_ARGUMENT')) throw error
    })
    await after(at, step)
  }
}

async function write(call: TestEngine['call'], random: Random, at: number, step: number): Promise<unknown> {
  const [a, b] = [random.pick(ids), random.pick(ids)]
  const dice = random.below(12)
  if (dice < 4) return call('put', { batch: [record(random, a, at, step), record(random, b, at, step)] }, at)
  if (dice < 5)
    return call('patch', { id: a, fields: { importance: 1 + random.below(5), tags: [random.pick(words)] } }, at)
  if (dice < 6) return call('patch', { id: a, fields: { status: 'superseded', supersededBy: b } }, at)
  if (dice < 8) {
    const { hits, receipt } = await call('recall', { query: { text: random.pick(words), limit: 3 } }, at)
    const outcome = random.pick(['acted', 'used', 'dismissed', 'contradicted'] as const)
    return call('acknowledge', { of: receipt, outcomes: Object.fromEntries(hits.map(({ id }) => [id, outcome])) }, at)
  }
  if (dice < 9) return call('link', { a, b, weight: 0.1 + random.below(9) / 10 }, at)
  if (dice < 10) return call('weakenLinks', { factor: 0.5 }, at)
  if (dice < 11) return call('predict', { id: a, expected: random.below(9) / 9 }, at)
  return call('strengthen', { a, b, delta: 0.2 }, at)
}

function record(random: Random, id: string, at: number, step: number): RecordInput {
  const body = Array.from({ length: 2 + random.below(8) }, () => random.pick(words)).join(' ')
  return {
    id,
    body: `${body} step${step}`,
    project: random.pick(['wren', null]),
    tags: [random.pick(words)],
    ...(random.below(4) === 0 ? { validUntil: at + random.pick([5, 86_400_000]) } : {}),
    ...(random.below(6) === 0 ? { createdAt: at - 1_000_000 } : {}),
    ...(random.below(2) === 0 ? { vectors: [random.vector(8)] } : {}),
  }
}
