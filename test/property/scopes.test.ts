/**
 * [Q4] Compares random scopes over random stores with a brute-force filter: recall, list, count, tags, facets and suggest find exactly
 * those records, by every channel and under every policy.
 */
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../src/core/model/policy.ts'
import type { FacetKey, FacetRequest, RecallQuery, Scope } from '../../src/core/model/query.ts'
import type { Facets, Suggestion } from '../../src/core/model/receipts.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { path, randomRecord, randomScope, type Stored, symbol, tagsOf, word } from '../support/data/scoped-records.ts'
import { sized } from '../support/data/sized.ts'
import { isInScope } from '../support/scope-oracle.ts'
import { everyPolicy } from '../support/stores/every-policy.ts'
import { openEngine, startOfTime } from '../support/stores/open-engine.ts'

const storeCount = sized(200)
const policyStoreCount = 24
const firstSeed = 4000
const policy = { ...policies.balanced, gateStatus: false }
const space = { name: 'four', dimensions: 4 }

describe(`${storeCount} random stores`, () => {
  it('[Q4] every filter finds exactly what brute force finds', async () => {
    const { call } = await openEngine({ policy, space, metadataKeys: ['size', 'flag', 'name'] })
    const tally = { found: 0, empty: 0 }
    for (let seed = firstSeed; seed < firstSeed + storeCount; seed++) {
      const random = createRandom(seed)
      const records = Array.from({ length: 4 + random.below(10) }, (_, i) => randomRecord(random, i))
      await call('put', { batch: records })
      for (let i = 0; i < 2; i++) await check(records, randomScope(random, records), random, seed)
      await call('forget', { ids: records.map(({ id }) => id) })
    }
    // Neither are all scopes empty nor are all scopes full.
    expect(tally.found).toBeGreaterThan(2 * storeCount)
    expect(tally.empty).toBeGreaterThan(storeCount / 5)

    async function check(records: readonly Stored[], scope: Scope, random: Random, seed: number): Promise<void> {
      const vector = random.vector(4)
      const expected = records.filter((record) => isInScope(record, scope))
      const ids = expected.map(({ id }) => id).sort(compareCodePoints)
      const found = async (query: object) => {
        const { hits, plan } = await call('recall', {
          query: { scope, limit: 1000, ledger: true, collapse: 'none', ...query },
        })
        expect(plan.scope).toBe(ids.length)
        return hits.map(({ id }) => id).sort(compareCodePoints)
      }
      const what = `seed ${seed}, scope ${JSON.stringify(scope)}`
      expect(await found({ text: 'jay' }), what).toEqual(ids)
      expect(await found({ vector }), what).toEqual(ids)
      expect(await found({}), what).toEqual(ids)
      expect(await call('count', { scope }), what).toBe(ids.length)
      const { items } = await call('list', { filter: { ...scope, limit: 1000 } })
      expect(items.map(({ id }) => id).sort(compareCodePoints), what).toEqual(ids)
      expect(await call('tags', { scope }), what).toEqual(tagsOf(expected))
      const text = random.pick([undefined, 'jay', 'jay acorn', 'winter', 'nothing'])
      const request = { keys: facetKeys, scope, text, limit: 1 + random.below(12) }
      expect(await call('facets', { request }), what).toEqual(facetsOf(expected, request))
      const prefix = random.pick(['j', 'ja', 'jay', 'w', 'acorn win', 'jay a', 'jay ', 'x'])
      const limit = 1 + random.below(4)
      expect(await call('suggest', { prefix, request: { scope, limit } }), `${what}, prefix ${prefix}`).toEqual(
        suggestionsOf(expected, prefix).slice(0, limit),
      )
      tally.found += ids.length
      if (ids.length === 0) tally.empty++
    }
  })

  /** How often a channel found something while other matches were outside. */
  const reached = new Map<string, number>()

  it.each(everyPolicy)(
    '[Q4] no channel of %s brings a record from outside, and each brings those inside',
    async (name, given) => {
      const { call } = await openEngine({ space, metadataKeys: ['size', 'flag', 'name'] })
      for (let seed = firstSeed; seed < firstSeed + policyStoreCount; seed++) {
        const random = createRandom(seed)
        const records = Array.from({ length: 4 + random.below(10) }, (_, i) => randomRecord(random, i))
        await call('put', { batch: records })
        const scope = partialScope(random, records)
        const inside = records.filter((record) => isInScope(record, scope))
        const insideIds = inside.map(({ id }) => id)
        for (const { channel, query, least, most } of questions(inside, random)) {
          const { hits, ledger, plan } = await call('recall', {
            query: { scope, limit: 1000, ledger: true, collapse: 'none', policy: loosened(given), ...query },
          })
          const what = `seed ${seed}, ${name}, ${channel}, scope ${JSON.stringify(scope)}, ${JSON.stringify(query)}`
          const ids = hits.map(({ id }) => id)
          const outside = [...ids, ...ledger.map(({ id }) => id)].filter((id) => !insideIds.includes(id))
          expect(outside, what).toEqual([])
          expect(
            ids.filter((id) => !most.includes(id)),
            what,
          ).toEqual([])
          const missing = least.filter((id) => !ids.includes(id))
          if (channel !== 'anchors' || given.depths.anchors > 0) expect(missing, what).toEqual([])
          for (const [ran, { matched }] of Object.entries(plan.channels))
            if (matched > 0 && inside.length < records.length) reached.set(ran, (reached.get(ran) ?? 0) + 1)
        }
        await call('forget', { ids: records.map(({ id }) => id) })
      }
    },
  )

  it('[Q4] control: every channel had a record to bring', () => {
    for (const channel of ['lexical', 'terms', 'paths', 'vector', 'recent', 'anchors'])
      expect(reached.get(channel), channel).toBeGreaterThan(25)
  })

  it('[Q4] control: a filter that takes one record more or less is detected', () => {
    const random = createRandom(firstSeed)
    const records = Array.from({ length: 25 }, (_, i) => randomRecord(random, i))
    const withBound = records.filter((record) => isInScope(record, { time: { after: startOfTime + 2 } }))
    expect(records.some(({ createdAt }) => createdAt === startOfTime + 2)).toBe(true)
    expect(withBound.length).not.toBe(records.filter(({ createdAt = 0 }) => createdAt > startOfTime + 2).length)
  })
})

interface Question {
  /** The records that the question should reach. */
  readonly channel: string
  readonly query: RecallQuery
  /** Ids that every policy must find, and those that it may find. */
  readonly least: readonly string[]
  readonly most: readonly string[]
}

/** `inside`: the records in the scope. */
function questions(inside: readonly Stored[], random: Random): readonly Question[] {
  const idsOf = (records: readonly Stored[]) => records.map(({ id }) => id)
  const all = idsOf(inside)
  const withFile = inside.filter(({ files = [] }) => files.length > 0)
  const withSymbol = inside.filter(({ terms = [] }) => terms.length > 0)
  const kind = random.pick(['note', 'decision', 'Note'])
  const prefer = { kind, project: 'a', topic: 'A' }
  const isPreferred = ({ project, topic, ...record }: Stored) =>
    record.kind === kind || project === 'a' || topic === 'A'
  const filtered = withFile.length > 0 ? idsOf(withFile) : all
  return [
    { channel: 'lexical', query: { text: word }, least: all, most: all },
    { channel: 'terms', query: { text: symbol }, least: idsOf(withSymbol), most: all },
    { channel: 'paths', query: { text: path }, least: idsOf(withFile), most: all },
    { channel: 'a part of a path', query: { text: `${word} rc/nest` }, least: all, most: all },
    { channel: 'anchors', query: { text: 'nowhere', prefer }, least: idsOf(inside.filter(isPreferred)), most: all },
    { channel: 'prefer', query: { text: word, prefer }, least: all, most: all },
    { channel: 'files', query: { text: word, files: [path] }, least: filtered, most: filtered },
    { channel: 'words and vector', query: { text: word, vector: random.vector(4) }, least: all, most: all },
    { channel: 'vector', query: { vector: random.vector(4) }, least: [], most: all },
    { channel: 'recent', query: {}, least: [], most: all },
  ]
}

/** No record is left out by a gate or for its score. */
function loosened(given: Policy): Policy {
  const open = { ...given, gateStatus: false, gateCodes: [], riskGate: 'flag' as const }
  return 'thresholds' in open ? { ...open, thresholds: { strong: -1e9, weak: -1e9, weakLimit: 1000 } } : open
}

/** Mostly one that holds some of the records and not all. */
function partialScope(random: Random, records: readonly Stored[]): Scope {
  for (let tries = 0; ; tries++) {
    const scope = randomScope(random, records)
    const count = records.filter((record) => isInScope(record, scope)).length
    if (tries === 10 || (count > 0 && count < records.length)) return scope
  }
}

const facetKeys = [
  ...(['kind', 'project', 'topic', 'agent', 'bank', 'session', 'status', 'tags'] as const),
  ...(['metadata.size', 'metadata.flag', 'metadata.name'] as const),
]

/** Words of bodies: the last typed word is completed among the records that hold those before it. */
function suggestionsOf(records: readonly Stored[], prefix: string): readonly Suggestion[] {
  const typed = prefix.split(' ')
  const beginning = typed.pop()!
  const counts = new Map<string, number>()
  for (const { body = '' } of records) {
    const words = new Set(body!.split(' '))
    if (beginning === '' || !typed.every((word) => words.has(word))) continue
    for (const word of words)
      if (word.startsWith(beginning)) {
        const text = [...typed, word].join(' ')
        counts.set(text, (counts.get(text) ?? 0) + 1)
      }
  }
  return [...counts]
    .map(([text, count]) => ({ text, records: count }))
    .sort((a, b) => b.records - a.records || compareCodePoints(a.text, b.text))
}

/** Counts in plain loops over the records. */
function facetsOf(records: readonly Stored[], { keys, text = '', limit = 100 }: FacetRequest): Facets {
  const words = text.split(' ').filter((part) => part !== '')
  const matched = records.filter(({ body = '' }) => words.every((part) => body!.split(' ').includes(part)))
  const valuesOf = (
    { tags = [], metadata = {}, kind, status, ...fields }: Stored,
    key: FacetKey,
  ): readonly unknown[] => {
    if (key === 'tags') return tags
    if (key.startsWith('metadata.')) return [metadata[key.slice('metadata.'.length)]]
    if (key === 'kind' || key === 'status') return [{ kind, status }[key]]
    return [fields[key as 'project']]
  }
  const count = (key: FacetKey) => {
    const counts = new Map<string | number | boolean, number>()
    for (const record of matched)
      for (const value of valuesOf(record, key))
        if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
          counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts]
      .map(([value, times]) => ({ value, count: times }))
      .sort(
        (a, b) =>
          b.count - a.count ||
          compareCodePoints(String(a.value), String(b.value)) ||
          Number(typeof a.value === 'string') - Number(typeof b.value === 'string'),
      )
      .slice(0, limit)
  }
  return { matched: matched.length, facets: Object.fromEntries(keys.map((key) => [key, count(key)])) }
}
