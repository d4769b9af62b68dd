/**
 * [S2] [S4] Tests collapsing of near-duplicates: which records are collapsed, which never are, and that no limit
 * affects it.
 */
import { describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { Ranked } from '../../src/core/order/order.ts'
import type { CapturedFacts } from '../../src/core/replay.ts'
import { collapse } from '../../src/core/select/collapse.ts'
import { createRandom } from '../support/data/random.ts'
import { sizedSeeds } from '../support/data/sized.ts'
import { everyPolicy } from '../support/stores/every-policy.ts'
import { openEngine, startOfTime } from '../support/stores/open-engine.ts'

const space = { name: 'eight', dimensions: 8 }
const light = ['the', 'please', 'really', 'well', 'hi,', 'so', 'just', 'very', 'note:']

async function answer(batch: readonly RecordInput[], query: RecallQuery) {
  const { call } = await openEngine({ space })
  await call('put', { batch })
  return call('recall', { query: { collapse: 'near', limit: 100, ...query } })
}

describe('two records', () => {
  const pair = async (a: string, b: string, tier: string | null = null) => {
    const batch = [
      { id: 'a', body: a },
      { id: 'b', body: b, authorityTier: tier },
    ]
    const { hits } = await answer(batch, { text: 'jay' })
    return hits.map(({ collapsed }) => collapsed.length)
  }

  it.each([
    ['The jay hides its acorns below the old oak', 'the jay hides its acorns below the old oak.'],
    ['The jay hides its acorns below the old oak', 'Hi, the jay really hides its acorns below an old oak'],
    ['It is a jay, and it is blue', "It's a jay and it's blue"],
  ])('[S2] say the same: %s | %s', async (a, b) => {
    expect(await pair(a, b)).toEqual([1])
    // Control: exact collapsing folds only equal contents.
    const { hits } = await answer([{ body: a }, { body: b }], { text: 'jay', collapse: 'exact' })
    expect(hits).toHaveLength(2)
  })

  it.each([
    ['invoice 1041 of the jay was paid', 'invoice 1042 of the jay was paid'],
    ['the jay is at home in the old oak', 'the jay is not at home in the old oak'],
    ['the jay isn’t at home in the old oak', 'the jay is at home in the old oak'],
    ['Alice saw the jay below the old oak', 'Bob saw the jay below the old oak'],
    ['the jay came on 2026-05-01 at noon', 'the jay came on 2026-05-02 at noon'],
    ['the jay broke src/nest.ts again', 'the jay broke src/nests.ts again'],
    ['two jays sit in the old oak', 'three jays sit in the old oak'],
  ])('[S2] say two things: %s | %s', async (a, b) => {
    expect(await pair(a, b)).toEqual([0, 0])
  })

  it('[S2] of different authority tiers stay apart, whatever they say', async () => {
    expect(await pair('the jay is blue', 'the jay is really blue', 'canon')).toEqual([0, 0])
  })

  it.each(['exact', 'near'] as const)('[S2] that are exact copies stay apart by tier: %s', async (collapse) => {
    const copy = (id: string, authorityTier: string | null) => ({ id, body: 'the jay is blue', authorityTier })
    const batch = [copy('a', null), copy('b', 'canon'), copy('c', 'draft'), copy('d', 'canon')]
    const { hits } = await answer(batch, { text: 'jay', collapse })
    expect(hits.map(({ id, collapsed }) => [id, collapsed]).sort()).toEqual([
      ['a', []],
      ['c', []],
      ['d', ['b']],
    ])
  })
})

const texts = [
  'jay hides acorns below old oak near river before winter comes',
  'jay hides acorns below old oak near lake before winter comes',
  'invoice 1041 for jay feeders was paid by Alice in full last week',
  'invoice 1042 for jay feeders was paid by Alice in full last week',
  'jay does not hide acorns below old oak near river before winter comes',
]

describe.each(sizedSeeds(1, 1))('a hundred wordings of each of five texts, seed %i', async (seed) => {
  const random = createRandom(seed)
  const { call } = await openEngine({ space })
  const vectors = texts.map(() => random.vector(8))
  const batch = Array.from({ length: 100 * texts.length }, (_, i): RecordInput => {
    const of = i % texts.length
    const words = texts[of]!.split(' ')
    for (let n = random.below(4); n > 0; n--) words.splice(random.below(words.length), 0, random.pick(light))
    const vector = vectors[of]!
    return {
      id: `${of} ${i}`,
      body: words.join(' ') + random.pick(['', '.', '!']),
      authorityTier: random.below(4) === 0 ? 'canon' : null,
      updatedAt: startOfTime - random.below(50),
      vectors: vector.map((x) => x + (random.next() - 0.5) / 50),
    }
  })
  await call('put', { batch })
  const queries: RecallQuery[] = [
    { text: 'jay acorns winter' },
    { text: 'jay Alice invoice', vector: vectors[0]! },
    { vector: vectors[2]! },
  ]

  it.each(everyPolicy)(
    '[S4] a larger limit only appends, with the same records collapsed into each, under %s',
    async (_name, policy) => {
      for (const asked of queries) {
        const query = { ...asked, policy, collapse: 'near' as const }
        const {
          hits: most,
          ledger,
          evidence: known,
        } = await call('recall', { query: { ...query, limit: 1000, ledger: true } })
        for (const limit of [1, 2, 3, 4, 5, 7, 10, 20, 60]) {
          const { hits, evidence } = await call('recall', { query: { ...query, limit } })
          expect(hits, `${limit}`).toEqual(most.slice(0, limit))
          expect(evidence, `${limit}`).toEqual(known)
        }
        // [S2] A collapsed record says the same, has the same tier, and is collapsed once.
        const folded = most.flatMap(({ collapsed }) => collapsed)
        expect(new Set(folded).size).toBe(folded.length)
        expect(
          ledger
            .filter(({ stage }) => stage === 'collapse')
            .map(({ id }) => id)
            .sort(),
        ).toEqual(expect.arrayContaining(folded.toSorted()))
        for (const { id, record, collapsed } of most)
          for (const other of collapsed) {
            expect(other[0]).toBe(id[0])
            expect(batch.find((given) => given.id === other)?.authorityTier ?? null).toBe(record.authorityTier)
          }
      }
    },
  )

  it('[L1] why finds the fold of a record far behind the limit', async () => {
    for (const asked of queries) {
      const query = { ...asked, collapse: 'near' as const }
      const { ledger } = await call('recall', { query: { ...query, limit: 1000, ledger: true } })
      const folds = new Map(ledger.map(({ id, stage, reason }) => [id, stage === 'collapse' ? reason : null]))
      let behind = 0
      for (const { id } of batch.filter((_, i) => i % 37 === 0)) {
        const { stage, reason } = await call('why', { query: { ...query, limit: 1 }, id: id! })
        expect(stage === 'collapse' ? reason : null, id!).toBe(folds.get(id!) ?? null)
        if (stage === 'collapse') behind++
      }
      expect(behind).toBeGreaterThan(5)
      // Control: the ledger of the small limit does not know them.
      const { ledger: known } = await call('recall', { query: { ...query, limit: 1, ledger: true } })
      expect(known.filter((lost) => lost.stage === 'collapse').length).toBeLessThan(behind * 37)
    }
  })

  it('collapses nearly all of them under balanced', async () => {
    const { hits } = await call('recall', { query: { ...queries[0]!, collapse: 'near', limit: 1000 } })
    expect(hits.length).toBeLessThan(100)
    expect(hits.length).toBeGreaterThanOrEqual(2 * texts.length)
  })

  it('[S4] control: if only the first places were collapsed, the limit would show', async () => {
    const query = { ...queries[0]!, collapse: 'near' as const }
    const all = await call('recall', { query: { ...query, limit: 1000, capture: true, explain: true } })
    const { plan, facts } = all.facts as CapturedFacts
    const scores = new Map([...all.hits, ...all.ledger].map(({ id, score }) => [id, score ?? 0]))
    const ranked: Ranked[] = facts.candidates.ids
      .map((id, row) => ({ id, row, score: scores.get(id) ?? 0, at: facts.records.get(row)?.updatedAt ?? 0 }))
      .sort((a, b) => b.score - a.score || b.at - a.at || (a.id < b.id ? 1 : -1))
    const foldedAt = (places: number) =>
      collapse(plan, facts, ranked.slice(0, places), -Infinity, 1).collapsed.get(ranked[0]?.row ?? 0)
    expect(foldedAt(ranked.length)).toEqual(all.hits[0]?.collapsed)
    expect(foldedAt(2)).not.toEqual(all.hits[0]?.collapsed)
  })
})

it('[S5] copies of a record that was collapsed as a near-duplicate are collapsed with it', async () => {
  const batch = [
    { id: 'kept', title: 'jay', body: 'jay hides acorns' },
    { id: 'near', title: 'jay', body: 'the jay hides acorns' },
    { id: 'near too', title: 'jay', body: 'the jay hides acorns' },
  ]
  const { hits, ledger } = await answer(batch, { text: 'jay acorns', ledger: true })
  expect(hits.map(({ collapsed }) => collapsed.length)).toEqual([2])
  expect(ledger.map(({ stage }) => stage)).toEqual(['collapse', 'collapse'])
})

it('[S4] an answer is certain as soon as no record further down can be folded into its last one', async () => {
  const batch = Array.from({ length: 20 }, (_, i) => ({ id: `r${i}`, body: `jay ${i}` }))
  const answered = await answer(batch, { text: 'jay', capture: true })
  const { plan, facts } = answered.facts as CapturedFacts
  const ranked = facts.candidates.ids.map((id, row): Ranked => ({ id, row, score: 100 - row, at: 0 }))
  // The record in row `last` says the same as that in row 0.
  const foldedWith = (last: number, known: number) => {
    const floor = 100 - known + 1
    const { collapsed, certain } = collapse(plan, facts, ranked, floor, 1, (_, row) => row === last)
    return { count: collapsed.get(0)?.length ?? 0, certain }
  }
  for (let last = 1; last < 15; last++)
    for (let known = 1; known <= 20; known++) {
      const { count, certain } = foldedWith(last, known)
      if (certain) expect(count, `row ${last}, ${known} known`).toBe(foldedWith(last, 20).count)
    }
  expect(foldedWith(10, 11)).toEqual({ count: 1, certain: false })
  expect(foldedWith(11, 11)).toEqual({ count: 0, certain: true })
})
