/** [G7] Tests that evidence does not fall when equal or agreeing records are added, in random small stores. */
import { expect, it, test } from 'vitest'
import { withoutAgreeing } from '../../../src/core/evidence/agreeing.ts'
import { evidenceOf, strengthOrder } from '../../../src/core/evidence/evidence.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { select } from '../../../src/core/select/select.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { staticEmbedder } from '../../../src/embedders/index.ts'
import { ownTables } from '../../../src/embedders/static-embedder.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const table = staticEmbedder()
const modes = ['words', 'vectors'] as const
const open = (mode: (typeof modes)[number]) =>
  mode === 'words'
    ? openEngine()
    : openEngine({ space: { name: table.space, dimensions: table.dimensions } }, ownTables({}))

const parts = [
  'the starter',
  'a bicycle',
  'every twelve hours',
  'the garden gate',
  'feed',
  'my sister',
  'oil the chain',
  'water',
]
const questions = [
  'how often do I feed the starter?',
  'who has a bicycle?',
  'the garden gate',
  'what does my sister water?',
]
const textOf = (random: Random) => Array.from({ length: 2 + random.below(5) }, () => random.pick(parts)).join(' ')

test.each(modes)('[G7] copies of the best record never lower it, with %s', async (mode) => {
  let [fell, improbable] = [0, 0]
  const { call } = await open(mode)
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const random = createRandom(900 + seed)
    const project = `${seed}`
    const text = questions[seed % questions.length]!
    const batch = Array.from({ length: 1 + random.below(8) }, (_, i) => ({
      id: `${seed} r${i}`,
      body: textOf(random),
      project,
    }))
    await call('put', { batch, findContradictions: false })
    const ask = async () => call('recall', { query: { text, capture: true, collapse: 'none', scope: { project } } })
    let { evidence, hits } = await ask()
    const best = hits[0]?.record
    if (best === undefined) continue
    for (const copies of [1, 2, 5, 9]) {
      const added = Array.from({ length: copies }, (_, i) => ({
        id: `${seed} copy ${copies} ${i}`,
        body: best.body,
        project,
      }))
      await call('put', { batch: added, findContradictions: false })
      const after = await ask()
      expect(strengthOrder[after.evidence.strength], `${text}, seed ${seed}, ${copies} copies`).toBeGreaterThanOrEqual(
        strengthOrder[evidence.strength],
      )
      // Weights are rounded, and the probability is.
      expect(after.evidence.probability, `${text}, seed ${seed}`).toBeGreaterThanOrEqual(evidence.probability - 0.001)
      const counted = plain(after)
      if (strengthOrder[counted.strength] < strengthOrder[evidence.strength]) fell++
      if (counted.probability < evidence.probability - 0.001) improbable++
      ;({ evidence, hits } = after)
    }
  }
  await call('close', {})
  // Control: counted like other records, copies lower it.
  expect(fell).toBeGreaterThan(0)
  expect(improbable).toBeGreaterThan(0)
})

test('[G7] the records that may agree with the best are the same under every limit, however many copies it has', async () => {
  const { call } = await open('words')
  const copies = Array.from({ length: 40 }, (_, i) => ({
    id: `copy ${i}`,
    body: 'Feed the starter every twelve hours.',
  }))
  const others = Array.from({ length: 40 }, (_, i) => ({
    id: `other ${i}`,
    body: `Feed the starter, said ${'and repeated '.repeat(i)}number ${i}.`,
  }))
  await call('put', { batch: [...copies, ...others], findContradictions: false })
  const text = 'feed the starter every twelve hours'
  const query = { text, limit: 100, capture: true, collapse: 'none' } as const
  const { plan, facts } = (await call('recall', { query })).facts as unknown as CapturedFacts
  const nextUnder = (limit: number) => {
    const { value, done } = select({ ...plan, limit }, facts).next()
    if (done !== true) throw new Error('every record must have been read')
    return value.next.map((row) => facts.candidates.ids[row]).sort()
  }
  const next = nextUnder(1)
  expect(next.filter((id) => id?.startsWith('copy'))).toHaveLength(39)
  expect(next.filter((id) => id?.startsWith('other'))).toHaveLength(11)
  for (const limit of [2, 10, 50, 100]) expect(nextUnder(limit), `limit ${limit}`).toEqual(next)
})

/** As if nothing were known of its terms and copies. */
function plain({
  facts: captured,
  hits,
}: {
  readonly facts?: unknown
  readonly hits: readonly { readonly id: string }[]
}) {
  const { facts } = captured as CapturedFacts
  const row = facts.candidates.ids.indexOf(hits[0]!.id)
  const lexical = facts.lexical === null ? null : { ...facts.lexical, terms: undefined }
  const best = { row, score: 1, at: 0, id: hits[0]!.id }
  return evidenceOf({ ...facts, lexical }, { first: best, second: undefined }, policies.balanced.evidence)
}

it.each(modes)('[G7] pages that say the same under other names keep it, with %s', async (mode) => {
  const page = (name: string) => ({
    title: `${name} guide`,
    body: `${name}\n\nFeed the starter every twelve hours at 24 degrees.`,
  })
  for (const text of ['how often do I feed the starter?', 'starter']) {
    const { call } = await open(mode)
    await call('put', { batch: [page('Sourdough')] })
    const { evidence: alone } = await call('recall', { query: { text } })
    for (const name of ['Bicycle', 'Garden']) {
      await call('put', { batch: [page(name)] })
      const { evidence } = await call('recall', { query: { text } })
      expect(strengthOrder[evidence.strength], `${text}, ${name}`).toBeGreaterThanOrEqual(strengthOrder[alone.strength])
    }
    expect(alone.strength).not.toBe('none')
    await call('close', {})
  }
})

test('[G7] more agreeing records than hold a word are not left out of its statistics', () => {
  const same = [1, 1, 1, 1, 1]
  const facts = {
    lexical: { terms: { weights: [1], frequencies: [2] }, idfs: [1], meanLength: 5 },
    records: new Map(),
    scopeRecords: 10,
    vector: null,
    duplicates: new Map([[0, [1, 2, 3, 4]]]),
    candidates: { coverage: same, matched: same, lexical: same, cosineLow: same.map(() => Number.NaN) },
  }
  const measured = [...withoutAgreeing(facts as never, 0, [1, 2, 3, 4])]
  expect(measured.map(({ records }) => records)).toEqual([9, 8])
  for (const { coverage } of measured) expect(coverage).toBeGreaterThan(0)
})
