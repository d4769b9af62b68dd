/**
 * [Q4] Checks that a filter acts before any cut: one tagged record behind 12,000 better ones is found, by words and by
 * vector.
 */
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../support/data/random.ts'
import { everyPolicy, otherPolicies } from '../../support/stores/every-policy.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const count = 12_000
const space = { name: 'sixteen', dimensions: 16 }

describe(`a record at global rank ${count}`, async () => {
  const random = createRandom(12)
  const query = random.vector(16)
  const opened = await openEngine({ space })
  const better = Array.from({ length: count }, (_, i) => ({
    id: `better${i}`,
    body: 'jay acorn jay acorn jay',
    vectors: query.map((component, place) => component + ((i % 97) / 1000) * (place % 2)),
  }))
  const last = {
    id: 'last',
    body: `jay ${'and a long text about other things '.repeat(40)}`,
    project: 'deep',
    tags: ['rare'],
    createdAt: 5,
    status: 'proposed' as const,
    agent: 'mole',
    vectors: query.map((component) => -component),
  }
  for (let from = 0; from < count; from += 4000) await opened.call('put', { batch: better.slice(from, from + 4000) })
  await opened.call('put', { batch: [last] })

  const scopes = [
    { tags: { all: ['rare'] } },
    { tags: { any: ['rare', 'none such'] } },
    { project: 'deep' },
    { agent: ['mole'] },
    { time: { before: 6 } },
    { status: 'proposed' as const },
    { ids: ['last'] },
  ]

  it.each(scopes)('[Q4] is found by words within %j', async (scope) => {
    const { hits, plan } = await opened.call('recall', { query: { text: 'jay acorn', scope } })
    expect(hits.map(({ id }) => id)).toEqual(['last'])
    expect(plan).toMatchObject({ scope: 1, channels: { lexical: { ran: true, matched: 1, complete: true } } })
  })

  it.each(scopes)('[Q4] is found by vector within %j', async (scope) => {
    const { hits, plan } = await opened.call('recall', { query: { vector: query, scope } })
    expect(hits.map(({ id }) => id)).toEqual(['last'])
    const mode = 'tags' in scope ? 'exact-tag' : 'exact'
    expect(plan.channels.vector).toMatchObject({ ran: true, mode, scanned: 1, matched: 1, complete: true })
  })

  it.each(otherPolicies)('[Q4] is found by words under %s', async (_name, policy) => {
    for (const scope of scopes) {
      const { hits } = await opened.call('recall', { query: { text: 'jay acorn', scope, policy } })
      expect(hits.map(({ id }) => id)).toEqual(['last'])
    }
  })

  // ctxsift and tokenpak accept no vector this far away, or none at all.
  const byVector = otherPolicies.filter(([name]) => name === 'secondBrain' || name === 'plain ranks')
  it.each(byVector)('[Q4] is found by vector under %s', async (_name, policy) => {
    for (const scope of scopes) {
      const { hits } = await opened.call('recall', { query: { vector: query, scope, policy } })
      expect(hits.map(({ id }) => id)).toEqual(['last'])
    }
  })

  // popoto does not score by words.
  it.each(everyPolicy.filter(([name]) => name !== 'popoto'))(
    '[Q4] control: without the filter it is not among the hundred best under %s',
    async (_name, policy) => {
      const { hits } = await opened.call('recall', {
        query: { text: 'jay acorn', policy, limit: 100, collapse: 'none' },
      })
      expect(hits.length).toBeGreaterThan(30)
      expect(hits.map(({ id }) => id)).not.toContain('last')
    },
  )

  it('[Q4] control: without the filter it is not among the thousand best', async () => {
    for (const asked of [{ text: 'jay acorn' }, { vector: query }]) {
      const { hits, plan } = await opened.call('recall', { query: { ...asked, limit: 1000, collapse: 'none' } })
      expect(hits.length).toBe(1000)
      expect(hits.map(({ id }) => id)).not.toContain('last')
      expect(plan.channels[asked.text === undefined ? 'vector' : 'lexical'].matched).toBe(count + 1)
    }
  })
})
