/**
 * Tests context packages end to end: records that the question finds, linked ones and due ones; and what `assess` measures.
 */
import { describe, expect, it } from 'vitest'
import type { AssembleRequest, ContextPackage } from '../../../src/core/model/assemble.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { estimateTokens } from '../../../src/core/text/tokens/token-count.ts'
import { dump } from '../../support/stores/dump.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { assemble, batch, confidenceOf, day, now, opened } from './assembling-store.ts'

const idsOf = ({ records }: ContextPackage) => records.map(({ id }) => id)

describe('the records of a context', () => {
  it('are first those that the question finds, then those that are due', async () => {
    const made = await assemble({ text: 'deploy release', format: 'json' })
    expect(idsOf(made)).toEqual(['deploy', 'branch', 'report', 'other'])
    expect(made.proactive.map(({ id }) => id)).toEqual(['report', 'other'])
    expect(made.metadata).toMatchObject({ pullCount: 2, pushCount: 2, totalCandidates: 4, overflow: false })
    expect(made.metadata.scores.report).toBe(1)
    expect(made.evidence.strength).not.toBe('none')
    expect(JSON.parse(made.formatted)).toMatchObject([
      { id: 'deploy' },
      { id: 'branch' },
      { id: 'report' },
      { id: 'other' },
    ])
    expect(made.metadata.tokenCount).toBe(estimateTokens(made.formatted))
    expect(made.ledger).toContainEqual({ id: 'renew', reason: 'not due: below 0.5', stage: 'surfacing' })
    expect(made.plan.channels.cyclic).toMatchObject({ ran: true, scanned: 3, matched: 2 })
  })

  it('are those that are due, without a question', async () => {
    const made = await assemble()
    expect(idsOf(made)).toEqual(['report', 'other'])
    expect(made.evidence).toEqual({ strength: 'none', probability: 0, coverage: 0, topCosine: null, gap: 0 })
    expect(made.plan.channels.lexical).toMatchObject({ ran: false, why: 'nothing was asked' })
    expect(idsOf(await assemble({ scope: { project: 'kitchen' } }))).toEqual(['other'])
    expect(idsOf(await assemble({ scope: { project: 'garage' } }))).toEqual([])
  })

  it('surface only when they are due', async () => {
    const due = async (days: number) => idsOf(await assemble({}, now + days * day))
    expect(await due(0)).toContain('report')
    expect(await due(3.5)).not.toContain('report')
    expect(await due(7)).toContain('report')
    // 0.3 a day: at 0.5 on the second day.
    expect(await due(0.5)).not.toContain('renew')
    expect(await due(1)).toContain('renew')
    await opened.call('acknowledge', { of: ['renew'], outcomes: { renew: 'acted' } }, now + day)
    expect(await due(1.1)).not.toContain('renew')
    expect(await due(3)).toContain('renew')
  })

  it('include what cues find: cues join the text; their labels filter nothing', async () => {
    const made = await assemble({ cues: { project: 'deploy', mood: 'release' } })
    const asked = await assemble({ text: 'deploy\nrelease' })
    expect(idsOf(made)).toEqual(idsOf(asked))
  })

  it('include those that were used together with what the question finds', async () => {
    expect(idsOf(await assemble({ text: 'deploy' }))).not.toContain('token')
    await opened.call('link', { a: 'deploy', b: 'token', weight: 0.8 })
    const made = await assemble({ text: 'deploy' })
    expect(idsOf(made)).toContain('token')
    expect(made.plan.channels.linked).toMatchObject({ ran: true, matched: 1 })
    expect(made.metadata.scores.token).toBeLessThan(made.metadata.scores.deploy ?? 0)
    // No word of it is in the question: its score is what the link adds, 0.8 a hop of 0.03.
    expect(made.metadata.scores.token).toBeCloseTo(0.03 * 0.8, 3)
    expect(idsOf(await assemble({ text: 'deploy', propagationDepth: 0 }))).not.toContain('token')
    await opened.call('link', { a: 'token', b: 'other', weight: 1 })
    expect(idsOf(await assemble({ text: 'deploy', surfacingThreshold: 2 }))).toContain('other')
    expect(idsOf(await assemble({ text: 'deploy', surfacingThreshold: 2, propagationDepth: 1 }))).not.toContain('other')
  })

  it('include no linked record outside the scope, and none that is gated', async () => {
    await opened.call('link', { a: 'deploy', b: 'other', weight: 1 })
    await opened.call('link', { a: 'deploy', b: 'token', weight: 1 })
    await opened.call('patch', { id: 'token', fields: { status: 'deprecated' } })
    const made = await assemble({ text: 'deploy', scope: { ids: ['deploy', 'token'] } })
    expect(idsOf(made)).toEqual(['deploy'])
    expect(made.ledger).toContainEqual({ id: 'token', reason: 'deprecated', stage: 'gate' })
  })

  it('leave out what was shown before, and the ledger says so', async () => {
    const made = await assemble({ text: 'deploy release', suppress: ['deploy', 'report'], exclude: ['branch'] })
    expect(idsOf(made)).toEqual(['other'])
    expect(made.ledger).toContainEqual({ id: 'deploy', reason: 'shown in this conversation already', stage: 'gate' })
    expect(made.ledger).toContainEqual({ id: 'report', reason: 'shown in this conversation already', stage: 'gate' })
    expect(made.ledger).toContainEqual({ id: 'branch', reason: 'excluded by the query', stage: 'gate' })
  })

  it('include places reserved for due records', async () => {
    expect(idsOf(await assemble({ text: 'deploy release', maxItems: 2 }))).toEqual(['deploy', 'branch'])
    const made = await assemble({ text: 'deploy release', maxItems: 2, reserveProactive: 1 })
    expect(idsOf(made)).toEqual(['deploy', 'report'])
    expect(made.ledger).toContainEqual({ id: 'branch', reason: 'beyond maxItems 2', stage: 'items' })
    expect(idsOf(await assemble({ text: 'deploy release', maxItems: 1, reserveProactive: 1 }))).toEqual(['report'])
    expect(idsOf(await assemble({ text: 'deploy release', maxItems: 0 }))).toEqual([])
  })

  it.each([
    ['balanced', 'skip'],
    ['tokenpak', 'skip'],
    ['ctxsift', 'skip'],
    ['secondBrain', 'skip'],
    ['popoto', 'stop'],
  ] as const)('%s follows %s where a record does not fit the tokens', async (policy, rule) => {
    const other = await openOver({ space: { name: 'two', dimensions: 2 } })
    const short = (id: string, at: number): RecordInput => ({ id, body: `deploy ${id}`, createdAt: at, updatedAt: at })
    const vectors = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine))
    await other.call('put', {
      batch: [
        { ...short('first', startOfTime), vectors: vectors(1) },
        {
          ...short('second', startOfTime - day),
          // Long, and it matches neither better nor worse.
          tags: Array.from({ length: 90 }, (_, i) => `long tag ${i}`),
          vectors: vectors(0.98),
        },
        { ...short('third', startOfTime - 2 * day), vectors: vectors(0.95) },
        { ...short('fourth', startOfTime - 3 * day), vectors: vectors(0.9) },
      ],
    })
    const request = { text: 'deploy', vector: vectors(1), policy, surfacingThreshold: 9, format: 'json' } as const
    const ask = async (more: AssembleRequest) => {
      const made = await other.call('assemble', { query: { ...request, ...more } }, startOfTime)
      return { ids: idsOf(made), tokens: made.ledger.filter(({ stage }) => stage === 'tokens') }
    }
    const order = (await ask({})).ids
    expect(order.toSorted()).toEqual(['first', 'fourth', 'second', 'third'])
    // What does not fit is neither first nor last.
    expect([0, 3]).not.toContain(order.indexOf('second'))
    const expected = {
      skip: order.filter((id) => id !== 'second'),
      stop: order.slice(0, order.indexOf('second')),
    }
    const { ids, tokens } = await ask({ maxTokens: 500 })
    expect(ids).toEqual(expected[rule])
    expect(tokens.map(({ id }) => id).toSorted()).toEqual(order.filter((id) => !ids.includes(id)).toSorted())
    for (const overflow of ['skip', 'stop'] as const)
      expect((await ask({ maxTokens: 500, overflow })).ids).toEqual(expected[overflow])
  })

  it('come from no question when the evidence is too weak', async () => {
    const made = await assemble({ text: 'deploy a zebra, a unicorn and a walrus on Mars', minEvidence: 'strong' })
    expect(made.metadata.pullCount).toBe(0)
    expect(idsOf(made)).toEqual(['report', 'other'])
  })

  it('have an authority block', async () => {
    const authority = {
      enabled: true,
      tiers: [{ id: 'canon', priority: 1, label: 'Canon' }],
      tierByBank: { law: 'canon' },
    }
    const ruled = await openOver({ authority })
    await ruled.call('put', { batch: [{ id: 'x', body: 'deploy at noon', bank: 'law' }] })
    const { authorityContext } = await ruled.call('assemble', { query: { text: 'deploy' } })
    expect(authorityContext).toBe('Canon\n- deploy at noon\n')
  })
})

describe('policy popoto', () => {
  it('scores every record of the scope by its learned state, and cuts as the published implementation does', async () => {
    await opened.call('patch', { id: 'token', fields: { importance: 3 } }, startOfTime)
    const made = await assemble({ cues: { topic: 'deploy' }, policy: 'popoto', maxItems: 2, surfacingThreshold: 1.5 })
    // 0.6 · 3 + 0.3 · 0.5 after a day; the others 0.6 + 0.15, the higher id first.
    expect(idsOf(made)).toEqual(['token', 'report'])
    expect(made.metadata.scores.token).toBeCloseTo(1.95, 12)
    expect(made.metadata.scores.report).toBeCloseTo(0.75, 12)
    expect(made.effects.suppressed).toHaveLength(2)
    await opened.call('acknowledge', { of: made.receipt, outcomes: {} }, now)
    expect(await confidenceOf(made.effects.suppressed[0] ?? '')).toBeCloseTo(0.4, 12)
  })

  it('returns nothing when the existence filter rules out every cue', async () => {
    const made = await assemble({ cues: { a: 'zebra', b: 'unicorn' }, policy: 'popoto', surfacingThreshold: 100 })
    expect(made.records).toEqual([])
    expect(made.plan.existence).toEqual({ mightExist: false, tokens: 2 })
    expect(made.plan.channels.recent.ran).toBe(false)
    const one = await assemble({ cues: { a: 'zebra', b: 'deploy' }, policy: 'popoto', surfacingThreshold: 100 })
    expect(one.records).toHaveLength(batch.length)
  })

  it('adds what links pass on', async () => {
    await opened.call('patch', { id: 'token', fields: { importance: 3 } }, startOfTime)
    await opened.call('link', { a: 'token', b: 'branch', weight: 0.8 })
    const made = await assemble({ text: 'deploy', policy: 'popoto', maxItems: 1, surfacingThreshold: 100 })
    const two = await assemble({
      text: 'deploy',
      policy: 'popoto',
      maxItems: 2,
      surfacingThreshold: 100,
      propagationDepth: 2,
    })
    expect(idsOf(made)).toEqual(['token'])
    // The first record has only its own link among the first two.
    expect(two.plan.channels.linked).toMatchObject({ ran: true })
    expect(idsOf(two)).toEqual(['token', 'branch'])
    expect(two.metadata.scores.branch).toBeCloseTo(0.75 + 0.4, 12)
  })

  it('surfaces by the whole cyclic score', async () => {
    // Decay 1 after a day, plus 1 from the cycle.
    const at = async (surfacingThreshold: number) =>
      (await assemble({ policy: 'popoto', surfacingThreshold, scope: { ids: ['report', 'renew'] } })).proactive
    expect((await at(1.9)).map(({ id }) => id)).toEqual(['report'])
    expect((await at(1.2)).map(({ id }) => id)).toEqual(['report', 'renew'])
    expect(await at(2.1)).toEqual([])
    expect(await at(0)).toHaveLength(2)
  })
})

describe('assess', () => {
  it('measures what a recall would find', async () => {
    const quality = await opened.call('assess', { query: { cues: { what: 'deploy', who: 'zebra' } } }, now)
    // One of ten candidates, not faint: 0.6 · 1 + 0.3 · 0.5 is above one half.
    expect(quality.perCue.what).toEqual({
      fok: 0.4 + 0.4 * 0.1,
      familiarity: 1,
      partialRetrieval: 0.1,
      subthreshold: 0,
    })
    expect(quality.perCue.who).toMatchObject({ familiarity: 0 })
    expect(quality.fok).toBeCloseTo((0.44 + 0.04) / 2, 12)
    expect(quality.avgConfidence).toBe(0.5)
    expect(quality.scoreDistribution).toHaveLength(1)
  })

  it('returns zeros for an empty store and 0.5 for an unknown cue', async () => {
    expect(await opened.call('assess', { query: {} })).toMatchObject({ fok: 0, avgConfidence: 0, perCue: {} })
    const missing = await opened.call('assess', { query: { cues: { a: 'zebra' }, text: 'unicorn' } })
    expect(missing).toEqual({
      fok: 0,
      avgConfidence: 0.5,
      scoreSpread: 0,
      stalenessRatio: 0,
      scoreDistribution: [],
      perCue: {
        a: { fok: 0, familiarity: 0, partialRetrieval: 0, subthreshold: 0 },
        text: { fok: 0, familiarity: 0, partialRetrieval: 0, subthreshold: 0 },
      },
    })
  })

  it('comes with a package on request', async () => {
    const { metadata } = await assemble({ text: 'deploy', assessQuality: true })
    expect(metadata.quality?.perCue.text?.familiarity).toBe(1)
    expect(metadata.quality?.avgConfidence).toBe(0.5)
    expect('quality' in (await assemble({ text: 'deploy' })).metadata).toBe(false)
  })
})

it.each([
  [{ format: 'yaml' }, 'request.format'],
  [{ maxItems: -1 }, 'request.maxItems'],
  [{ maxItems: 1001 }, 'request.maxItems'],
  [{ perSource: 0 }, 'request.perSource'],
  [{ maxTokens: 1.5 }, 'request.maxTokens'],
  [{ surfacingThreshold: Number.NaN }, 'request.surfacingThreshold'],
  [{ propagationDepth: 6 }, 'request.propagationDepth'],
  [{ overflow: 'cut' }, 'request.overflow'],
  [{ cues: ['a'] }, 'request.cues'],
  [{ cues: { a: 5 } }, 'request.cues.a'],
  [{ suppress: 'a' }, 'request.suppress'],
  [{ text: 5 }, 'request.text'],
  [{ scope: { projet: 'x' } }, 'request.scope.projet'],
  [{ limit: 5 }, 'request.limit'],
  [{ commitEffects: 'yes' }, 'request.commitEffects'],
  [{ reserveProactive: '1' }, 'request.reserveProactive'],
])('refuses %o before any read, and names the field', async (request, field) => {
  const before = dump(opened.database)
  await expect(assemble(request as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
  expect(dump(opened.database)).toBe(before)
})

it.each([
  [{ effects: 'all' }, 'receipt.effects'],
  [{ effects: { reads: ['a'], surfaced: [], suppressed: [5], scope: '{}' } }, 'receipt.effects.suppressed[0]'],
  [{ effects: { reads: [], surfaced: [], suppressed: [], scope: 'none' } }, 'receipt.effects.scope'],
])('refuses a receipt with effects like %o', async (changed, field) => {
  const { receipt } = await assemble({ text: 'deploy' })
  const of = { ...receipt, ...changed } as never
  await expect(opened.call('acknowledge', { of, outcomes: {} })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    field,
  })
})
