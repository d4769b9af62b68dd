/** Tests the edge cases of docs/spec/recall.md#scopes: half-open times, counts per record, and the largest scope. */
import { describe, expect, it } from 'vitest'
import { openOver } from '../../support/stores/open-over.ts'

describe('scopes and times', () => {
  it('[Q4] time is half-open, tags are counted per record, counts agree', async () => {
    const { call } = await openOver()
    await call('put', {
      batch: [1, 2, 3].map((createdAt) => ({
        id: `r${createdAt}`,
        body: 'x',
        createdAt,
        tags: ['t', `t${createdAt}`, 't'],
      })),
    })
    const within = (time: object) => call('count', { scope: { time } })
    expect([
      await within({ after: 2 }),
      await within({ before: 2 }),
      await within({ after: 2, before: 2 }),
      await within({ after: 1, before: 3 }),
    ]).toEqual([2, 1, 0, 2])
    expect(await call('tags', { scope: { time: { after: 2 } } })).toEqual([
      { tag: 't', count: 2 },
      { tag: 't2', count: 1 },
      { tag: 't3', count: 1 },
    ])
    expect(await call('get', { ids: ['r2', 'nobody', 'r2'] })).toMatchObject([{ id: 'r2' }, undefined, { id: 'r2' }])
  })

  it('[Q4] a scope takes its maximum number of conditions', async () => {
    const { call } = await openOver()
    const tags = Array.from({ length: 256 }, (_, i) => `t${i}`)
    await call('put', {
      batch: [
        { id: 'a', body: 'x', tags, project: 'p', topic: 't', agent: 'g', bank: 'b', session: 's', createdAt: 5 },
      ],
    })
    const scope = {
      tags: { all: tags, any: tags, none: ['u'] },
      project: 'p',
      kind: 'note',
      topic: ['t'],
      agent: 'g',
      bank: 'b',
      session: 's',
      status: 'active' as const,
      time: { after: 5, before: 6 },
      ids: Array.from({ length: 9999 }, (_, i) => `i${i}`).concat('a'),
    }
    expect(await call('count', { scope })).toBe(1)
    expect((await call('recall', { query: { text: 'x', scope, asOf: 9 } })).hits.length).toBe(1)
  })
})
