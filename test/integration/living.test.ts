/**
 * Sixty days of an agent that asks, uses, dismisses and contradicts: what is due surfaces when it is, what was contradicted
 * sinks, what was of use rises, nothing starves, and no feedback runs away.
 */
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/core/model/learned.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { openEngine, startOfTime } from '../support/open-engine.ts'
import { createRandom } from '../support/random.ts'

const day = 86_400_000
const { learned } = policies.balanced

describe('sixty days', async () => {
  const { call } = await openEngine()
  const topics = ['deploy', 'invoice', 'garden', 'travel']
  const record = (id: string, body: string) => ({ id, body })
  await call(
    'put',
    {
      batch: [
        // Of each topic three that say the same of it in other words: one proves right, one wrong, of one nobody tells.
        ...topics.flatMap((topic) => [
          record(`${topic}-right`, `${topic} notes alpha`),
          record(`${topic}-wrong`, `${topic} notes bravo`),
          record(`${topic}-plain`, `${topic} notes delta`),
          ...Array.from({ length: 20 }, (_, i) =>
            record(`${topic}-${i}`, `${topic} and number ${i} of many other words`),
          ),
        ]),
        // Due on each seventh day, and three days after it was last seen to.
        {
          id: 'weekly',
          body: 'water the plants',
          cycles: [{ periodSeconds: 604_800, amplitude: 0.6, phaseSeconds: startOfTime / 1000 }],
        },
        { id: 'pressing', body: 'call home', pressureRate: 0.2 },
      ],
    },
    startOfTime,
  )
  const random = createRandom(60)
  const surfaced: Record<string, number[]> = { weekly: [], pressing: [] }
  const places: { readonly right: number; readonly wrong: number }[] = []
  const shown = new Set<string>()
  for (let today = 1; today <= 60; today++) {
    const now = startOfTime + today * day
    const topic = topics[today % topics.length] as string
    const { records, proactive, receipt } = await call(
      'assemble',
      { query: { cues: { topic }, text: 'notes', maxItems: 8, reserveProactive: 2 } },
      now,
    )
    const ids = records.map(({ id }) => id)
    for (const id of ids) shown.add(id)
    for (const { id } of proactive) surfaced[id]?.push(today)
    places.push({ right: ids.indexOf(`${topic}-right`), wrong: ids.indexOf(`${topic}-wrong`) })
    const outcomes: Record<string, Outcome> = {}
    for (const id of ids) {
      if (id.endsWith('-right') || id === 'pressing') outcomes[id] = 'acted'
      else if (id.endsWith('-wrong')) outcomes[id] = 'contradicted'
      else if (id !== 'weekly' && random.below(4) === 0) outcomes[id] = random.pick(['used', 'dismissed'] as const)
    }
    await call('acknowledge', { of: receipt, outcomes }, now)
  }

  it('what is due surfaces when it is, and not between', () => {
    expect(surfaced.weekly).toEqual([7, 14, 21, 28, 35, 42, 49, 56])
    expect(surfaced.pressing).toEqual(Array.from({ length: 20 }, (_, i) => 3 * (i + 1)))
  })

  it('what proved right rises above what proved wrong', async () => {
    for (const { right, wrong } of places.slice(-8)) {
      expect(right).toBe(0)
      expect(wrong).toBeGreaterThan(right)
    }
    const [right, wrong] = await call('get', { ids: ['deploy-right', 'deploy-wrong'] })
    expect(right?.confidence).toBeGreaterThan(0.8)
    expect(wrong?.confidence).toBeLessThan(0.2)
  })

  it('nothing starves: what nobody told of is still found', async () => {
    for (const topic of topics) expect(shown).toContain(`${topic}-plain`)
    const { hits } = await call('recall', { query: { text: 'deploy number 17', limit: 3 } }, startOfTime + 61 * day)
    expect(hits[0]?.id).toBe('deploy-17')
  })
})

it('a thousand rounds of one outcome move no score beyond the declared weights', async () => {
  const { call } = await openEngine()
  const batch = ['told', 'other'].map((id) => ({
    id,
    body: 'the jay hides acorns',
    project: id,
    cycles: [{ periodSeconds: 86_400, amplitude: 50, phaseSeconds: 0 }],
  }))
  await call('put', { batch }, startOfTime)
  await call('link', { a: 'told', b: 'other' })
  const score = async (id: string, now: number) =>
    (await call('recall', { query: { text: 'jay acorns', collapse: 'none', scope: { ids: [id] } } }, now)).hits[0]
      ?.score ?? Number.NaN
  const before = await score('told', startOfTime)
  const most = learned.confidence + learned.decay + learned.access + learned.linked
  expect(most).toBeLessThanOrEqual(0.1)
  for (const [outcome, sign] of [
    ['acted', 1],
    ['contradicted', -1],
  ] as const) {
    for (let round = 1; round <= 1000; round++) {
      await call(
        'acknowledge',
        { of: ['told', 'other'], outcomes: { told: outcome, other: outcome } },
        startOfTime + round,
      )
      if (round % 100 !== 0) continue
      const now = await score('told', startOfTime + round)
      expect(Number.isFinite(now)).toBe(true)
      expect(Math.abs(now - before)).toBeLessThanOrEqual(most)
    }
    const [record] = await call('get', { ids: ['told'] })
    expect(record?.cycles[0]?.amplitude).toBe(sign === 1 ? 100 : 0)
    const { records, metadata } = await call(
      'assemble',
      { query: { text: 'jay acorns', surfacingThreshold: 0 } },
      startOfTime + 2000,
    )
    expect(records.length).toBeGreaterThan(0)
    for (const value of Object.values(metadata.scores)) expect(Number.isFinite(value)).toBe(true)
    expect((await call('linked', { id: 'told' }))[0]?.weight).toBe(1)
  }
})

it('what was learned cannot drown what the question says', async () => {
  const { call } = await openEngine()
  await call('put', {
    batch: [
      { id: 'answer', body: 'jays hide acorns for the winter in the ground', confidence: 0 },
      { id: 'beloved', body: 'jays live in woods where others live too, and sing', confidence: 1 },
    ],
  })
  for (let round = 0; round < 200; round++)
    await call('acknowledge', { of: ['beloved'], outcomes: { beloved: 'acted' } }, startOfTime + round)
  const { hits } = await call('recall', { query: { text: 'where do jays hide acorns' } }, startOfTime + 90 * day)
  expect(hits.map(({ id }) => id)).toEqual(['answer', 'beloved'])
  expect(hits[1]?.contributions.map(({ signal }) => signal)).toEqual(
    expect.arrayContaining(['confidence', 'decay', 'access']),
  )
})
