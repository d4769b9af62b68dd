/**
 * Tests TokenPak's numbers, docs/spec/records.md#reason-codes and #convex-fusion: each summand by itself, collapse, order and
 * limits.
 */
import { describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import { reasonCodes } from '../../src/core/model/reason-codes.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { RecallResult } from '../../src/core/model/result.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { oracleRecordOf } from '../support/oracles/oracle-record.ts'
import { dayMs } from '../support/oracles/random-store.ts'
import { type TokenpakQuery, tokenpakConstants, tokenpakRanking } from '../support/oracles/tokenpak.ts'
import { openForPolicies } from '../support/stores/open-for-policies.ts'

const now = Date.UTC(2026, 4, 1)
const { tokenpak } = policies

interface Case {
  readonly name: string
  readonly records: readonly RecordInput[]
  readonly query: Omit<TokenpakQuery, 'now'>
  /** Id → score of all hits, in order. */
  readonly hits: readonly (readonly [string, number])[]
}

const jay = { prefer: { project: 'jay' }, text: 'nothing' }

const cases: readonly Case[] = [
  {
    name: 'a preferred project .5, kind .3, topic 0; each brings its records',
    records: [
      record('both', { project: 'jay', kind: 'vault' }),
      record('project', { project: 'jay' }),
      record('kind', { kind: 'vault' }),
      record('topic', { topic: 'nests' }),
      record('neither', { project: 'Jay', kind: 'Vault', topic: 'Nests' }),
    ],
    query: { text: 'nothing', prefer: { project: 'jay', kind: 'vault', topic: 'nests' } },
    hits: [
      ['both', 0.8],
      ['project', 0.5],
      ['kind', 0.3],
      ['topic', 0],
    ],
  },
  {
    name: 'recency: 1 in the future and now, 1 − age/30 days, 0 from the window on',
    records: [-1, 0, 3, 15, 27, 30, 31].map((days) =>
      record(`${days} days`, { project: 'jay', updatedAt: now - days * dayMs }),
    ),
    query: jay,
    hits: [
      ['-1 days', 1.5],
      ['0 days', 1.5],
      ['3 days', 1.4],
      ['15 days', 1],
      ['27 days', 0.6],
      ['30 days', 0.5],
      ['31 days', 0.5],
    ],
  },
  {
    name: 'fts: in a store of three, one word of one record, all of one length: x/(1 + x), x = ln(2.5/1.5)',
    records: [record('a', { body: 'alpha' }), record('b', { body: 'beta' }), record('c', { body: 'gamma' })],
    query: { text: 'alpha' },
    hits: [['a', 0.33811025]],
  },
  {
    name: 'fts: a word that most records hold is worth next to nothing, never less: x = 1e-6',
    records: [record('a', { body: 'alpha' }), record('b', { body: 'alpha alpha' }), record('c', { body: 'gamma' })],
    query: { text: 'alpha' },
    hits: [
      // 2.2·2/(2 + 1.2·(.25 + .75·2/(4/3))) and 2.2/(1 + 1.2·(.25 + .75·1/(4/3)))
      ['b', 1.205478e-6],
      ['a', 1.11392281e-6],
    ],
  },
  {
    name: 'reasons: weight × the row’s own, exclude codes too, and below 0 is still a hit',
    records: [
      record('pinned', { project: 'jay', reasons: [{ code: 'user_pinned', weight: 0.5 }] }),
      record('two', { project: 'jay', reasons: [{ code: 'current_task' }, { code: 'large_raw_context' }] }),
      record('stale', { project: 'jay', reasons: [{ code: 'stale_context' }, { code: 'excluded_by_policy' }] }),
      record('copy', { project: 'jay', reasons: [{ code: 'duplicate_context', weight: 0.2 }] }),
    ],
    query: jay,
    hits: [
      ['two', 1.7],
      ['pinned', 1],
      ['copy', 0.4],
      ['stale', -1.5],
    ],
  },
  {
    name: 'status, validity and risks decide nothing',
    records: [
      record('a', { project: 'jay', status: 'deprecated', risks: [{ flag: 'mandatory_context_missing' }] }),
      record('b', { project: 'jay', status: 'superseded', supersededBy: 'a', expiresAt: now - dayMs }),
      record('c', { project: 'jay', validFrom: now + dayMs }),
    ],
    query: jay,
    hits: [
      ['c', 0.5],
      ['b', 0.5],
      ['a', 0.5],
    ],
  },
  {
    name: 'order: score, then updatedAt, then id by code points, all descending',
    records: [
      record('old', { project: 'jay', updatedAt: now - 90 * dayMs }),
      record('é', { project: 'jay' }),
      record('z', { project: 'jay' }),
      record('😀', { project: 'jay' }),
      record('\uffee', { project: 'jay' }),
    ],
    query: jay,
    hits: ['😀', '\uffee', 'é', 'z', 'old'].map((id) => [id, 0.5] as const),
  },
  {
    name: 'copies: the newest stays with its own score, then the higher id; copies that are not candidates fold nothing',
    records: [
      record('best', { body: 'one', kind: 'vault', project: 'jay', updatedAt: now - 90 * dayMs }),
      record('newest', { body: 'one', project: 'jay' }),
      record('x', { body: 'two', project: 'jay' }),
      record('y', { body: 'two', project: 'jay' }),
      record('elsewhere', { body: 'two', project: 'wren', updatedAt: now }),
    ],
    query: { text: 'nothing', prefer: { project: 'jay', kind: 'vault' } },
    hits: [
      ['y', 0.5],
      ['newest', 0.5],
    ],
  },
  {
    name: '25 hits unless asked otherwise',
    records: Array.from({ length: 30 }, (_, i) => record(`r${i + 10}`, { project: 'jay' })),
    query: jay,
    hits: Array.from({ length: 25 }, (_, i) => [`r${39 - i}`, 0.5] as const),
  },
]

describe('the oracle', () => {
  it.each(cases)('$name', ({ records, query, hits }) => {
    const ranking = tokenpakRanking(records.map(oracleRecordOf), { ...query, now })
    expectScores(
      ranking.slice(0, tokenpakConstants.limit).map(({ record, score }) => [record.id, score]),
      hits,
    )
  })
})

describe('the engine', () => {
  it.each(cases)('$name', async ({ name, records, query, hits }) => {
    const answer = await recallFrom(name, records, query)
    expectScores(scoresOf(answer), hits)
  })

  it('scores by the formula without a text, too: preferences find records, and nothing else is added', async () => {
    const records = [
      record('reasoned', { project: 'jay', reasons: [{ code: 'user_pinned' }] }),
      record('recent', { project: 'jay', updatedAt: now - 3 * dayMs }),
      record('elsewhere', { project: 'wren', updatedAt: now - dayMs }),
    ]
    const preferred = await recallFrom('preferred', records, { text: '', prefer: { project: 'jay' } })
    expectScores(scoresOf(preferred), [
      ['reasoned', 1.5],
      ['recent', 1.4],
    ])
    // A listing of the scope uses the same formula for every record.
    const listed = await recallFrom('listed', records, { text: '' })
    expectScores(scoresOf(listed), [
      ['reasoned', 1],
      ['elsewhere', 29 / 30],
      ['recent', 0.9],
    ])
    // Control: under balanced, places by time of change are part of the score.
    const balanced = await recallFrom('places', records, { text: '' }, 'balanced')
    expect(balanced.hits[0]?.contributions.map(({ signal }) => signal)).toContain('recent')
  })

  it('names collapsed records, and shows a blocked record without dropping it', async () => {
    const risks = [{ flag: 'mandatory_context_missing' }]
    const records = ['a', 'b', 'c'].map((id) => record(id, { body: 'one', project: 'jay', risks }))
    const { hits } = await recallFrom('folded', records, jay)
    expect(hits.map(({ id, collapsed }) => [id, [...collapsed].sort()])).toEqual([['c', ['a', 'b']]])
    expect(hits[0]?.riskSeverities).toEqual(['block'])
  })

  it.each(Object.entries(tokenpakConstants.weights))('%s weighs %d', async (code, weight) => {
    expect(reasonCodes[code as keyof typeof reasonCodes].weight).toBe(weight)
    const { hits } = await recallFrom(code, [record('a', { project: 'jay', reasons: [{ code, weight: 0.5 }] })], jay)
    expectScores(
      hits.map(({ id, score }) => [id, score]),
      [['a', 0.5 + weight / 2]],
    )
  })

  it('has a window of 30 days, factors of 1, and applies minScore', async () => {
    expect(tokenpak).toMatchObject({ recencyWindowDays: 30, defaultLimit: 25 })
    expect(tokenpak.categoryFactor).toEqual({ task: 1, match: 1, recency: 1, authority: 1, shape: 1, exclude: 1 })
    const records = [record('high', { project: 'jay', kind: 'vault' }), record('low', { project: 'jay' })]
    const query = { text: 'nothing', prefer: { project: 'jay', kind: 'vault' } }
    const { hits } = await recallFrom('least', records, query, { ...tokenpak, minScore: 0.6 })
    expect(hits.map(({ id }) => id)).toEqual(['high'])
  })
})

it('the oracle knows the 28 codes of the registry', () => {
  expect(Object.keys(tokenpakConstants.weights).sort()).toEqual(Object.keys(reasonCodes).sort())
  expect(Object.keys(reasonCodes)).toHaveLength(28)
})

/** Different texts, so that records collapse only on purpose, and older than the window unless set. */
function record(id: string, fields: RecordInput): RecordInput {
  const updatedAt = fields.updatedAt ?? now - 60 * dayMs
  return { body: `text of ${id}`, ...fields, id, createdAt: updatedAt, updatedAt }
}

async function recallFrom(
  name: string,
  records: readonly RecordInput[],
  query: Omit<TokenpakQuery, 'now'>,
  policy: unknown = 'tokenpak',
): Promise<RecallResult> {
  const store = await openForPolicies(name.slice(0, 40), now)
  const { records: outcomes } = await store.put(records)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(records.map(() => 'inserted'))
  const answer = await store.recall({ ...query, policy } as RecallQuery)
  await store.destroy()
  return answer
}

function scoresOf({ hits }: RecallResult): (readonly [string, number])[] {
  return hits.map(({ id, score }) => [id, score])
}

function expectScores(
  actual: readonly (readonly [string, number])[],
  expected: readonly (readonly [string, number])[],
) {
  expect(actual.map(([id]) => id)).toEqual(expected.map(([id]) => id))
  for (const [i, [id, score]] of actual.entries()) {
    expect(Math.abs(score - (expected[i]?.[1] ?? NaN)), `${id} scores ${score}`).toBeLessThan(5e-9)
  }
}
