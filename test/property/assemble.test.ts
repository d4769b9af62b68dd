/**
 * Tests the laws of selection for context packages with random requests: budgets from zero to plenty, texts from one
 * letter to more than any budget, in scripts of every width.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { fitBudget } from '../../src/core/assemble/budget.ts'
import { formatterOf } from '../../src/core/assemble/formats.ts'
import { type AssembleRequest, type ContextPackage, contextFormats } from '../../src/core/model/assemble.ts'
import type { RecordInput, StoredRecord } from '../../src/core/model/record.ts'
import { estimateTokens } from '../../src/core/text/tokens/token-count.ts'
import { createRandom } from '../support/data/random.ts'
import { sized } from '../support/data/sized.ts'
import { otherPolicies } from '../support/stores/every-policy.ts'
import { openEngine, startOfTime, type TestEngine } from '../support/stores/open-engine.ts'

/** The pure part gets thousands of budgets, the engine some hundreds: each of those needs two recalls. */
const numRuns = sized(150)
const seed = 20_260
const now = startOfTime + 86_400_000

let opened: TestEngine
beforeAll(async () => {
  opened = await openEngine()
  await opened.call('put', { batch: records() }, startOfTime)
})

const words = [
  'jay',
  'acorn',
  'winter',
  'nest',
  'cache',
  'カケスは森に住む',
  '松鸦储存橡子',
  '🐦🌰',
  'größer',
  'src/nest.ts',
  '<tag>&',
  '\n# head',
]

function records(): RecordInput[] {
  const random = createRandom(seed)
  return Array.from({ length: 60 }, (_, i): RecordInput => {
    const length = i % 20 === 5 ? 1500 : [1, 3, 12, 40, 120][i % 5]!
    const body = Array.from({ length }, () => random.pick(words)).join(' ')
    return {
      id: `r${i}`,
      // Some have the same text as others.
      body: i % 10 === 9 ? 'jay acorn' : `jay ${body}`,
      title: i % 4 === 0 ? random.pick(words) : null,
      tags: i % 3 === 0 ? ['a, b', 'c'] : [],
      project: i % 2 === 0 ? 'wren' : null,
      cycles: i % 5 === 4 ? [{ periodSeconds: 86_400, amplitude: (i % 3) + 0.4, phaseSeconds: 0 }] : [],
      pressureRate: i % 7 === 6 ? 0.6 : 0,
      source: i % 9 === 8 ? null : i % 3 === 0 ? 'mail' : 'web',
      status: i % 20 === 13 ? 'deprecated' : 'active',
    }
  })
}

const requests: fc.Arbitrary<AssembleRequest> = fc.record(
  {
    text: fc.constantFrom('', 'jay', 'acorn nest', 'winter cache 松鸦', 'zebra', 'größer 🐦'),
    maxTokens: fc.oneof(
      fc.constantFrom(0, 1, 2, 7),
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 20_000 }),
    ),
    maxItems: fc.integer({ min: 0, max: 25 }),
    format: fc.constantFrom(...contextFormats),
    overflow: fc.constantFrom('skip' as const, 'stop' as const),
    reserveProactive: fc.integer({ min: 0, max: 6 }),
    surfacingThreshold: fc.constantFrom(-1, 0.5, 1.5, 50),
    scope: fc.constantFrom({}, { project: 'wren' }, { ids: ['r4', 'r9', 'r19', 'r29'] }),
    perSource: fc.constantFrom(1, 2, 4, 1000),
    suppress: fc.uniqueArray(fc.constantFrom('r0', 'r4', 'r9', 'r14', 'r19')),
  },
  { requiredKeys: [] },
)

const ids = ({ records: selected }: ContextPackage) => selected.map(({ id }) => id)
const assemble = (query: AssembleRequest, engine = opened) => engine.call('assemble', { query }, now)

/** Every pulled candidate in order, and the ids that an equivalent recall lost on the way. */
async function pulled(query: AssembleRequest, engine = opened) {
  const { text = '', scope = {}, suppress = [], maxItems = 10, perSource, policy } = query
  if (text.trim() === '') return { hits: [], lost: [] }
  const limit = Math.max(1, 2 * maxItems)
  const exclude = suppress as readonly string[]
  const answer = await engine.call(
    'recall',
    { query: { text, scope, exclude, limit, perSource, policy, ledger: true } },
    now,
  )
  return { hits: answer.hits.map(({ id }) => id), lost: answer.ledger.map(({ id }) => id) }
}

describe('[S1] the budget', () => {
  it('is kept by the text as it is, or a single record exceeds it', async () => {
    const tally = { within: 0, over: 0, dropped: 0 }
    const check = async (query: AssembleRequest) => {
      const made = await assemble(query)
      const { metadata, formatted, ledger } = made
      expect(metadata.tokenCount).toBe(estimateTokens(formatted))
      const budget = query.maxTokens ?? Number.POSITIVE_INFINITY
      expect(metadata.overflow).toBe(metadata.tokenCount > budget)
      if (metadata.overflow) expect(made.records.length).toBeLessThanOrEqual(1)
      tally[metadata.overflow ? 'over' : 'within']++
      if (ledger.some(({ stage }) => stage === 'tokens')) tally.dropped++
    }
    await fc.assert(fc.asyncProperty(requests, check), { seed, numRuns })
    // Neither is everything too long nor does everything fit.
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(numRuns / 10)
  })

  it('leaves out no record that would fit, one by one', async () => {
    const { items } = await opened.call('list', { filter: { limit: 100 } })
    const check = (
      order: number[],
      maxTokens: number,
      format: (typeof contextFormats)[number],
      overflow: 'skip' | 'stop',
    ) => {
      const formatter = formatterOf(format, now)
      const segments = order.map((i) => formatter.segment(entryOf(items[i]!)))
      const given = segments.map((_, i) => i)
      const { kept } = fitBudget(segments, given, { formatter, countTokens: estimateTokens, maxTokens, overflow })
      expect(kept).toEqual(greedily(segments, (texts) => estimateTokens(formatter.wrap(texts)) <= maxTokens, overflow))
    }
    const orders = fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 12 })
    const budgets = fc.oneof(fc.nat(400), fc.nat(12_000))
    fc.assert(
      fc.property(orders, budgets, fc.constantFrom(...contextFormats), fc.constantFrom('skip', 'stop'), check),
      { seed, numRuns: sized(1000) },
    )
  })

  it('is counted by the given counter', () => {
    const formatter = formatterOf('content', now)
    // By letters; by segments of a hundred, which joining makes fewer; and one that counts only lines.
    for (const countTokens of [
      (text: string) => text.length,
      (text: string) => Math.ceil(text.length / 100),
      (text: string) => text.split('\n').length,
    ])
      for (const maxTokens of [0, 1, 3, 10, 100, 1000]) {
        const segments = Array.from({ length: 20 }, (_, i) => 'x'.repeat(1 + ((i * 37) % 90)))
        const order = segments.map((_, i) => i)
        const fitted = fitBudget(segments, order, { formatter, countTokens, maxTokens, overflow: 'skip' })
        expect(fitted.tokenCount).toBe(countTokens(fitted.formatted))
        expect(fitted.overflow ? fitted.kept.length : 1).toBe(1)
        expect(fitted.tokenCount <= maxTokens || fitted.overflow).toBe(true)
      }
  })
})

function entryOf(record: StoredRecord) {
  return { record, score: 1, freshness: 'fresh', matched: [] }
}

/** The budget a second time, implemented from the specification. */
function greedily(segments: readonly string[], fits: (texts: readonly string[]) => boolean, overflow: 'skip' | 'stop') {
  const kept = [0]
  for (let i = 1; i < segments.length; i++) {
    if (fits([...kept, i].map((index) => segments[index]!))) kept.push(i)
    else if (overflow === 'stop') break
  }
  return kept
}

describe.each([['balanced', undefined] as const, ...otherPolicies.map(([name, policy]) => [name, policy] as const)])(
  'under %s',
  (name, policy) => {
    const runs = { seed, numRuns: sized(name === 'balanced' ? 50 : 25) }

    it('[S5] every candidate is selected or in the ledger, once', async () => {
      const check = async (asked: AssembleRequest) => {
        const query = { ...asked, policy }
        const made = await assemble(query)
        const { hits, lost } = await pulled(query)
        const scope: readonly (string | undefined)[] =
          query.scope?.ids ??
          records().flatMap(({ id, project }) => (query.scope?.project && project !== 'wren' ? [] : [id]))
        const cyclic = records().filter(
          ({ id, cycles = [], pressureRate = 0 }) => scope.includes(id) && (cycles.length > 0 || pressureRate > 0),
        )
        const candidates = new Set([...hits, ...lost, ...cyclic.map(({ id }) => id)])
        const found = [...ids(made), ...made.ledger.map(({ id }) => id)]
        expect(new Set(found).size).toBe(found.length)
        expect(new Set(found)).toEqual(candidates)
        for (const { reason } of made.ledger) expect(reason).not.toBe('')
      }
      await fc.assert(fc.asyncProperty(requests, check), runs)
    })

    it('[S2] [S3] the order is the merged one, without copies', async () => {
      const check = async (asked: AssembleRequest) => {
        const query = { ...asked, policy }
        const made = await assemble(query)
        const { hits } = await pulled(query)
        const proactive = new Set(made.proactive.map(({ id }) => id))
        const asPulled = ids(made).filter((id) => !proactive.has(id))
        expect(hits.filter((id) => asPulled.includes(id))).toEqual(asPulled)
        if ((query.reserveProactive ?? 0) === 0)
          expect(ids(made)).toEqual([...asPulled, ...made.proactive.map(({ id }) => id)])
        const scores = made.proactive.map(({ id }) => made.metadata.scores[id]!)
        expect(scores).toEqual(scores.toSorted((a, b) => b - a))
        expect(made.records.length).toBeLessThanOrEqual(query.maxItems ?? 10)
        if (name !== 'balanced' && name !== 'tokenpak') return
        const contents = made.records.map(({ contentHash, authorityTier }) => `${contentHash} ${authorityTier}`)
        expect(new Set(contents).size).toBe(contents.length)
      }
      await fc.assert(fc.asyncProperty(requests, check), runs)
    })

    it('[S4] more places only append', async () => {
      const check = async (asked: AssembleRequest, more: number) => {
        const query = { ...asked, policy, reserveProactive: 0, maxTokens: undefined }
        const few = ids(await assemble(query))
        const many = ids(await assemble({ ...query, maxItems: (query.maxItems ?? 10) + more }))
        expect(many.slice(0, few.length)).toEqual(few)
      }
      await fc.assert(fc.asyncProperty(requests, fc.integer({ min: 1, max: 20 }), check), runs)
    })
  },
)

it('[D1] [D3] packages are the same bytes, whatever the order of insertion', async () => {
  const other = await openEngine()
  for (const record of createRandom(seed).shuffled(records())) await other.call('put', { batch: [record] }, startOfTime)
  const spell = ({ receipt: { storeRevision: _revision, ...receipt }, ...made }: ContextPackage) =>
    JSON.stringify({ ...made, ledger: made.ledger, receipt })
  const check = async (query: AssembleRequest) => {
    const own = await assemble(query)
    expect(spell(await assemble(query))).toBe(spell(own))
    expect(spell(await assemble(query, other))).toBe(spell(own))
  }
  await fc.assert(fc.asyncProperty(requests, check), { seed, numRuns: 60 })
})
