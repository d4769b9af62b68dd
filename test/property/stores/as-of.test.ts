/** Random lives of a store with history: asked as of each of their moments, it answers as it did then. */
import { expect, test } from 'vitest'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createRandom } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import { otherPolicies } from '../../support/stores/every-policy.ts'
import { ids, live, space } from '../../support/stores/history-life.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const seeds = Array.from({ length: sized(3) }, (_, i) => 4100 + i)
const questions: readonly RecallQuery[] = [
  { text: 'jay acorn' },
  { text: 'nest', scope: { project: 'wren' }, limit: 3 },
  { text: 'winter oak', vector: createRandom(5).vector(8), limit: 20 },
  { text: 'feather', scope: { tags: { any: ['oak', 'jay'] } } },
  ...otherPolicies.map(([, policy]): RecallQuery => ({ policy, text: 'wren jay', limit: 12 })),
]

/** What an answer says, without the revision that its receipt covers. */
async function answersOf({ call }: TestEngine, at: number, of: (query: RecallQuery) => RecallQuery): Promise<string[]> {
  const answers: string[] = []
  for (const query of questions) {
    const { hits, evidence, warnings, ledger } = await call('recall', { query: of({ ...query, ledger: true }) }, at)
    answers.push(canonicalJson({ hits, evidence, warnings, ledger }))
  }
  const { formatted, records } = await call('assemble', { query: of({ text: 'acorn nest' }) as never }, at)
  answers.push(canonicalJson({ formatted, records }))
  answers.push(canonicalJson(await call('why', { query: of({ text: 'jay acorn' }), id: ids[3]! }, at)))
  return answers
}

async function lived(seed: number, history: boolean) {
  const engine = await openEngine({ space, history })
  const moments = new Map<number, readonly string[]>()
  await live(engine, seed, 30, async (at, step) => {
    if (step % 5 === 2) moments.set(at, await answersOf(engine, at, (query) => query))
  })
  return { engine, moments }
}

test.each(seeds)('[H4] life %i: as of each moment, the store answers as it did then', async (seed) => {
  const { engine, moments } = await lived(seed, true)
  const later = 9e12
  for (const [at, expected] of createRandom(seed).shuffled([...moments])) {
    const answers = await answersOf(engine, later, (query) => ({ ...query, asOf: at }))
    expect(answers.flatMap((answer, i) => (answer === expected[i] ? [] : [`question ${i} as of ${at}`]))).toEqual([])
  }
})

test('[H4] control: a store without history answers otherwise', async () => {
  const { engine, moments } = await lived(seeds[0]!, false)
  let differing = 0
  for (const [at, expected] of moments) {
    const answers = await answersOf(engine, at, (query) => ({ ...query, asOf: at }))
    differing += answers.filter((answer, i) => answer !== expected[i]).length
  }
  expect(differing).toBeGreaterThan(moments.size)
})
