/**
 * Tests when a record counts: its dates at the exact instant they name, and its validity codes, in every method that
 * asks.
 */
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/core/model/policy.ts'
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { otherPolicies } from '../../support/stores/every-policy.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'

const day = 86_400_000
const year = 365 * day
/** The instant that every question asks about. */
const at = startOfTime + 10 * day

/** A record's validity fields, and why it is gated at `at`; null: it is not gated. */
type Case = readonly [id: string, fields: RecordInput, reason: string | null]

const dated: readonly Case[] = [
  ['from-before', { validFrom: at - 1 }, null],
  ['from-now', { validFrom: at }, null],
  ['from-after', { validFrom: at + 1 }, 'not yet valid'],
  ['until-before', { validUntil: at - 1 }, 'no longer valid'],
  ['until-now', { validUntil: at }, 'no longer valid'],
  ['until-after', { validUntil: at + 1 }, null],
  ['expires-before', { expiresAt: at - 1 }, 'expired'],
  ['expires-now', { expiresAt: at }, 'expired'],
  ['expires-after', { expiresAt: at + 1 }, null],
  ['from-until', { validFrom: at, validUntil: at + 1 }, null],
  ['no-dates', {}, null],
]
const coded: readonly Case[] = [
  ['low', { reasons: [{ code: 'low_task_match' }] }, 'gated: low_task_match'],
  ['unrelated', { reasons: [{ code: 'unrelated_domain' }] }, 'gated: unrelated_domain'],
  ['stale', { reasons: [{ code: 'stale_context' }] }, 'gated: stale_context'],
  ['policy', { reasons: [{ code: 'excluded_by_policy' }] }, 'gated: excluded_by_policy'],
  ['light', { reasons: [{ code: 'unrelated_domain', weight: 0.01 }] }, 'gated: unrelated_domain'],
  ['second', { reasons: [{ code: 'current_task' }, { code: 'stale_context' }] }, 'gated: stale_context'],
  ['duplicate', { reasons: [{ code: 'duplicate_context' }] }, null],
  ['budget', { reasons: [{ code: 'excluded_by_budget' }] }, null],
  ['task', { reasons: [{ code: 'current_task' }] }, null],
]
const cases = [...dated, ...coded]

const vector = Float32Array.of(1, 0, 0, 0)
/** Due at `at`, so that each record also surfaces without a question. */
const due = { periodSeconds: 604_800, amplitude: 1, phaseSeconds: at / 1000 }
const records = cases.map(([id, fields]) => ({
  id,
  body: `jay ${id}`,
  createdAt: at - day,
  updatedAt: at - day,
  vectors: vector,
  cycles: [due],
  ...fields,
}))

const engine = await openEngine({ space: { name: 'four', dimensions: 4 } })
await engine.call('put', { batch: records }, at - day)

const asked = { limit: 100, collapse: 'none' } as const
const ways: readonly (readonly [string, RecallQuery])[] = [
  ['words', { text: 'jay' }],
  ['a vector', { vector }],
  ['words and a vector', { text: 'jay', vector }],
  ['nothing', {}],
]

const idsWhere = (of: readonly Case[], isOpen: (reason: string | null) => boolean) =>
  of.flatMap(([id, , reason]) => (isOpen(reason) ? [id] : [])).toSorted()
const open = idsWhere(cases, (reason) => reason === null)
const gated = cases.flatMap(([id, , reason]) => (reason === null ? [] : [`${id}: ${reason}`])).toSorted()
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).toSorted()
const told = (ledger: readonly { readonly id: string; readonly stage: string; readonly reason: string }[]) =>
  ledger.flatMap(({ id, stage, reason }) => (stage === 'gate' ? [`${id}: ${reason}`] : [])).toSorted()

describe('under balanced', () => {
  it.each(ways)(
    'recall by %s returns the records that count now, and the ledger gives the reason for the others',
    async (_, query) => {
      const { hits, ledger } = await engine.call('recall', { query: { ...asked, ...query, ledger: true } }, at)
      expect(idsOf(hits)).toEqual(open)
      expect(told(ledger)).toEqual(gated)
    },
  )

  it.each(ways)('`now` of a query by %s decides, whatever the time of the call', async (_, query) => {
    const { hits } = await engine.call('recall', { query: { ...asked, ...query, now: at } }, at + year)
    expect(idsOf(hits)).toEqual(open)
  })

  it.each(cases)('why of %s', async (id, _, reason) => {
    const why = await engine.call('why', { query: { ...asked, text: 'jay' }, id }, at)
    expect([why.stage, why.stage === null ? null : why.reason]).toEqual([reason === null ? null : 'gate', reason])
  })

  it('assemble pulls only records that count now', async () => {
    const query = { text: 'jay', maxItems: 100, surfacingThreshold: 9 }
    const { records: selected, ledger } = await engine.call('assemble', { query }, at)
    expect(idsOf(selected)).toEqual(open)
    expect(new Set(told(ledger))).toEqual(new Set(gated))
  })

  it('assemble surfaces only records that count now', async () => {
    const { proactive, ledger } = await engine.call('assemble', { query: { maxItems: 100 } }, at)
    expect(idsOf(proactive)).toEqual(open)
    expect(told(ledger)).toEqual(gated)
  })

  it('list, count and get still show every record', async () => {
    const { items } = await engine.call('list', { filter: { limit: 100 } }, at)
    expect(idsOf(items)).toEqual(idsOf(records))
    expect(await engine.call('count', { scope: {} }, at)).toBe(records.length)
    const got = await engine.call('get', { ids: records.map(({ id }) => id) }, at)
    expect(got.map((record) => record?.id)).toEqual(records.map(({ id }) => id))
  })

  it('control: one millisecond later other dates have passed', async () => {
    const { hits } = await engine.call('recall', { query: { ...asked, text: 'jay' } }, at + 1)
    expect(idsOf(hits).filter((id) => !open.includes(id))).toEqual(['from-after'])
    expect(open.filter((id) => !idsOf(hits).includes(id))).toEqual(['expires-after', 'from-until', 'until-after'])
  })
})

/** A query without text under ctxsift, or by vector alone under a policy without that channel, gets no hits. */
const isSilent = (policy: string, way: string) =>
  (policy === 'ctxsift' && way === 'nothing') || (policy === 'tokenpak' && way === 'a vector')

describe.each(otherPolicies)('under %s', (name, given) => {
  const codes: readonly string[] = given.gateCodes
  const expected = (isGated: boolean) =>
    idsWhere(dated, (reason) => !isGated || reason === null).concat(
      idsWhere(coded, (reason) => reason === null || !codes.includes(reason.replace('gated: ', ''))),
    )

  it.each([true, false])('dates gate where the policy says so (gateStatus %s)', async (gateStatus) => {
    const policy = { ...loose(given), gateStatus }
    for (const [way, query] of ways) {
      const { hits } = await engine.call('recall', { query: { ...asked, ...query, policy } }, at)
      expect(idsOf(hits), way).toEqual(isSilent(name, way) ? [] : expected(gateStatus).toSorted())
    }
  })
})

describe('asOf', () => {
  /** The time it was recorded, and the span in which it counts by its dates alone, not by its codes. */
  const known = [
    { id: 'known-before', body: 'jay before', createdAt: at - 1 },
    { id: 'known-now', body: 'jay now', createdAt: at },
    { id: 'known-after', body: 'jay after', createdAt: at + 1 },
  ]
  const counted = idsWhere(dated, (reason) => reason === null)
  const inScope = [...counted, ...coded.map(([id]) => id), 'known-before', 'known-now'].toSorted()
  const inAnswer = [...open, 'known-before', 'known-now'].toSorted()
  const balanced = policies.balanced
  const ungated = { ...balanced, gateStatus: false, gateCodes: [] }

  it.each([
    ['a year later', at + year],
    ['a year before', at - year],
    ['at the same instant', at],
  ])('asked %s shows the records that counted then', async (_, now) => {
    const { call } = await openEngine({ space: { name: 'four', dimensions: 4 } })
    await call('put', { batch: [...records, ...known] })
    for (const [way, query] of ways) {
      const asOf = { ...asked, ...query, asOf: at }
      const { hits, plan } = await call('recall', { query: asOf }, now)
      const ids = idsOf(hits)
      expect(plan.scope, way).toBe(inScope.length)
      // The records given later have no vector.
      const expected = query.text === undefined && query.vector !== undefined ? open : inAnswer
      expect(ids, way).toEqual(expected)
      const all = await call('recall', { query: { ...asOf, policy: ungated } }, now)
      const withoutGates = expected === open ? inScope.filter((id) => !id.startsWith('known')) : inScope
      expect(idsOf(all.hits), way).toEqual(withoutGates)
    }
    const { records: selected } = await call('assemble', { query: { text: 'jay', asOf: at, maxItems: 100 } }, now)
    expect(idsOf(selected)).toEqual(inAnswer)
    for (const { id } of [...records, ...known]) {
      const why = await call('why', { query: { ...asked, text: 'jay', asOf: at, policy: ungated }, id }, now)
      expect([id, why.stage, why.reason.split(':')[0]]).toEqual(
        inScope.includes(id) ? [id, null, expect.any(String)] : [id, 'scope', 'outside the scope'],
      )
    }
  })

  it('control: without it the time of the call decides', async () => {
    const { hits } = await engine.call('recall', { query: { ...asked, text: 'jay' } }, at + year)
    expect(idsOf(hits)).not.toEqual(open)
  })
})

/** A policy that drops no record for its score. */
function loose(policy: Policy): Policy {
  return 'thresholds' in policy ? { ...policy, thresholds: { strong: -1e9, weak: -1e9, weakLimit: 1000 } } : policy
}
