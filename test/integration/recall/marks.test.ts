/** [L1] Tests the marks of hits: offsets of the query's words in each matched field. */
import { describe, expect, test } from 'vitest'
import type { Hit } from '../../../src/core/model/result.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const { call } = await openEngine()
const far = `${'filler text. '.repeat(9_000)}The migration ended.`
await call('put', {
  batch: [
    { id: 'a', title: 'Migrations on Friday', body: 'We migrated 😀 on friday, not before.', summary: 'nothing here' },
    { id: 'b', body: far },
    { id: 'c', title: '図書館で', body: 'Read src/migration/plan.ts first.', files: [{ path: 'docs/friday.md' }] },
    { id: 'd', body: 'migration '.repeat(1_500) },
  ],
})

const hitOf = async (id: string, query: object): Promise<Hit> => {
  const { hits } = await call('recall', { query: { collapse: 'none', limit: 100, ...query } })
  return hits.find((hit) => hit.id === id)!
}

/** The marked parts of each field. */
function marked({ record, marks }: Hit): Record<string, readonly string[]> {
  const lines = {
    paths: record.files.map(({ path }) => path).join('\n'),
    terms: record.terms.map(({ term }) => term).join('\n'),
  }
  const textOf = (field: string) => ({ ...record, ...lines })[field as 'body'] ?? ''
  return Object.fromEntries(
    Object.entries(marks).map(([field, list]) => [field, list!.map(([from, to]) => textOf(field).slice(from, to))]),
  )
}

describe('the marks of a hit', () => {
  test('are in every matched field, in all forms of a word', async () => {
    const hit = await hitOf('a', { text: 'friday migration' })
    expect(marked(hit)).toEqual({ title: ['Migrations', 'Friday'], body: ['migrated', 'friday'] })
    expect(hit.matched.filter((field) => field !== 'vector')).toEqual(Object.keys(hit.marks))
  })

  test('reach the end of a long text, and are at most 1,000 for each field', async () => {
    expect(marked(await hitOf('b', { text: 'migration' }))).toEqual({ body: ['migration'] })
    expect((await hitOf('d', { text: 'migration' })).marks.body?.length).toBe(1_000)
  })

  test('are in paths, one per line, and in scripts without spaces', async () => {
    expect(marked(await hitOf('c', { text: 'friday' }))).toEqual({ paths: ['friday'] })
    expect(marked(await hitOf('c', { text: '図書館' }))).toEqual({ title: ['図書館'] })
  })

  test('are only in the fields that the query names, and are empty without words', async () => {
    expect(marked(await hitOf('a', { text: 'friday', in: ['title'] }))).toEqual({ title: ['Friday'] })
    expect((await hitOf('a', {})).marks).toEqual({})
  })

  test('of a word that is still being typed are its completions', async () => {
    expect(marked(await hitOf('a', { text: 'fri', prefix: 'last' }))).toEqual({ title: ['Friday'], body: ['friday'] })
  })

  test.each(everyPolicy)('agree with the snippet under %s', async (_name, policy) => {
    const { hits } = await call('recall', { query: { text: 'migration friday', policy } })
    for (const { record, snippet, marks, matched } of hits) {
      if (snippet.text !== record.body || !matched.includes('body')) continue
      expect(marks.body ?? []).toEqual(snippet.marks)
    }
    expect(hits.some(({ snippet, record }) => snippet.text === record.body)).toBe(true)
  })
})
