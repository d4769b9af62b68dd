/**
 * [V4] Checks that vectors of two embedding spaces in one store are never mixed: they are refused, set aside, or made
 * again.
 */
import { describe, expect, it } from 'vitest'
import { openOver } from '../../support/stores/open-over.ts'

const first = { name: 'first', dimensions: 2 }
const second = { name: 'second', dimensions: 2 }
const third = { name: 'third', dimensions: 3 }
const x = Float32Array.of(1, 0)
const y = Float32Array.of(0, 1)

async function openTwoSpaces() {
  const one = await openOver({ space: first })
  await one.call('put', {
    batch: [
      { id: 'a', body: 'alpha', vectors: x },
      { id: 'b', body: 'beta', vectors: y },
    ],
  })
  const two = one.reopen({ space: second })
  await two.call('put', { batch: [{ id: 'c', body: 'gamma', vectors: x }] })
  return { one, two }
}

describe('a store that changed its space', () => {
  it('[V4] compares only vectors of the space it is opened with', async () => {
    const { two } = await openTwoSpaces()
    const { hits, plan } = await two.call('recall', { query: { vector: x } })
    expect(hits.map(({ id }) => id)).toEqual(['c'])
    expect(plan.channels.vector).toMatchObject({ scanned: 1, matched: 1 })
    expect(await two.call('status', {})).toMatchObject({ vectors: { space: 'second', current: 1, otherSpaces: 2 } })
    expect((await two.call('recall', { query: { text: 'alpha' } })).hits.map(({ id }) => id)).toEqual(['a'])
  })

  it('[V4] keeps the vectors of the other space, and uses them again when it is opened with that space', async () => {
    const { two } = await openTwoSpaces()
    await two.call('put', { batch: [{ id: 'a', body: 'alpha', tags: ['touched'] }] })
    await two.call('put', { batch: [{ id: 'b', body: 'beta', files: [{ path: 'moves/the.key' }] }] })
    const again = two.reopen({ space: first })
    const { hits } = await again.call('recall', { query: { vector: x } })
    expect(hits.map(({ id, score }) => [id, score > 0])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  it('[V4] drops vectors whose text has changed', async () => {
    const { two } = await openTwoSpaces()
    await two.call('put', { batch: [{ id: 'a', body: 'another text' }] })
    const { hits } = await two.reopen({ space: first }).call('recall', { query: { vector: x } })
    expect(hits.map(({ id }) => id)).toEqual(['b'])
  })

  it('[V4] makes vectors again where there is an embedder', async () => {
    const { two } = await openTwoSpaces()
    const embedding = { embed: async (texts: readonly string[]) => texts.map((text) => (text === 'alpha' ? y : x)) }
    const embedded = two.reopen({ space: second }, embedding)
    await embedded.call('put', { batch: [{ id: 'a', body: 'alpha' }] })
    expect((await embedded.call('recall', { query: { vector: y } })).hits[0]?.id).toBe('a')
    expect(await embedded.call('status', {})).toMatchObject({ vectors: { current: 2, otherSpaces: 1 } })
  })

  it('[V4] refuses one name for two sizes', async () => {
    const { one } = await openTwoSpaces()
    expect(() => one.reopen({ space: { name: 'first', dimensions: 3 } })).toThrow(
      expect.objectContaining({ code: 'DIMENSION_MISMATCH' }),
    )
  })

  it('[V4] refuses vectors of another size, in records and in queries', async () => {
    const three = (await openTwoSpaces()).one.reopen({ space: third })
    const { records } = await three.call('put', {
      batch: [
        { body: 'x', vectors: x },
        { body: 'y', vectors: new Float32Array(3) },
      ],
    })
    expect(records.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['rejected', 'DIMENSION_MISMATCH'],
      ['inserted', undefined],
    ])
    await expect(three.call('recall', { query: { vector: x } })).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
  })

  it('[V4] is lexical, and says so, when it is opened without a space', async () => {
    const none = (await openTwoSpaces()).one.reopen({ space: null })
    const { hits, plan } = await none.call('recall', { query: { text: 'alpha' } })
    expect(hits.map(({ id }) => id)).toEqual(['a'])
    expect(plan.channels.vector).toMatchObject({ ran: false, why: 'the store has no embedding space' })
    expect(await none.call('status', {})).toMatchObject({ vectors: { space: null, current: 0, otherSpaces: 3 } })
  })
})

describe('an embedder that fails, where the app chose to reject its puts', () => {
  const openWith = (made: (text: string) => Float32Array) =>
    openOver({ space: first, embedderFailure: 'reject' }, { embed: async (texts) => texts.map(made) })

  it.each([
    ['of another size', new Float32Array(3), 'DIMENSION_MISMATCH'],
    ['that is not finite', Float32Array.of(Number.NaN, 1), 'INVALID_RECORD'],
  ])('[V4] [W2] a vector %s rejects its record and no other', async (_name, wrong, code) => {
    const { call } = await openWith((text) => (text === 'bad' ? wrong : x))
    const { records } = await call('put', {
      batch: [
        { id: 'a', body: 'good' },
        { id: 'b', body: 'bad' },
      ],
    })
    expect(records.map((record) => [record.outcome, record.code])).toEqual([
      ['inserted', undefined],
      ['rejected', code],
    ])
    expect((await call('recall', { query: { vector: x } })).hits.map(({ id }) => id)).toEqual(['a'])
  })

  it('[W2] a failure of the embedder fails the put, and writes nothing', async () => {
    const { call } = await openWith(() => {
      throw new Error('out of tokens')
    })
    await expect(call('put', { batch: [{ body: 'x' }] })).rejects.toThrow('out of tokens')
    expect(await call('count', { scope: {} })).toBe(0)
    expect(await call('status', {})).toMatchObject({ revision: 0 })
  })
})
