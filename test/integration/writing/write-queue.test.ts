/** Tests the queue of writes: concurrent calls take effect in the order in which they were made, and none is lost. */
import { describe, expect, it } from 'vitest'
import { dump } from '../../support/stores/dump.ts'
import { openEngine } from '../../support/stores/open-engine.ts'
import { openOver } from '../../support/stores/open-over.ts'

const space = { name: 'three', dimensions: 3 }
const x = Float32Array.of(1, 0, 0)
const y = Float32Array.of(0, 1, 0)

describe('concurrent writes', () => {
  it('[W1] a put after a forget of the same id is kept', async () => {
    const { call } = await openEngine()
    await Promise.all([
      call('put', { batch: [{ id: 'a', body: 'first' }] }),
      call('forget', { ids: ['a'] }),
      call('put', { batch: [{ id: 'a', body: 'second' }] }),
    ])
    expect((await call('get', { ids: ['a'] }))[0]?.body).toBe('second')
  })

  it('[W1] two patches of one record are both applied', async () => {
    const { call } = await openEngine()
    await call('put', { batch: [{ id: 'a', body: 'text' }] })
    await Promise.all([
      call('patch', { id: 'a', fields: { title: 'title' } }),
      call('patch', { id: 'a', fields: { tags: ['tag'] } }),
    ])
    expect((await call('get', { ids: ['a'] }))[0]).toMatchObject({ title: 'title', tags: ['tag'] })
  })

  it('[W1] a wrong patch rejects, and is not a result', async () => {
    const { call } = await openEngine()
    await call('put', { batch: [{ id: 'a', body: 'text' }] })
    await expect(call('patch', { id: 'a', fields: { body: ' ' } })).rejects.toMatchObject({ code: 'INVALID_RECORD' })
    await expect(call('patch', { id: 'a', fields: { vectors: x } })).rejects.toMatchObject({ code: 'SPACE_MISMATCH' })
    expect((await call('get', { ids: ['a'] }))[0]?.body).toBe('text')
  })

  it('[D3] an id twice in one batch counts as one record, with the last text and vectors', async () => {
    const twice = await openEngine({ space })
    await twice.call('put', {
      batch: [
        { id: 'a', body: 'one', vectors: x },
        { id: 'a', body: 'two', vectors: y },
      ],
    })
    const once = await openEngine({ space })
    await once.call('put', { batch: [{ id: 'a', body: 'two', vectors: y }] })
    for (const query of [{ vector: y }, { text: 'two' }, { text: 'one' }, {}]) {
      const [{ hits }, expected] = [await twice.call('recall', { query }), await once.call('recall', { query })]
      expect(hits).toEqual(expected.hits)
    }
    expect(await twice.call('status', {})).toMatchObject({ records: 1, vectors: { current: 1 } })
  })

  it('[V1] a text that is put back within one batch gets its own vectors back', async () => {
    const vectorByText: Readonly<Record<string, Float32Array>> = { one: x, two: y }
    const embedding = { embed: async (texts: readonly string[]) => texts.map((text) => vectorByText[text] ?? x) }
    const { call } = await openEngine({ space }, embedding)
    await call('put', { batch: [{ id: 'a', body: 'one' }] })
    await Promise.all([
      call('put', { batch: [{ id: 'a', body: 'two' }] }),
      call('put', { batch: [{ id: 'a', body: 'one' }] }),
    ])
    expect((await call('recall', { query: { vector: x } })).evidence.topCosine).toBe(1)
  })

  it('[V1] a second put of the same text in one batch keeps the vectors given with the first', async () => {
    const { call } = await openEngine({ space })
    await call('put', {
      batch: [
        { id: 'a', body: 'one', vectors: x },
        { id: 'a', body: 'one', tags: ['t'] },
      ],
    })
    expect((await call('recall', { query: { vector: x } })).hits.map((hit) => hit.record.tags)).toEqual([['t']])
  })

  it('[W2] puts that share a transaction keep their own receipts, in order, and a bad batch stops no other', async () => {
    const { call } = await openEngine()
    const receipts = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call('put', {
          batch: [
            { id: `a${i}`, body: 'x' },
            { id: `b${i}`, body: i % 3 === 0 ? ' ' : 'y' },
          ],
        }),
      ),
    )
    for (const [i, { records }] of receipts.entries()) {
      expect(records.map(({ id, outcome }) => [id, outcome])).toEqual([
        [`a${i}`, 'inserted'],
        [`b${i}`, i % 3 === 0 ? 'rejected' : 'inserted'],
      ])
    }
    expect(await call('count', { scope: {} })).toBe(40 + 26)
  })

  it('[E1] a recall that waits for its embedding while the store closes fails cleanly', async () => {
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    const embedding = {
      embed: async (texts: readonly string[], role: 'query' | 'document') => {
        if (role === 'query') await waiting
        return texts.map(() => x)
      },
    }
    const { call } = await openEngine({ space }, embedding)
    await call('put', { batch: [{ id: 'a', body: 'one' }] })
    const late = call('recall', { query: { text: 'one' } })
    await call('close', {})
    release()
    await expect(late).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('[W1] a put that was called before close is carried out before it', async () => {
    const opened = await openOver()
    const before = dump(opened.database)
    const put = opened.call('put', { batch: [{ id: 'a', body: 'text' }] })
    const seen = put.then(() => dump(opened.database))
    await Promise.all([put, seen, opened.call('close', {})])
    expect(await seen).not.toBe(before)
  })
})
