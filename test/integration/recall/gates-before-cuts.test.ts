import { expect, test } from 'vitest'
import { policies } from '../../../src/core/policies/policies.ts'
import { createRandom } from '../../support/data/random.ts'
import { otherPolicies } from '../../support/stores/every-policy.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'

const dimensions = 8
const best = 'jay jay jay hides seeds'

/** 1,100 records that match better than the ten that may be selected. */
async function openStore(of: { readonly expired: boolean }) {
  const random = createRandom(3)
  const near = random.vector(dimensions)
  const far = near.map((x, i) => (i === 0 ? -x : x))
  const { call } = await openEngine({ space: { name: 'test', dimensions } })
  const closed = Array.from({ length: 1100 }, (_, i) => ({
    id: `closed-${i}`,
    body: `${best} ${i}`,
    vectors: near,
    ...(of.expired ? { expiresAt: startOfTime - 1 } : {}),
  }))
  const open = Array.from({ length: 10 }, (_, i) => ({
    id: `open-${i}`,
    body: `a long talk of jays and other birds ${i}`,
    vectors: far,
  }))
  await call('put', { batch: closed })
  await call('put', { batch: open })
  return { call, near, openIds: open.map(({ id }) => id).sort(), closedIds: closed.map(({ id }) => id) }
}

for (const channel of ['text', 'vector', 'neither'] as const) {
  test(`[Q4] 1,100 better records that are gated hide no eligible one (${channel})`, async () => {
    const { call, near, openIds } = await openStore({ expired: true })
    const asked = channel === 'text' ? { text: 'jay seeds birds' } : channel === 'vector' ? { vector: near } : {}
    const { hits, ledger } = await call('recall', { query: { ...asked, limit: 1000, ledger: true } })
    expect(hits.map(({ id }) => id).sort()).toEqual(openIds)
    expect(
      ledger.filter(({ stage, reason }) => stage === 'gate' && reason === 'expired').length,
    ).toBeGreaterThanOrEqual(1000)
  })

  test(`[Q4] 1,100 better but excluded records do not hide the match (${channel})`, async () => {
    const { call, near, openIds, closedIds } = await openStore({ expired: false })
    const asked = channel === 'text' ? { text: 'jay seeds birds' } : channel === 'vector' ? { vector: near } : {}
    const { hits } = await call('recall', { query: { ...asked, limit: 1000, exclude: closedIds } })
    expect(hits.map(({ id }) => id).sort()).toEqual(openIds)
  })
}

test('[Q4] excluded records hide no match under any policy', async () => {
  const { call, near, openIds, closedIds } = await openStore({ expired: false })
  for (const [name, policy] of otherPolicies) {
    for (const asked of [{ text: 'jay seeds birds' }, { text: 'jay seeds birds', vector: near }]) {
      const { hits } = await call('recall', { query: { ...asked, policy, limit: 1000, exclude: closedIds } })
      expect(hits.map(({ id }) => id).sort(), name).toEqual(openIds)
    }
  }
})

test('[Q4] records that a custom policy gates hide no match', async () => {
  const { call, openIds } = await openStore({ expired: true })
  for (const [name, policy] of otherPolicies) {
    const query = { text: 'jay seeds birds', policy: { ...policy, gateStatus: true }, limit: 1000 }
    const { hits } = await call('recall', { query })
    expect(hits.map(({ id }) => id).sort(), name).toEqual(openIds)
    // Control: without the gate they take every place, where words decide.
    if (name === 'popoto') continue
    const ungated = { text: 'jay', policy: { ...policy, gateStatus: false }, limit: 10 }
    const { hits: others } = await call('recall', { query: ungated })
    expect(
      others.filter(({ id }) => openIds.includes(id)),
      name,
    ).toEqual([])
  }
})

test('[Q4] a listing under a policy with a depth names that many gated records, and says that it left out others', async () => {
  const { call, openIds } = await openStore({ expired: true })
  const policy = { ...policies.secondBrain, gateStatus: true }
  const { hits, ledger, plan } = await call('recall', { query: { policy, limit: 1000, ledger: true } })
  expect(hits.map(({ id }) => id).sort()).toEqual(openIds)
  expect(ledger.filter(({ reason }) => reason === 'expired').length).toBe(policy.depths.recent)
  expect(plan.channels.recent).toMatchObject({ ran: true, matched: 1110, complete: false })
})
