import { expect, test } from 'vitest'
import { openEngine } from '../../support/stores/open-engine.ts'

test('a word still being typed is marked where it begins a word', async () => {
  const { call } = await openEngine()
  await call('put', { batch: [{ id: 'a', body: 'Everything is persisted; persistence is the point.' }] })
  const { hits } = await call('recall', { query: { text: 'persis', prefix: 'last' } })
  const [hit] = hits
  const marked = hit?.snippet.marks.map(([from, to]) => hit.snippet.text.slice(from, to))
  expect(marked).toEqual(['persisted', 'persistence'])
  expect(hit?.matched).toContain('body')
})
