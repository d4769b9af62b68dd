/**
 * [G3] Compares the policies `tokenpak` and `ctxsift` with second implementations written from docs/spec.md: random
 * stores, each asked once under either. A failure names walk and step; the walk alone replays it.
 */
import { describe, expect, it } from 'vitest'
import type { FileState } from '../../src/core/evidence/freshness.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { Contribution, Hit, RecallResult } from '../../src/core/model/result.ts'
import { commonWords, questionWords } from '../../src/core/text/tokenise/stop-words.ts'
import { createRandom } from '../support/data/random.ts'
import { sized } from '../support/data/sized.ts'
import { type CtxsiftAnswer, type CtxsiftQuery, ctxsiftConstants, recallByCtxsift } from '../support/oracles/ctxsift.ts'
import { type OracleRecord, oracleRecordOf } from '../support/oracles/oracle-record.ts'
import {
  dayMs,
  randomCtxsiftQuery,
  randomFileStates,
  randomTokenpakQuery,
  randomWalk,
  walkNow,
} from '../support/oracles/random-store.ts'
import { type TokenpakQuery, tokenpakConstants, tokenpakRanking } from '../support/oracles/tokenpak.ts'
import { openForPolicies } from '../support/stores/open-for-policies.ts'

const firstSeed = 6100
const engineCount = sized(8)
const walksPerEngine = 5
const storesPerWalk = 20

const seeds = Array.from({ length: engineCount }, (_, i) => firstSeed + i)
/** As many in every size: a control needs a store that shows its constant. */
const seedsOfControls = Array.from({ length: 8 }, (_, i) => firstSeed + i)

describe(`${engineCount * walksPerEngine * storesPerWalk} random stores`, () => {
  it.each(seeds)('tokenpak and ctxsift answer as their oracles do, seed %i', async (seed) => {
    const { states, walks } = scenarioOf(seed)
    const recall = await openForPolicies(`policies ${seed}`, walkNow)
    await recall.checkFiles(states)
    const tally = { stores: 0, doubtful: 0, hits: 0 }
    for (const [walk, walkSeed] of walks.entries()) {
      let stored: readonly OracleRecord[] = []
      for (const { put, forget, records, tokenpak, ctxsift, step } of storesOf(walkSeed, `${walk}`)) {
        if (put.length > 0) await recall.put(put)
        if (forget.length > 0) await recall.forget(forget)
        stored = records
        const what = `seed ${seed}, walk ${walk}, step ${step}`
        checkTokenpak(await recall.recall(asQuery('tokenpak', tokenpak)), records, tokenpak, what)
        const answer = recallByCtxsift(records, states, ctxsift)
        tally.stores++
        if (answer.isDoubtful) tally.doubtful++
        else checkCtxsift(await recall.recall(asQuery('ctxsift', ctxsift)), answer, ctxsift, what)
        tally.hits += answer.hits.length
      }
      await recall.forget(stored.map(({ id }) => id))
    }
    await recall.destroy()
    expect(tally.stores).toBe(walksPerEngine * storesPerWalk)
    // Where the order of summing decides, the oracle cannot tell: this must be rare.
    expect(tally.doubtful).toBeLessThan(tally.stores / 50)
    expect(tally.hits).toBeGreaterThan(tally.stores)
  })
})

describe('control: an oracle with one wrong constant disagrees', () => {
  // Made once for all controls, within the first of them.
  const stores = once(() =>
    seedsOfControls.flatMap((seed) => {
      const { states, walks } = scenarioOf(seed)
      return walks.flatMap((walkSeed, walk) => storesOf(walkSeed, `${walk}`).map((store) => ({ ...store, states })))
    }),
  )
  const ctxsiftHits = ({ records, states, ctxsift }: ReturnType<typeof stores>[number], constants = ctxsiftConstants) =>
    JSON.stringify(recallByCtxsift(records, states, ctxsift, constants).hits)
  const tokenpakHits = ({ records, tokenpak }: ReturnType<typeof stores>[number], constants = tokenpakConstants) =>
    JSON.stringify(tokenpakRanking(records, tokenpak, constants).map(({ record, score }) => [record.id, score]))
  const right = once(() => ({
    ctxsift: stores().map((store) => ctxsiftHits(store)),
    tokenpak: stores().map((store) => tokenpakHits(store)),
  }))

  it.each([
    ['offset', { offset: 60 }],
    ['bm25', { bm25: { ...ctxsiftConstants.bm25, b: 0.5 } }],
    ['least idf', { bm25: { ...ctxsiftConstants.bm25, leastIdf: -100 } }],
    ['sources', { sources: { ...ctxsiftConstants.sources, terms: 4 } }],
    // A record that holds the whole query holds its terms, so any two strengths above 0 order alike: only their absence
    // shows.
    ['text', { text: { query: 8, term: 0 } }],
    ['terms', { terms: { query: 10, term: 0 } }],
    ['paths', { paths: { query: [12, 10, 6], term: [6, 5, 4] } }],
    ['recency', { recency: 1 }],
    ['recency asked', { recencyAsked: 0.75 }],
    ['recency bonus', { recencyBonus: 0.1 }],
    ['coverage', { coverage: 0 }],
    ['most coverage', { maxCoverage: 3 }],
    ['depth', { depth: 40 }],
    ['lexical', { lexical: 0.9 }],
    ['vector', { vector: 0.8 }],
    ['least cosine', { leastCosine: 0.6 }],
    ['fresh', { freshness: { ...ctxsiftConstants.freshness, fresh: 0.05 } }],
    ['unverifiable', { freshness: { ...ctxsiftConstants.freshness, unverifiable: 0 } }],
    ['changed', { freshness: { ...ctxsiftConstants.freshness, stale_changed: -0.06 } }],
    ['deleted', { freshness: { ...ctxsiftConstants.freshness, stale_deleted: -0.1 } }],
    ['field', { field: 0.01 }],
    ['most fields', { maxFields: 6 }],
    ['file', { file: 0.08 }],
    ['file without a filter', { fileBonusWithoutFilter: false }],
    ['exact file', { exactFile: 0.07 }],
    ['exact symbol', { exactSymbol: 0.08 }],
    ['exact test', { exactTest: 0.08 }],
    ['strong', { strong: 130 }],
    ['weak', { weak: 100 }],
    ['weak limit', { weakLimit: 2 }],
    ['limit', { limit: 9 }],
  ] satisfies [string, Partial<typeof ctxsiftConstants>][])('ctxsift: %s', (_name, wrong) => {
    const constants = { ...ctxsiftConstants, ...wrong }
    expect(stores().some((store, i) => ctxsiftHits(store, constants) !== right().ctxsift[i])).toBe(true)
  })

  it.each([
    ['k1', { k1: 1.3 }],
    ['fts', { fts: 0.9 }],
    ['project', { project: 0.4 }],
    ['kind', { kind: 0.2 }],
    ['window', { recencyWindowDays: 31 }],
    ['collapse', { collapses: false }],
    ['a weight', { weights: { ...tokenpakConstants.weights, stale_context: -0.5 } }],
  ] satisfies [string, Partial<typeof tokenpakConstants>][])('tokenpak: %s', (_name, wrong) => {
    const constants = { ...tokenpakConstants, ...wrong }
    expect(stores().some((store, i) => tokenpakHits(store, constants) !== right().tokenpak[i])).toBe(true)
  })
})

interface Store {
  readonly step: number
  readonly put: Parameters<typeof oracleRecordOf>[0][]
  readonly forget: readonly string[]
  readonly records: readonly OracleRecord[]
  readonly tokenpak: TokenpakQuery
  readonly ctxsift: CtxsiftQuery
}

function scenarioOf(seed: number): { readonly states: FileState[]; readonly walks: readonly number[] } {
  return {
    states: randomFileStates(createRandom(seed)),
    walks: Array.from({ length: walksPerEngine }, (_, walk) => seed * 1000 + walk),
  }
}

function storesOf(seed: number, name: string): Store[] {
  const random = createRandom(seed)
  let records: readonly OracleRecord[] = []
  return Array.from(randomWalk(random, name, storesPerWalk), ({ put, forget }, step) => {
    records = [...records.filter(({ id }) => !forget.includes(id)), ...put.map(oracleRecordOf)]
    return {
      step,
      put: [...put],
      forget,
      records,
      tokenpak: randomTokenpakQuery(random),
      ctxsift: randomCtxsiftQuery(random),
    }
  })
}

function asQuery(policy: string, query: CtxsiftQuery | TokenpakQuery): RecallQuery {
  const { vector } = query as CtxsiftQuery
  return { ...query, policy, explain: true, now: walkNow, ...(vector === undefined ? {} : { vector: vector.slice() }) }
}

function checkTokenpak(
  { hits }: RecallResult,
  records: readonly OracleRecord[],
  query: TokenpakQuery,
  what: string,
): void {
  const ranking = tokenpakRanking(records, query)
  const limit = query.limit ?? tokenpakConstants.limit
  expect(hits.length, what).toBe(Math.min(limit, ranking.length))
  for (const hit of hits) {
    const expected = ranking.find(({ record }) => record.id === hit.id)
    if (expected === undefined) throw new Error(`${what}: ${hit.id} is not a candidate`)
    // Logarithm and order of summing are the engine's own; with its fts score, the rest of the sum must match exactly.
    const fts = hit.contributions.find(isFts)?.amount ?? 0
    expect(Math.abs(fts - expected.fts), `${what}, fts of ${hit.id}`).toBeLessThan(1e-9)
    expect(Math.abs(hit.score - fts - expected.rest), `${what}, score of ${hit.id}`).toBeLessThan(1e-12)
    expect([...hit.collapsed].sort(), `${what}, ${hit.id}`).toEqual([...expected.collapsed].sort())
  }
  const scores = ranking.map(({ score }) => score)
  const isDoubtful = scores.some((score, i) => {
    const next = scores[i + 1]
    return next !== undefined && score !== next && score - next < 1e-9
  })
  if (!isDoubtful) expect(hits.map(idOf), what).toEqual(ranking.slice(0, limit).map(({ record }) => record.id))
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function isFts({ signal }: Contribution): boolean {
  return signal === 'fts' || signal === 'lexical'
}

function checkCtxsift(result: RecallResult, expected: CtxsiftAnswer, query: CtxsiftQuery, what: string): void {
  const asked = `${what}, ${JSON.stringify({ ...query, vector: query.vector && [...query.vector] })}`
  const { hits, ledger } = result
  expect(
    hits.map((hit) => ({ id: hit.id, score: hit.score, matched: fieldsOf(hit), freshness: hit.freshness })),
    asked,
  ).toEqual(expected.hits)
  // [S5] The ledger holds each record that a threshold or the limit left out, with the same score.
  for (const { id, score } of expected.candidates) {
    if (expected.hits.some((hit) => hit.id === id)) continue
    expect(ledger?.find((dropped) => dropped.id === id)?.score, `${asked}, ledger of ${id}`).toBe(score)
  }
}

/** The names of the source and those of Scrubjay mean the same. */
function fieldsOf({ matched }: Hit): string[] {
  const ours: Readonly<Record<string, string>> = {
    compressed_output: 'body',
    file_paths: 'paths',
    extracted_terms: 'terms',
  }
  return matched.map((field) => ours[field] ?? field)
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

it('the vocabulary has no stop words, and dates on both sides of the window', () => {
  const queries = Array.from({ length: 500 }, (_, seed) => randomTokenpakQuery(createRandom(seed)))
  const words = queries.flatMap(({ text }) => text.split(' '))
  expect(words.filter((word) => commonWords.has(word) || questionWords.has(word))).toEqual([])
  const ages = storesOf(firstSeed * 1000 + 4, 'ages').flatMap(({ records }) =>
    records.map(({ updatedAt }) => (walkNow - updatedAt) / dayMs),
  )
  expect(Math.min(...ages)).toBeLessThan(0)
  expect(Math.max(...ages)).toBeGreaterThan(30)
})
