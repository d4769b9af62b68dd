/** Checks synonyms that a policy has for words. */
import { describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../../../src/core/model/query.ts'
import { policies } from '../../../../src/core/policies/policies.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'
import { idsOf, notes } from '../searched-notes.ts'

describe('synonyms of a policy', () => {
  const policy = {
    ...policies.balanced,
    synonyms: { migration: ['move', 'change of place'], 'pull request': ['PR'], noodles: ['ramen'] },
  }
  const store = async () => {
    const { call } = await openEngine()
    await call('put', {
      batch: [
        ...notes,
        { id: 'moves', body: 'Moving the database.' },
        { id: 'place', body: 'A change of place for the archive.' },
        { id: 'pr', body: 'Open PR about birds.' },
        { id: 'ramen', body: 'Ramen again.' },
      ],
    })
    return (query: RecallQuery) => call('recall', { query: { policy, ...query } })
  }

  it('count as the word, with a reason', async () => {
    const asked = await store()
    const answer = await asked({ text: 'migration' })
    expect(idsOf(answer)).toEqual(['both', 'file', 'friday', 'monday', 'moves', 'place'])
    const reasonsOf = (id: string) => answer.hits.find((hit) => hit.id === id)!.reasons.join('\n')
    expect(reasonsOf('moves')).toContain('by synonym: move for migration')
    expect(reasonsOf('place')).toContain('by synonym: change of place for migration')
    expect(reasonsOf('friday')).not.toContain('by synonym')
    expect(answer.plan.read).toEqual([
      { kind: 'synonym', text: 'migration', as: 'move' },
      { kind: 'synonym', text: 'migration', as: 'change of place' },
    ])
    expect(answer.hits.find(({ id }) => id === 'moves')!.matched).toEqual(['body'])
    expect(answer.hits.find(({ id }) => id === 'place')!.matched).toEqual(['body'])
  })

  it('control: without the policy they are other words', async () => {
    const asked = await store()
    const answer = await asked({ text: 'migration', policy: 'balanced' })
    expect(idsOf(answer)).toEqual(['both', 'file', 'friday', 'monday'])
    expect(answer.plan.read).toEqual([])
  })

  it('of phrases count where the phrase is asked for', async () => {
    const asked = await store()
    expect((await asked({ text: 'which pull requests are open' })).hits[0]?.id).toBe('pr')
    expect((await asked({ text: 'pull requests' })).plan.read).toEqual([
      { kind: 'synonym', text: 'pull requests', as: 'PR' },
    ])
    expect((await asked({ text: 'requests pull' })).plan.read).toEqual([])
  })

  it('do not apply to quoted words', async () => {
    const asked = await store()
    expect(idsOf(await asked({ text: '"noodles"' }))).toEqual(['other'])
    expect(idsOf(await asked({ text: 'noodles' }))).toEqual(['other', 'ramen'])
  })

  it('[Q3] exist when only the synonym does', async () => {
    const { call } = await openEngine()
    await call('put', { batch: [{ id: 'ramen', body: 'Ramen again.' }] })
    const query = { text: 'noodles', policy }
    const { hits, plan } = await call('recall', { query })
    expect(hits.map(({ id }) => id)).toEqual(['ramen'])
    expect(plan.existence?.mightExist).toBe(true)
    const plain = await call('recall', { query: { text: 'noodles' } })
    expect(plain.plan.existence?.mightExist).toBe(false)
  })

  it('belong to the hash of the policy', async () => {
    const asked = await store()
    const hashOf = async (synonyms: Record<string, string[]>) =>
      (await asked({ text: 'jay', policy: { ...policies.balanced, synonyms } })).receipt.policyHash
    expect(await hashOf({ a: ['b'] })).toBe(await hashOf({ a: ['b'] }))
    expect(await hashOf({ a: ['b'] })).not.toBe(await hashOf({ a: ['c'] }))
  })
})
