/** Tests that a model cannot widen what the app allows: by a kind, by its own fields, or by tags that are compared late. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'
import { runTool } from '../../../src/tools/index.ts'

let recall: Recall
beforeEach(async () => {
  recall = await openRecall({ name: 'tools scope', storage: 'memory', embedder: null })
})
afterEach(() => recall.close())

const found = async (args: object, options: object) =>
  ((await runTool(recall, 'recall', args, options))['records'] as unknown as { id: string }[]).map(({ id }) => id)

test('a kind outside the scope finds nothing, though the scope has no other condition', async () => {
  await recall.put([
    { id: 'public', body: 'the jay password', kind: 'public' },
    { id: 'secret', body: 'the jay password', kind: 'secret' },
  ])
  const query = { query: 'jay password' }
  for (const kind of ['public', ['public', 'note']] as const) {
    expect(await found({ ...query, kind: 'secret' }, { scope: { kind } })).toEqual([])
    expect(await found({ ...query, kind: 'public' }, { scope: { kind } })).toEqual(['public'])
  }
  // control: without a scope, the kind finds it.
  expect(await found({ ...query, kind: 'secret' }, {})).toEqual(['secret'])
})

test('fields of the app replace those of the model, and tags are joined', async () => {
  const record = { kind: 'log', project: 'site', tags: ['app'] }
  const { id } = await runTool(recall, 'remember', { text: 'acorns', kind: 'x', tags: ['model', 'app'] }, { record })
  expect(await recall.get(String(id))).toMatchObject({ kind: 'log', project: 'site', tags: ['app', 'model'] })
  const own = await runTool(recall, 'remember', { text: 'other acorns', kind: 'x' })
  expect(await recall.get(String(own['id']))).toMatchObject({ kind: 'x', source: 'llm_response' })
})

test('tags of the model count before the limit, also where the scope has tags of its own', async () => {
  await recall.put([
    ...Array.from({ length: 30 }, (_, i) => ({
      id: `better-${i}`,
      body: `jay jay first${i} second${7 * i} third${3 * i}`,
      tags: ['app'],
    })),
    { id: 'tagged', body: `jay ${'and other words '.repeat(40)}`, tags: ['app', 'model'] },
  ])
  const options = { scope: { tags: { any: ['app'] } } }
  expect(await found({ query: 'jay', tags: ['model'], limit: 5 }, options)).toEqual(['tagged'])
  expect(await found({ query: 'jay', limit: 5 }, options)).toHaveLength(5)
})

test('a context that does not fit says so', async () => {
  await recall.put({ id: 'long', body: 'the deploy key rotates on Mondays, and Mira holds it until Friday' })
  const answer = await runTool(recall, 'assemble', { task: 'rotate the deploy key', maxTokens: 50 })
  expect(answer['overBudget'] === true).toBe(Number(answer['tokens']) > 50)
  const ample = await runTool(recall, 'assemble', { task: 'rotate the deploy key', maxTokens: 500 })
  expect(ample).not.toHaveProperty('overBudget')
})
