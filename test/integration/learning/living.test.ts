/**
 * Simulates sixty days of an agent that asks, uses, dismisses and contradicts: due records surface in time,
 * contradicted ones sink, used ones rise, none starves, and no feedback runs away.
 */
import { describe, expect, it } from 'vitest'
import { policies } from '../../../src/core/policies/policies.ts'
import { dayMs, liveSixtyDays, topics } from '../../support/data/sixty-days.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'

const { learned } = policies.balanced

describe('sixty days', async () => {
  const { call, days } = await liveSixtyDays()
  const daysWith = (id: string) => days.filter(({ surfaced }) => surfaced.includes(id)).map(({ day }) => day)

  it('due records surface when they are due, and not in between', () => {
    expect(daysWith('weekly')).toEqual([7, 14, 21, 28, 35, 42, 49, 56])
    expect(daysWith('pressing')).toEqual(Array.from({ length: 20 }, (_, i) => 3 * (i + 1)))
  })

  it('records that proved right rise above those that proved wrong', async () => {
    for (const {
      places: { right, wrong },
    } of days.slice(-8)) {
      expect(right).toBe(0)
      expect(wrong).toBeGreaterThan(right)
    }
    const [right, wrong] = await call('get', { ids: ['deploy-right', 'deploy-wrong'] })
    expect(right?.confidence).toBeGreaterThan(0.8)
    expect(wrong?.confidence).toBeLessThan(0.2)
  })

  it('records without any outcome are still found', async () => {
    const shown = new Set(days.flatMap((one) => one.shown))
    for (const topic of topics) expect(shown).toContain(`${topic}-plain`)
    const { hits } = await call('recall', { query: { text: 'deploy number 17', limit: 3 } }, startOfTime + 61 * dayMs)
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

it('learned state cannot outweigh the match with the question', async () => {
  const { call } = await openEngine()
  await call('put', {
    batch: [
      { id: 'answer', body: 'jays hide acorns for the winter in the ground', confidence: 0 },
      { id: 'beloved', body: 'jays live in woods where others live too, and sing', confidence: 1 },
    ],
  })
  for (let round = 0; round < 200; round++)
    await call('acknowledge', { of: ['beloved'], outcomes: { beloved: 'acted' } }, startOfTime + round)
  const { hits } = await call('recall', { query: { text: 'where do jays hide acorns' } }, startOfTime + 90 * dayMs)
  expect(hits.map(({ id }) => id)).toEqual(['answer', 'beloved'])
  expect(hits[1]?.contributions.map(({ signal }) => signal)).toEqual(
    expect.arrayContaining(['confidence', 'decay', 'access']),
  )
})
