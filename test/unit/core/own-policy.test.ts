/** Checks an app's own policy: it decides, is refused before any question, and has a hash of its content. */
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/core/model/policy.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import { openRecall } from '../../../src/index.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openEngine } from '../../support/stores/open-engine.ts'
import { other, withPart } from './changed-policy.ts'

const { balanced } = policies

describe("an app's own literal", async () => {
  const { call } = await openEngine()
  const batch = [
    { id: 'a', body: 'jay acorn', project: 'wren' },
    { id: 'b', body: 'jay', project: 'jay' },
  ]
  await call('put', { batch })

  it('decides, per query and per store', async () => {
    const mine: Policy = { ...balanced, name: 'mine', prefer: { ...balanced.prefer, project: 5 }, defaultLimit: 1 }
    const query = { text: 'jay acorn', prefer: { project: 'jay' } }
    const answer = await call('recall', { query: { ...query, policy: mine } })
    expect(answer.hits.map(({ id }) => id)).toEqual(['b'])
    expect(answer.plan.policy).toBe('mine v1')
    const recall = await openRecall({
      name: 'mine',
      policy: mine,
      embedder: null,
      storage: 'memory',
      runtime: 'inline',
    })
    await recall.put(batch)
    expect((await recall.recall(query)).hits.map(({ id }) => id)).toEqual(['b'])
    await recall.destroy()
    // Control: the default decides differently.
    expect((await call('recall', { query })).hits.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('[E1] is refused before any question is answered', async () => {
    const policy = withPart(balanced, 'lexical.k1', undefined) as Policy
    await expect(call('recall', { query: { text: 'jay', policy } })).rejects.toMatchObject({ code: 'INVALID_POLICY' })
    await expect(call('why', { query: { text: 'jay', policy }, id: 'a' })).rejects.toMatchObject({
      code: 'INVALID_POLICY',
    })
    await expect(openRecall({ name: 'wrong', policy, embedder: null })).rejects.toMatchObject({
      code: 'INVALID_POLICY',
    })
  })

  it.each(everyPolicy)('has another hash for any other number in it: %s', async (_name, policy) => {
    const hashOf = async (literal: unknown) =>
      (await call('recall', { query: { text: 'jay', policy: literal as Policy } })).receipt.policyHash
    const own = await hashOf(policy)
    expect(await hashOf(structuredClone(policy))).toBe(own)
    const hashes = new Set([own])
    const paths = numbersOf(policy)
    for (const [path, value] of paths) hashes.add(await hashOf(changed(policy, path, value)))
    expect(paths.length).toBeGreaterThan(10)
    expect(hashes.size).toBe(paths.length + 1)
  })

  it('has the hash of its current content, not of its earlier content', async () => {
    const lexical = { ...balanced.lexical }
    const mine = { ...balanced, lexical }
    const before = (await call('recall', { query: { text: 'jay', policy: mine } })).receipt.policyHash
    lexical.k1 = 1
    const after = (await call('recall', { query: { text: 'jay', policy: mine } })).receipt.policyHash
    expect(after).not.toBe(before)
  })

  it('cannot change the shipped policies', () => {
    for (const policy of Object.values(policies)) {
      expect(() => {
        ;(policy.lexical as { k1: number }).k1 = 99
      }).toThrow(TypeError)
    }
  })
})

/** The paths of all numbers, and another number that is allowed there. */
function numbersOf(value: unknown, path: readonly string[] = []): (readonly [readonly string[], number])[] {
  // A range without width has only one bound that may move.
  if (path.join('.') === 'fusion.meaning.clamp.0') return []
  if (typeof value === 'number') return [[path, other(value, path)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => numbersOf(part, [...path, key]))
}

function changed(value: unknown, [first, ...rest]: readonly string[], number: number): unknown {
  if (first === undefined) return number
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[first] = changed(copy[first], rest, number)
  return copy
}

it.each(['constructor', 'toString', '__proto__'])('[G1] a space named %s is accepted like any other', async (name) => {
  const { call } = await openEngine({ space: { name, dimensions: 2 } })
  await call('put', { batch: [{ id: 'a', body: 'jay', vectors: Float32Array.of(1, 0) }] })
  const { hits } = await call('recall', { query: { text: 'jay', vector: Float32Array.of(1, 0) } })
  expect(hits[0]?.contributions.find(({ signal }) => signal === 'meaning')?.weight).toBeGreaterThan(0)
})
