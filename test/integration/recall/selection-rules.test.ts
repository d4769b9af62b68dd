/** Tests soft filters, preferences, gates, minimum scores, warnings and words for recent times, end to end. */
import { describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { createRandom } from '../../support/data/random.ts'
import { startOfTime as now, openEngine, type TestEngine } from '../../support/stores/open-engine.ts'

const space = { name: 'eight', dimensions: 8 }
const { balanced, ctxsift, tokenpak } = policies

async function opened(batch: readonly RecordInput[]): Promise<TestEngine> {
  const engine = await openEngine({ space })
  const { records } = await engine.call('put', { batch })
  expect(records.map(({ outcome }) => outcome)).toEqual(batch.map(() => 'inserted'))
  return engine
}

const idsOf = async ({ call }: TestEngine, query: RecallQuery) =>
  (await call('recall', { query })).hits.map(({ id }) => id)

describe.each(['balanced', 'ctxsift'])('files under %s', async (policy) => {
  const random = createRandom(1)
  const near = random.vector(8)
  const far = near.map((x) => -x)
  const engine = await opened([
    ...Array.from({ length: 1100 }, (_, i) => ({ id: `better${i}`, body: `jay jay jay ${i}`, vectors: near })),
    {
      id: 'deep',
      body: 'one jay in a long talk of many other things',
      files: [{ path: 'SRC\\Deep\\Nest.ts' }],
      vectors: far,
    },
    { id: 'other', body: 'nothing of it', files: [{ path: 'docs/other.md' }], vectors: far },
  ])

  it.each(['src/deep/nest.ts', 'nest.ts', 'deep/nest', 'SRC\\DEEP'])(
    '[Q4] %s finds the one match behind 1,100 better ones',
    async (path) => {
      const query = { text: 'jay', files: [path], policy }
      expect(await idsOf(engine, query)).toEqual(['deep'])
      const { ledger } = await engine.call('recall', { query: { ...query, ledger: true } })
      expect(ledger.find(({ id }) => id === 'better7')).toMatchObject({
        stage: 'gate',
        reason: 'of none of the files asked for',
      })
    },
  )

  it('are dropped where none of their records matches', async () => {
    for (const files of [['docs/other.md'], ['nowhere.ts']]) {
      const { hits, ledger } = await engine.call('recall', { query: { text: 'jay', files, policy, ledger: true } })
      expect(ledger.filter(({ stage }) => stage === 'gate')).toEqual([])
      expect(hits.map(({ id }) => id)).not.toContain('other')
      // Without the bonus of a file no answer of ctxsift is strong enough here.
      expect(hits.length).toBe(policy === 'ctxsift' ? 0 : 10)
    }
  })

  it('apply to a record that is near only by vector, and to no other', async () => {
    const near8 = { files: ['other.md'], policy }
    expect(await idsOf(engine, { vector: far, ...near8 })).toEqual(['other'])
    expect(await idsOf(engine, { vector: near, ...near8 })).not.toContain('other')
  })

  it('control: without them the match is not among the first', async () => {
    expect(await idsOf(engine, { text: 'jay', policy })).not.toContain('deep')
  })
})

describe('prefer', async () => {
  const batch = [
    { id: 'best', body: 'jay jay jay acorn', project: 'wren' },
    { id: 'preferred', body: 'jay and an acorn and more', project: 'jay', kind: 'vault', topic: 'nests' },
    { id: 'silent', body: 'nothing of it', project: 'jay' },
  ]
  const engine = await opened(batch)

  it('boosts under balanced, byte for byte, and adds no record that does not match', async () => {
    const scores = async (prefer: NonNullable<RecallQuery['prefer']>) => {
      const { hits } = await engine.call('recall', { query: { text: 'jay acorn', prefer } })
      return new Map(hits.map(({ id, score }) => [id, score]))
    }
    const plain = await scores({})
    const boosted = await scores({ project: 'jay', kind: 'vault', topic: 'nests' })
    expect([...boosted.keys()].sort()).toEqual(['best', 'preferred'])
    expect(boosted.get('preferred')! - plain.get('preferred')!).toBeCloseTo(0.2, 12)
    expect(boosted.get('best')).toBe(plain.get('best'))
    expect(await scores({ project: 'Jay', kind: 'vaul' })).toEqual(plain)
  })

  it('adds records that do not match under tokenpak, and topic weighs nothing', async () => {
    const policy = 'tokenpak'
    expect((await idsOf(engine, { text: 'jay acorn', policy })).sort()).toEqual(['best', 'preferred'])
    const query = { text: 'jay acorn', prefer: { project: 'jay', topic: 'nests' }, policy }
    const { hits } = await engine.call('recall', { query })
    expect(hits.map(({ id }) => id).sort()).toEqual(['best', 'preferred', 'silent'])
    const amounts = hits.flatMap(({ contributions }) =>
      contributions.filter(({ signal }) => signal.startsWith('prefer.')),
    )
    expect(new Set(amounts.map(({ signal, amount }) => `${signal} ${amount}`))).toEqual(new Set(['prefer.project 0.5']))
  })
})

describe('gates', async () => {
  const engine = await opened([
    { id: 'open', body: 'jay' },
    { id: 'blocked', body: 'jay a', risks: [{ flag: 'mandatory_context_missing' }] },
    { id: 'warned', body: 'jay b', risks: [{ flag: 'governance_applies' }] },
    { id: 'off', body: 'jay c', reasons: [{ code: 'excluded_by_policy' }] },
    { id: 'copy', body: 'jay d', reasons: [{ code: 'duplicate_context', weight: 0.5 }] },
  ])
  const all = ['blocked', 'copy', 'off', 'open', 'warned']

  it.each<[string, object, string[]]>([
    ['balanced flags a risk that blocks, gates what is excluded by policy', balanced, ['off']],
    ['riskGate exclude gates what blocks alone', { ...balanced, riskGate: 'exclude' }, ['blocked', 'off']],
    ['gateCodes name what is gated', { ...balanced, gateCodes: ['duplicate_context'] }, ['copy']],
    ['none gates none', { ...balanced, gateCodes: [] }, []],
    ['tokenpak weighs them all', tokenpak, []],
  ])('%s', async (_name, policy, gated) => {
    const query = { text: 'jay', policy: policy as never, ledger: true }
    const { hits, ledger } = await engine.call('recall', { query })
    expect(hits.map(({ id }) => id).sort()).toEqual(all.filter((id) => !gated.includes(id)))
    expect(ledger.map(({ id, stage }) => `${id} ${stage}`).sort()).toEqual(gated.map((id) => `${id} gate`))
    expect(hits.find(({ id }) => id === 'blocked')?.riskSeverities ?? ['block']).toEqual(['block'])
    expect(hits.find(({ id }) => id === 'warned')?.riskSeverities).toEqual(['warn'])
  })
})

describe('minimum scores', async () => {
  const engine = await opened(
    Array.from({ length: 30 }, (_, i) => ({
      id: `r${i}`,
      body: `jay ${'word '.repeat(i)}`,
      createdAt: now - i,
      updatedAt: now - i,
    })),
  )

  it('minScore leaves out lower scores, whatever the limit', async () => {
    const asked = { text: 'jay', collapse: 'none' as const }
    const { hits } = await engine.call('recall', { query: { ...asked, limit: 30 } })
    expect(hits).toHaveLength(30)
    const minScore = hits[11]!.score
    const policy = { ...balanced, minScore }
    for (const limit of [5, 12, 30, 1000]) {
      const answer = await engine.call('recall', { query: { ...asked, limit, policy, ledger: true } })
      expect(answer.hits).toEqual(hits.slice(0, Math.min(limit, 12)))
      expect(answer.ledger.filter(({ stage }) => stage === 'threshold')).toHaveLength(18)
    }
    expect(await idsOf(engine, { ...asked, policy: { ...balanced, minScore: 99 } })).toEqual([])
  })

  it('thresholds return all strong hits, else a few weak ones, else none', async () => {
    const under = (thresholds: object) =>
      engine.call('recall', {
        query: { text: 'jay', limit: 30, ledger: true, policy: { ...ctxsift, thresholds } as never },
      })
    const { hits } = await under({ strong: -1e6, weak: -1e6, weakLimit: 0 })
    const [best, tenth] = [hits[0]!.score, hits[9]!.score]
    expect(best).toBeGreaterThan(tenth)
    const strong = await under({ strong: tenth, weak: 0, weakLimit: 1 })
    expect(strong.hits).toEqual(hits.filter(({ score }) => score >= tenth))
    const weak = await under({ strong: best + 1, weak: tenth, weakLimit: 2 })
    expect(weak.hits).toEqual(hits.slice(0, 2))
    expect(weak.ledger.find(({ id }) => id === hits[2]?.id)?.reason).toBe('a weak answer holds at most 2')
    expect((await under({ strong: best + 1, weak: best + 1, weakLimit: 5 })).hits).toEqual([])
  })
})

describe('warnings', async () => {
  const engine = await opened([
    { id: 'old', body: 'jay jay jay acorn', status: 'superseded', supersededBy: 'new' },
    { id: 'new', body: 'a jay, and an acorn, and many other words beside them' },
  ])
  const warned = async (query: RecallQuery) => (await engine.call('recall', { query })).warnings

  it('report a stale record above its successor, and a record whose successor is missing', async () => {
    const outranks = [{ code: 'stale_outranks_successor', ids: ['old', 'new'] }]
    expect(await warned({ text: 'jay acorn', policy: 'tokenpak' })).toEqual(outranks)
    expect(await warned({ text: 'jay acorn', policy: 'tokenpak', limit: 1 })).toEqual(outranks)
    expect(await warned({ text: 'jay acorn', policy: 'tokenpak', exclude: ['new'] })).toEqual(outranks)
  })

  it('control: are absent where the successor ranks above, or the stale record is gated', async () => {
    expect(await warned({ text: 'many words jay', policy: 'tokenpak' })).toEqual([])
    expect(await warned({ text: 'jay acorn' })).toEqual([])
  })
})

describe('words for recent times', async () => {
  const engine = await opened([
    { id: 'newest', body: 'a nest, and many other words that make the text long', createdAt: now },
    ...Array.from({ length: 12 }, (_, i) => ({
      id: `r${i}`,
      title: 'nest',
      body: `nest nest ${i}`,
      createdAt: now - 1 - i,
    })),
  ])
  const placeOfNewest = async (text: string) => (await idsOf(engine, { text, policy: 'ctxsift' })).indexOf('newest')

  it.each(['current', 'latest', 'newest', 'recent', 'today', 'yesterday', 'LATEST'])(
    '%s lifts the newest',
    async (word) => {
      expect(await placeOfNewest(`nest ${word}`)).toBe(0)
    },
  )

  it.each(['lately', 'todays', 'recently'])('control: %s does not', async (word) => {
    expect(await placeOfNewest(`nest ${word}`)).not.toBe(0)
  })
})
