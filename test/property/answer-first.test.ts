/**
 * Tests [L1]: an answer from few candidates equals the answer from all of them. The way over all candidates, which `ledger: true`
 * takes, is the oracle. Stores have copies, near-duplicates, ties, records without vectors, and signals that do not depend on
 * the query.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Policy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { RecallResult } from '../../src/core/model/result.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { loadLanguages } from '../../worker/languages/load-languages.ts'
import { proof } from '../../worker/retrieval/top-k/proof.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { sized } from '../support/data/sized.ts'
import { openEngine, startOfTime, type TestEngine } from '../support/stores/open-engine.ts'

const dimensions = 16
const records = 420
/** One alone may have too few corrections. */
const stores = Math.max(2, sized(4))
const queriesOfStore = 40
const dayMs = 86_400_000

afterEach(() => vi.restoreAllMocks())

describe('an answer from few candidates', () => {
  it('[L1] equals the answer from all, byte for byte', { timeout: 60_000 * stores }, async () => {
    const holds = vi.spyOn(proof, 'holds')
    let corrected = 0
    for (let seed = 1; seed <= stores; seed++) {
      const { engine, random } = await filledStore(seed)
      for (let i = 0; i < queriesOfStore; i++) {
        const query = anyQuery(random)
        const fast = await answer(engine, query)
        const complete = await answer(engine, { ...query, ledger: true })
        expect(differenceOf(fast, complete), `store ${seed}, query ${i}: ${spell(query)}`).toBe('')
        if (fast.includes('"kind":"typo"')) corrected++
      }
    }
    expect(corrected).toBeGreaterThan(stores * 2)
    // Both ways must occur: proofs that hold although candidates are left out, and proofs that fail.
    const proofs = holds.mock.calls.map(([, , beyond], i) => ({
      beyond,
      held: holds.mock.results[i]?.value as boolean,
    }))
    expect(proofs.filter(({ beyond, held }) => beyond !== null && held).length).toBeGreaterThan(stores * 5)
    expect(proofs.filter(({ held }) => !held).length).toBeGreaterThan(0)
  })

  it('[L1] equals it in a store in German, with word forms and compounds', { timeout: 120_000 }, async () => {
    await loadLanguages(['de'])
    const random = createRandom(1907)
    const engine = await openEngine({ languages: ['de'] } as never)
    const german =
      'haus häuser baum bäume baumhaus katze katzen straße strassen arbeit zimmer arbeitszimmer die und'.split(' ')
    const words = (count: number) =>
      Array.from({ length: count }, () => german[Math.floor(random.next() ** 2 * german.length)]!)
    const batch = Array.from(
      { length: records },
      (_, i): RecordInput => ({
        id: `r${i}`,
        body: words(3 + random.below(9)).join(' '),
        ...(random.below(5) === 0 ? { language: random.pick(['de', 'fr']) } : {}),
        project: random.pick(['jay', 'wren', null]),
      }),
    )
    await engine.call('put', { batch })
    let formed = 0
    for (let i = 0; i < 30; i++) {
      const scope = random.below(3) === 0 ? { project: 'jay' } : {}
      const query: RecallQuery = { text: words(1 + random.below(3)).join(' '), scope, limit: 1 + random.below(12) }
      const fast = await answer(engine, query)
      expect(fast, query.text).toBe(await answer(engine, { ...query, ledger: true }))
      if (/ as (haus|baum|katz|strass|arbeit|zimmer)/.test(fast)) formed++
    }
    expect(formed).toBeGreaterThan(5)
  })

  it('[L1] control: without the proof some answers differ', { timeout: 120_000 }, async () => {
    vi.spyOn(proof, 'holds').mockReturnValue(true)
    const { engine, random } = await filledStore(1)
    let differing = 0
    for (let i = 0; i < queriesOfStore; i++) {
      const query = anyQuery(random)
      if ((await answer(engine, query)) !== (await answer(engine, { ...query, ledger: true }))) differing++
    }
    expect(differing).toBeGreaterThan(0)
  })

  describe('of a named time', () => {
    const query: RecallQuery = { text: 'jay yesterday', limit: 3 }

    /** The only record of yesterday says `jay` once among many words, behind 150 that say it more. */
    async function filled(): Promise<TestEngine> {
      const engine = await openEngine()
      const batch: RecordInput[] = Array.from({ length: 150 }, (_, i) => ({
        id: `n${i}`,
        body: `jay jay jay ${i}`,
        createdAt: startOfTime - 9 * dayMs,
        updatedAt: startOfTime,
      }))
      const late = { createdAt: startOfTime - dayMs, updatedAt: startOfTime }
      await engine.call('put', { batch: [...batch, { id: 'late', body: `jay ${'feather nest '.repeat(2)}`, ...late }] })
      return engine
    }

    it('[L1] holds records to which words alone add little', async () => {
      const engine = await filled()
      const answers = await answer(engine, query)
      expect(answers).toBe(await answer(engine, { ...query, ledger: true }))
      expect((JSON.parse(answers) as RecallResult).hits[0]!.id).toBe('late')
    })

    it('[L1] holds records of a time that most records are of', async () => {
      const engine = await openEngine({ space: { name: 'tiny', dimensions } })
      // The nearest are the old ones. All recent ones are a little further away, and have no word of the question.
      const old = series('o', 60, (i) => recordAt(0.7 - i * 0.0005, 9))
      const recent = series('r', 400, (i) => recordAt(0.655 - i * 0.0001, 1))
      await engine.call('put', { batch: [...old, ...recent, { id: 'w', body: 'acorn', createdAt: startOfTime }] })
      expect(await firstOf(engine, { text: 'acorn since two days ago' })).toBe('r')
    })

    it('[L1] holds records to which two preferences and a time add', async () => {
      const engine = await openEngine({ space: { name: 'tiny', dimensions } })
      const preferred = series('p', 12, () => ({ ...recordAt(0.674, 1), project: 'wren', kind: 'decision' }))
      const near = series('o', 60, (i) => ({ ...recordAt(0.7 - i * 0.0005, 1), project: 'wren' }))
      const recent = series('r', 400, () => recordAt(0.3, 1))
      const old = series('x', 40, () => recordAt(0.2, 9))
      const word = { id: 'w', body: 'acorn', createdAt: startOfTime }
      await engine.call('put', { batch: [...preferred, ...near, ...recent, ...old, word] })
      const prefer = { project: 'wren', kind: 'decision' }
      expect(await firstOf(engine, { text: 'acorn', prefer })).toBe('p')
      expect(await firstOf(engine, { text: 'acorn since two days ago', prefer })).toBe('p')
    })

    const random = createRandom(1808)

    function series(letter: string, count: number, recordOf: (i: number) => Omit<RecordInput, 'id'>): RecordInput[] {
      return Array.from({ length: count }, (_, i) => ({
        id: `${letter}${i}`,
        body: `nest ${letter}${i}`,
        ...recordOf(i),
      }))
    }

    function recordAt(cosine: number, daysAgo: number): Omit<RecordInput, 'id'> {
      const side = 1 + random.below(dimensions - 1)
      const vectors = Float32Array.from({ length: dimensions }, (_, i) =>
        i === 0 ? cosine : i === side ? Math.sqrt(1 - cosine * cosine) : 0,
      )
      return { createdAt: startOfTime - daysAgo * dayMs, vectors }
    }

    /** The first letter of most of the ten hits, after comparing both ways. */
    async function firstOf(engine: TestEngine, asked: RecallQuery): Promise<string> {
      const vector = Float32Array.from({ length: dimensions }, (_, i) => Number(i === 0))
      const answers = await answer(engine, { ...asked, vector, limit: 10 })
      expect(answers).toBe(await answer(engine, { ...asked, vector, limit: 10, ledger: true }))
      const letters = (JSON.parse(answers) as RecallResult).hits.map(({ id }) => id[0]!)
      return letters.sort()[Math.floor(letters.length / 2)]!
    }
  })
})

/** Where two answers begin to differ; empty if they are equal. Answers are too long to print. */
function differenceOf(one: string, two: string): string {
  if (one === two) return ''
  let at = 0
  while (one[at] === two[at]) at++
  return `${one.slice(Math.max(0, at - 200), at + 60)} ≠ ${two.slice(Math.max(0, at - 20), at + 60)}`
}

/** Everything of an answer but the ledger, its digest and the time taken. */
async function answer(engine: TestEngine, query: RecallQuery): Promise<string> {
  const { ledger: _ledger, tookMs: _took, ...result }: RecallResult = await engine.call('recall', { query })
  const { ledgerDigest: _digest, ...receipt } = result.receipt
  return canonicalJson({ ...result, receipt })
}

async function filledStore(seed: number): Promise<{ engine: TestEngine; random: Random }> {
  const random = createRandom(1800 + seed)
  const engine = await openEngine({ space: { name: 'tiny', dimensions } })
  const centres = Array.from({ length: 5 }, () => random.vector(dimensions))
  const batch: RecordInput[] = []
  for (let i = 0; i < records; i++) {
    const copied = batch[random.below(Math.max(1, i))]
    const isCopy = copied !== undefined && random.below(12) === 0
    batch.push({
      id: `${random.pick(['a', 'z', '🪶'])}${i}`,
      ...(isCopy ? { title: copied.title, body: copied.body } : textOf(random, i)),
      project: random.pick(['jay', 'wren', null]),
      kind: random.pick(['note', 'decision', 'note', 'decision', 'note', 'instruction']),
      source: random.pick(['chat', 'mail', null]),
      files: random.below(10) === 0 ? [{ path: random.pick(['src/nest.ts', 'lib/egg.ts']) }] : [],
      // The first and the third store have no sessions.
      ...(seed % 2 === 1 ? {} : { session: random.pick(['s', 't', 'u', null]), position: random.below(300) }),
      tags: [random.pick(['blue', 'green'])],
      // The first store has none: then their weights are not part of the bound.
      reasons: seed > 1 && random.below(9) === 0 ? [{ code: 'user_pinned', weight: random.next() }] : [],
      status: seed % 2 === 0 && random.below(8) === 0 ? 'superseded' : 'active',
      authorityTier: random.below(15) === 0 ? 'canon' : null,
      createdAt: startOfTime - random.below(4) * dayMs,
      updatedAt: startOfTime - random.below(4) * 3_600_000,
      ...(random.below(10) === 0 ? {} : { vectors: near(random, random.pick(centres)) }),
    })
  }
  await engine.call('put', { batch })
  return { engine, random }
}

const words = 'jay acorn cache winter forest feather nest query vector token index browser storage'.split(' ')

function textOf(random: Random, i: number): Pick<RecordInput, 'title' | 'body'> {
  // Common words are in many records, `rare` ones in few.
  const picked = Array.from(
    { length: 3 + random.below(12) },
    () => words[Math.floor(random.next() ** 2 * words.length)]!,
  )
  return {
    title: random.below(4) === 0 ? random.pick(words) : null,
    body: `${picked.join(' ')} ${random.below(6) === 0 ? `rare${random.below(20)}` : ''} ${random.below(3) === 0 ? i : ''}`,
  }
}

function near(random: Random, centre: Float32Array): Float32Array {
  const own = random.vector(dimensions)
  const share = random.pick([0, 0.5, 0.9])
  return centre.map((component, i) => share * component + (1 - share) * own[i]!)
}

const variants: readonly Policy[] = [
  policies.balanced,
  policies.tokenpak,
  { ...policies.balanced, collapse: 'exact' },
  { ...policies.balanced, minScore: 0.3, keep: 'newest' },
  { ...policies.balanced, recency: 0.05, learned: { ...policies.balanced.learned, decay: 0.05 } },
  { ...policies.balanced, synonyms: { jay: ['nest'], acorn: ['rare7', 'winter forest'], 'cache winter': ['index'] } },
]

function anyQuery(random: Random): RecallQuery {
  const text = Array.from({ length: 1 + random.below(4) }, () =>
    random.below(5) === 0 ? `rare${random.below(20)}` : random.pick(random.below(5) === 0 ? misspelt : words),
  ).join(' ')
  const when = random.below(4) === 0 ? ` ${random.pick(times)}` : ''
  const sign = random.below(4) === 0 ? ` ${random.pick(signs)}` : ''
  const has = random.below(9)
  return {
    ...(has === 0 || has === 8 ? {} : { text: text + when + sign }),
    ...(has === 1 || has === 2 || has === 8 ? {} : { vector: random.vector(dimensions) }),
    policy: random.pick(variants),
    limit: random.pick([1, 2, 3, 5, 10, 10, 25, 50, 300]),
    ...(random.below(5) === 0 ? { offset: random.pick([1, 4, 15, 200]) } : {}),
    ...(random.below(4) === 0
      ? { scope: random.pick([{ tags: { any: ['blue'] } }, { project: 'jay' }, { kind: 'note' }]) }
      : {}),
    ...(random.below(5) === 0 ? { prefer: { project: 'wren', kind: 'note' } } : {}),
    ...(random.below(4) === 0 ? { collapse: random.pick(['none', 'exact', 'near'] as const) } : {}),
    ...(random.below(6) === 0 ? { prefix: 'last' as const } : {}),
    ...(random.below(8) === 0 ? { matching: 'only' as const } : {}),
    ...(random.below(8) === 0 ? { minEvidence: 'strong' as const } : {}),
    ...(random.below(8) === 0 ? { perSource: 2 } : {}),
    ...(random.below(8) === 0 ? { exclude: ['a7', 'z7', 'a8', 'z8', '🪶9'] } : {}),
    ...(random.below(10) === 0 ? { files: [random.pick(['src/nest.ts', 'src', 'nowhere'])] } : {}),
    ...(random.below(12) === 0 ? { reserve: { kind: 'instruction' as const, places: 2 } } : {}),
    ...(random.below(8) === 0 ? { without: [random.pick(words), 'rare3'] } : {}),
    ...(random.below(8) === 0 ? { in: [random.pick(['title', 'body'] as const), 'terms'] } : {}),
  }
}

/** Each is one or two edits from a word of the records. */
const misspelt = ['acron', 'cahce', 'wintr', 'forrest', 'fether', 'qurey', 'tokne', 'browesr', 'stroage']

/** Words held back, phrases, and words that may be written in another form. */
const signs = [
  '-winter',
  '-rare5',
  '-"jay acorn"',
  '"acorn cache"',
  'jay-nest',
  'vectorToken',
  'rare-3',
  'browserstorage',
]

/** Two that a few records of a store are of, one that most are of, one that none is of, and one that all are of. */
const times = ['yesterday', 'three days ago', 'since two days ago', 'in 1999', 'since 2025']

function spell({ vector, policy, ...query }: RecallQuery): string {
  return JSON.stringify({ ...query, vector: vector && [...vector], policy: (policy as Policy).name })
}
