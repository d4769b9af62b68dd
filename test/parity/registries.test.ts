/**
 * Compares the two closed registries with TokenPak's: every reason code with category and weight, every risk flag with
 * its severity.
 */
import { describe, expect, it } from 'vitest'
import { reasonCodes } from '../../src/core/model/reason-codes.ts'
import { riskFlags } from '../../src/core/model/risk-flags.ts'
import { openEngine } from '../support/stores/open-engine.ts'

const codes = [
  ['current_task', 'task', 1],
  ['mandatory', 'task', 1],
  ['acceptance_criteria', 'task', 0.9],
  ['user_pinned', 'task', 1],
  ['agent_role_match', 'match', 0.6],
  ['task_type_match', 'match', 0.6],
  ['direct_file_match', 'match', 0.8],
  ['direct_test_match', 'match', 0.8],
  ['dependency_match', 'match', 0.5],
  ['workflow_relevant', 'match', 0.6],
  ['recently_modified', 'recency', 0.4],
  ['recent_failure_link', 'recency', 0.9],
  ['standard_applies', 'authority', 0.9],
  ['governance_constraint', 'authority', 1],
  ['risk_relevant', 'authority', 0.8],
  ['prior_success_pattern', 'authority', 0.7],
  ['compressed_summary_available', 'shape', 0.4],
  ['large_raw_context', 'shape', 0.2],
  ['available_on_request', 'shape', 0.3],
  ['stable_context', 'shape', 0.5],
  ['reusable_context', 'shape', 0.5],
  ['cache_ordering_candidate', 'shape', 0.5],
  ['low_task_match', 'exclude', -1],
  ['unrelated_domain', 'exclude', -1],
  ['stale_context', 'exclude', -1],
  ['duplicate_context', 'exclude', -0.5],
  ['excluded_by_budget', 'exclude', -0.5],
  ['excluded_by_policy', 'exclude', -1],
] as const

const flags = [
  ['mandatory_context_present', 'info'],
  ['cache_sensitive_ordering', 'info'],
  ['raw_logs_deferred', 'warn'],
  ['full_file_deferred', 'warn'],
  ['governance_applies', 'warn'],
  ['release_rule_applies', 'warn'],
  ['oss_pro_boundary_risk', 'warn'],
  ['network_or_egress_risk', 'warn'],
  ['large_context_reduction', 'warn'],
  ['low_confidence_plan', 'warn'],
  ['possible_context_miss', 'warn'],
  ['manual_review_recommended', 'warn'],
  ['mandatory_context_missing', 'block'],
] as const

describe('reason codes', () => {
  it('are these 28, in this order, deeply frozen', () => {
    expect(Object.entries(reasonCodes).map(([code, { category, weight }]) => [code, category, weight])).toEqual(codes)
    expectFrozen(reasonCodes)
  })

  it.each(codes)('%s is stored and read unchanged', async (code) => {
    const { call } = await openEngine()
    const { records } = await call('put', { batch: [{ id: 'a', body: 'jay', reasons: [{ code, weight: 0.5 }] }] })
    expect(records).toMatchObject([{ outcome: 'inserted' }])
    expect((await call('get', { ids: ['a'] }))[0]?.reasons).toMatchObject([{ code, weight: 0.5 }])
    const { items } = await call('list', { filter: { reason: code } })
    expect(items.map(({ id }) => id)).toEqual(['a'])
  })
})

describe('risk flags', () => {
  it('are these 13, in this order, deeply frozen', () => {
    expect(Object.entries(riskFlags).map(([flag, { severity }]) => [flag, severity])).toEqual(flags)
    expectFrozen(riskFlags)
  })

  it.each(flags)('%s has the severity %s in records and hits', async (flag, severity) => {
    const { call } = await openEngine()
    await call('put', { batch: [{ id: 'a', body: 'jay', risks: [{ flag }] }] })
    expect((await call('get', { ids: ['a'] }))[0]?.risks).toMatchObject([{ flag, severity }])
    const { hits } = await call('recall', { query: { text: 'jay' } })
    expect(hits.map(({ riskSeverities }) => riskSeverities)).toEqual([[severity]])
    const { items } = await call('list', { filter: { risk: flag } })
    expect(items.map(({ id }) => id)).toEqual(['a'])
  })

  it('a severity other than that of the flag is refused, and the flag’s own is accepted', async () => {
    const { call } = await openEngine()
    const putWith = (severity: string) =>
      call('put', {
        batch: [{ id: 'a', body: 'jay', risks: [{ flag: 'mandatory_context_missing', severity } as never] }],
      })
    expect((await putWith('info')).records).toMatchObject([
      { outcome: 'rejected', message: expect.stringContaining('risks[0].severity') as string },
    ])
    expect(await call('get', { ids: ['a'] })).toEqual([undefined])
    await putWith('block')
    expect((await call('get', { ids: ['a'] }))[0]?.risks).toMatchObject([{ severity: 'block' }])
  })
})

it.each([
  ['reasons', { reasons: [{ code: 'governance_applies' }] }, 'UNKNOWN_REASON_CODE'],
  ['risks', { risks: [{ flag: 'current_task' }] }, 'UNKNOWN_RISK_FLAG'],
])('a name of the other registry is refused in %s', async (_field, fields, code) => {
  const { call } = await openEngine()
  const { records } = await call('put', { batch: [{ id: 'a', body: 'jay', ...fields } as never] })
  expect(records).toMatchObject([{ outcome: 'rejected', code }])
})

function expectFrozen(registry: object): void {
  expect(Object.isFrozen(registry)).toBe(true)
  for (const row of Object.values(registry)) expect(Object.isFrozen(row)).toBe(true)
}
