/** Tests evidence: what counts towards it, the correction for chance, and what must not affect it. */
import { describe, expect, it } from 'vitest'
import { evidenceOf } from '../../../src/core/evidence/evidence.ts'
import { createLexicalScorer, type WeightedPostings } from '../../../src/core/lexical/bm25.ts'
import type { EvidenceLine } from '../../../src/core/model/policy.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { staticEmbedder } from '../../../src/embedders/index.ts'
import { createRandom } from '../../support/data/random.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const embedder = staticEmbedder()
const notes: readonly (readonly [text: string, question: string])[] = [
  ['Mira moves the deploy to Friday, after the migration.', 'when is the deploy after the migration?'],
  ['The noodle place on Weber street is closed on Mondays.', 'is the noodle place open on Mondays?'],
  ['Grandfather kept bees in blue hives behind the barn.', 'what colour were the hives of the bees?'],
  ['Set the oven to 220 degrees before the bread goes in.', 'how hot must the oven be for bread?'],
  ['The tram to the harbour leaves every ten minutes.', 'how often does the tram to the harbour leave?'],
  ['Lena is allergic to walnuts and hazelnuts.', 'which nuts is Lena allergic to?'],
  ['The spare key lies under the third flower pot.', 'where is the spare key?'],
  ['Passport renewal takes six weeks in summer.', 'how long does passport renewal take?'],
  ['The violin needs new strings before the concert.', 'does the violin need new strings?'],
  ['Rent is due on the third working day of the month.', 'when is the rent due?'],
]
const strangers = [
  'shear stress of laminar boundary layers in hypersonic flow',
  'methylation of promoters in leukaemia cells',
  'parliament votes on tariffs for steel',
]

describe.each(['words alone', 'the built-in embedder'])('a tiny store, with %s', (mode) => {
  it.each([1, 2, 3, 5, 10])(
    'of %i records never says none to a question it answers, and says it to unrelated questions',
    async (size) => {
      const store = await storeOf(mode, notes.slice(0, size))
      for (const [i, [, question]] of notes.slice(0, size).entries()) {
        const { evidence, hits } = await ask(store, { text: question })
        expect([hits[0]?.id, evidence.strength], question).toEqual([`n${i}`, expect.stringMatching(/weak|strong/)])
      }
      for (const text of strangers) expect((await ask(store, { text })).evidence.strength, text).toBe('none')
    },
  )

  it('withholds hits without evidence, and says so', async () => {
    const store = await storeOf(mode, notes)
    const { hits, ledger } = await ask(store, { text: `${strangers[2]} in summer`, minEvidence: 'weak', ledger: true })
    expect(hits).toEqual([])
    expect(ledger.map(({ stage }) => stage)).toContain('evidence')
  })

  it('control: without minEvidence the same question has hits', async () => {
    const store = await storeOf(mode, notes)
    expect((await ask(store, { text: `${strangers[2]} in summer` })).hits.length).toBeGreaterThan(0)
  })
})

describe('[D3] evidence', () => {
  it.each(['words alone', 'the built-in embedder'])('does not depend on the history, with %s', async (mode) => {
    const straight = await storeOf(mode, notes)
    const detoured = await storeOf(mode, [])
    for (const i of [7, 2, 9, 0, 4]) await put(detoured, i, 'Something else stood here, about the bees and the tram.')
    await detoured.call('forget', { ids: ['n9', 'n4'] })
    for (const i of createRandom(3).shuffled([...notes.keys()])) await put(detoured, i, notes[i]?.[0] ?? '')
    for (const text of [...notes.map(([, question]) => question), ...strangers]) {
      expect((await ask(detoured, { text })).evidence, text).toEqual((await ask(straight, { text })).evidence)
    }
  })

  it('control: one more record changes it', async () => {
    const straight = await storeOf('words alone', notes)
    const larger = await storeOf('words alone', [...notes, ['The bees swarmed in May.', '']])
    const text = notes[2]?.[1] ?? ''
    expect((await ask(larger, { text })).evidence).not.toEqual((await ask(straight, { text })).evidence)
  })
})

describe('the strength', () => {
  it('does not depend on the limit', async () => {
    const store = await storeOf('the built-in embedder', notes)
    for (const text of [...notes.map(([, question]) => question), ...strangers]) {
      const strengths = []
      for (const limit of [1, 2, 1000]) strengths.push((await ask(store, { text, limit })).evidence.strength)
      expect(new Set(strengths).size, text).toBe(1)
    }
  })

  it('of a question by vector alone is that of its similarity', async () => {
    const store = await storeOf('the built-in embedder', notes)
    const vectorOf = async (text: string) => (await embedder.embed([text], 'query'))[0]!
    expect((await ask(store, { vector: await vectorOf(notes[6]?.[0] ?? '') })).evidence.strength).toBe('strong')
    expect((await ask(store, { vector: await vectorOf(strangers[1]!) })).evidence.strength).toBe('none')
  })

  it('ignores records outside the scope of the query', async () => {
    const store = await storeOf('the built-in embedder', notes)
    const text = notes[6]?.[1] ?? ''
    expect((await ask(store, { text, exclude: ['n6'] })).evidence.strength).toBe('none')
  })

  it('control: the same question with the record in scope', async () => {
    const store = await storeOf('the built-in embedder', notes)
    expect((await ask(store, { text: notes[6]?.[1] ?? '' })).evidence.strength).toBe('strong')
  })

  it('falls as records grow longer and more, for the same words matched', async () => {
    const supportIn = await supportMeter(policies.balanced.evidence.wordsAlone)
    expect(supportIn(5000, 10)).toBeLessThan(supportIn(10, 10))
    expect(supportIn(10, 1e9)).toBeLessThan(supportIn(10, 10))
  })

  it('control: it does not fall where a policy has no correction', async () => {
    const supportIn = await supportMeter({ ...policies.balanced.evidence.wordsAlone, length: 0, records: 0 })
    expect(supportIn(5000, 1e9)).toBe(supportIn(10, 10))
  })
})

describe('the share of the question that the best hit contains', () => {
  /** The strength of an answer whose best hit contains this share, where nothing else counts. */
  async function strengthAt() {
    const store = await storeOf('words alone', notes)
    const { facts } = (await ask(store, { text: notes[7]?.[1] ?? '', capture: true })).facts as CapturedFacts
    const row = facts.candidates.ids.indexOf('n7')
    const line = { words: 0, meaning: 1, length: 0, records: 0, weak: 0.5, strong: 0.75 }
    return (share: number, vector: CapturedFacts['facts']['vector'] = null) => {
      const coverage = facts.candidates.coverage.map((value, at) => (at === row ? share : value))
      const changed = { ...facts, vector, candidates: { ...facts.candidates, coverage } }
      const best = { row, score: 1, at: 0, id: 'n7' }
      const lines = { ...policies.balanced.evidence, wordsAlone: line, wordsAndMeaning: line }
      return evidenceOf(changed, { first: best, second: undefined }, lines).strength
    }
  }

  it('counts by its square root: a quarter is half the support', async () => {
    const strengthOf = await strengthAt()
    expect([0, 0.2499, 0.25, 0.5624, 0.5625, 1].map((share) => strengthOf(share))).toEqual([
      'none',
      'none',
      'weak',
      'weak',
      'strong',
      'strong',
    ])
  })

  it('is not lowered by a meaning that is further away than the background, and raised by one that is nearer', async () => {
    const strengthOf = await strengthAt()
    const withBest = (best: number) => strengthOf(0.25, { space: 's', mean: -0.5, deviation: 0, best, records: 1 })
    expect([-0.5, -0.125, 0.5].map(withBest)).toEqual(['weak', 'weak', 'strong'])
  })
})

describe('an answer to an empty question', () => {
  it('is weak, however many records it lists, and never strong', async () => {
    const store = await storeOf('words alone', notes)
    const lists: RecallQuery[] = [{}, { text: ' ' }, { prefer: { project: 'jay' } }, { scope: { kind: 'note' } }]
    for (const query of lists) {
      const { hits, evidence } = await ask(store, query)
      expect([hits.length, evidence.strength], JSON.stringify(query)).toEqual([notes.length, 'weak'])
      expect((await ask(store, { ...query, minEvidence: 'weak' })).hits).toHaveLength(notes.length)
      const withheld = await ask(store, { ...query, minEvidence: 'strong', ledger: true })
      expect(withheld.hits, JSON.stringify(query)).toEqual([])
      expect(new Set(withheld.ledger.map(({ stage }) => stage))).toEqual(new Set(['evidence']))
    }
  })

  it('is none where there is nothing to list', async () => {
    const store = await storeOf('words alone', [])
    expect((await ask(store, {})).evidence.strength).toBe('none')
  })
})

describe('coverage and matched terms of the scorer', () => {
  it.each([1, 2, 3, 4, 5])('equal a plain count, seed %i', (seed) => {
    const { scores, terms } = scored(seed)
    const total = scores.idfs.reduce((sum, idf) => sum + idf, 0)
    for (let key = 0; key < records; key++) {
      const held = terms.map(({ keys }, t) => (keys.includes(key) ? scores.idfs[t]! : null))
      expect(scores.matched(key)).toBe(held.filter((idf) => idf !== null).length)
      const share = held.reduce<number>((sum, idf) => sum + (idf ?? 0), 0) / total
      expect(scores.coverage(key)).toBeCloseTo(share, 4)
    }
  })

  it('include every term of the longest query in a record that has them all', () => {
    const keys = Uint32Array.of(0)
    const terms = Array.from({ length: 256 }, () => ({ weight: 8, keys, counts: keys, titleCounts: keys }))
    const scores = createLexicalScorer().score(terms, [], statistics(2 ** 20), policies.balanced.lexical)
    expect([scores.matched(0), scores.coverage(0)]).toEqual([256, 1])
  })

  it('control: a term that every record holds is matched, though it weighs almost nothing', () => {
    const keys = Uint32Array.from({ length: records }, (_, key) => key)
    const terms = [{ weight: 1, keys, counts: keys.map(() => 1), titleCounts: keys.map(() => 0) }]
    const scores = createLexicalScorer().score(terms, [], statistics(records), policies.balanced.lexical)
    expect([scores.matched(5), scores.coverage(5)]).toEqual([1, 1])
  })
})

/** The highest threshold that a known answer still passes, in steps of .01, by mean length and number of records. */
async function supportMeter(line: EvidenceLine) {
  const store = await storeOf('words alone', notes)
  const { facts } = (await ask(store, { text: notes[7]?.[1] ?? '', capture: true })).facts as CapturedFacts
  const selected = [{ row: facts.candidates.ids.indexOf('n7'), score: 1, at: 0, id: 'n7' }]
  return (meanLength: number, scopeRecords: number) => {
    const changed = { ...facts, lexical: { mean: 0, deviation: 0, best: 0, meanLength, highest: 1 }, scopeRecords }
    const passes = (weak: number) => {
      const lines = { ...policies.balanced.evidence, wordsAlone: { ...line, weak, strong: 9 } }
      return evidenceOf(changed, { first: selected[0], second: selected[1] }, lines).strength === 'weak'
    }
    return Array.from({ length: 300 }, (_, step) => step / 100).filter(passes).length
  }
}

const records = 60

function scored(seed: number) {
  const random = createRandom(seed)
  const terms: WeightedPostings[] = Array.from({ length: 12 }, () => {
    const keys = Uint32Array.from(Array.from({ length: records }, (_, key) => key).filter(() => random.below(4) === 0))
    return { weight: 1 + random.below(2), keys, counts: keys.map(() => 1), titleCounts: keys.map(() => 0) }
  })
  return { terms, scores: createLexicalScorer().score(terms, [], statistics(records), policies.balanced.lexical) }
}

function statistics(count: number) {
  return { records: count, tokens: count * 10, lengths: new Uint32Array(records).fill(10), scopeKeys: null }
}

async function storeOf(mode: string, texts: typeof notes): Promise<TestEngine> {
  const store =
    mode === 'words alone'
      ? await openEngine()
      : await openEngine(
          { space: { name: embedder.space, dimensions: embedder.dimensions } },
          { embed: (batch, role) => embedder.embed(batch, role) },
        )
  for (const [i, [body]] of texts.entries()) await put(store, i, body)
  return store
}

function put(store: TestEngine, i: number, body: string) {
  return store.call('put', { batch: [{ id: `n${i}`, body }] })
}

function ask(store: TestEngine, query: RecallQuery) {
  return store.call('recall', { query })
}
