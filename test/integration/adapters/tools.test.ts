/**
 * Tests the tools that a model is offered, against a complete store: what they find and change, what they refuse, and
 * which records they can reach.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Recall } from '../../../src/index.ts'
import { openRecall } from '../../../src/index.ts'
import {
  answerTool,
  anthropicTools,
  openaiTools,
  runTool,
  toolDefinitions,
  toolNames,
} from '../../../src/tools/index.ts'

let recall: Recall

beforeEach(async () => {
  recall = await openRecall({ name: 'tools', embedder: null, now: () => Date.UTC(2026, 0, 15) })
  await recall.put([
    { id: 'a', title: 'Deploy key', body: 'The deploy key rotates on Mondays', project: 'site', tags: ['deploy'] },
    { id: 'b', title: 'Deploy docs', body: 'Deploy the docs by hand', project: 'docs', tags: ['deploy', 'docs'] },
    { id: 'c', body: `Long deploy notes ${'😀 words '.repeat(400)}`, project: 'site', kind: 'log', createdAt: 0 },
  ])
})

afterEach(() => recall.close())

const site = { scope: { project: 'site' }, record: { project: 'site', tags: ['agent'] } }

describe('recall', () => {
  test('answers with records, evidence and reasons, as JSON', async () => {
    const answer = await runTool(recall, 'recall', { query: 'when does the deploy key rotate' })
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer)
    expect(answer).toMatchObject({
      evidence: 'strong',
      records: [
        {
          id: 'a',
          title: 'Deploy key',
          text: 'The deploy key rotates on Mondays',
          truncated: false,
          kind: 'note',
          tags: ['deploy'],
          createdAt: '2026-01-15T00:00:00.000Z',
        },
        {},
        {},
      ],
    })
    const [{ score, why }] = answer['records'] as unknown as [{ score: number; why: readonly string[] }]
    expect(score).toBeGreaterThan(0)
    expect(why.length).toBeGreaterThan(0)
  })

  test('accepts arguments as JSON text, and accepts null for no arguments', async () => {
    const answer = await runTool(recall, 'recall', '{"query":"deploy","limit":1,"tags":null}')
    expect(answer['records']).toHaveLength(1)
  })

  test('[G6] shows the passage of a long text that answers, with its place', async () => {
    const filler = 'Nothing of note was said on this day at all. '.repeat(60)
    const body = `${filler}\n\n# Door 🚪\n\nThe spare badge is with Marlene.\n\n${filler}`
    await recall.put({ id: 'minutes', body })
    const answer = await runTool(recall, 'recall', { query: 'Who has the spare badge?' })
    expect(answer['records']).toMatchObject([{ id: 'minutes', truncated: true }])
    const [{ text, place }] = answer['records'] as unknown as [{ text: string; place: string }]
    expect(text).toMatch(/^# Door 🚪\n\nThe spare badge is with Marlene\.[^]*\.$/u)
    expect(place).toBe(`Door 🚪, letters 2702 to ${2702 + Array.from(text).length + 1} of ${Array.from(body).length}`)
  })

  test('cuts long texts between characters', async () => {
    for (const maxCharacters of [100, 101, 102, 103]) {
      const answer = await runTool(recall, 'recall', { query: 'notes words' }, { maxCharacters })
      const [{ id, text, truncated }] = answer['records'] as unknown as [
        { id: string; text: string; truncated: boolean },
      ]
      expect({ id, truncated }).toEqual({ id: 'c', truncated: true })
      expect(text.length).toBeLessThanOrEqual(maxCharacters + 1)
      expect(text).not.toMatch(/\p{Surrogate}/u)
    }
  })

  test.each([
    [{ tags: ['docs'] }, ['b']],
    [{ kind: 'log' }, ['c']],
    [{ before: '2000-01-01' }, ['c']],
    [{ after: '2026-01-15T00:00:00Z' }, ['a', 'b']],
    [{ after: '2026-01-15T00:00:01+00:00' }, []],
  ])('narrows the answer by %j', async (filter, ids) => {
    expect(await idsFound({ query: 'deploy', ...filter })).toEqual(ids)
  })

  test('never reaches beyond the scope, whatever the model asks', async () => {
    expect(await idsFound({ query: 'deploy' }, site)).toEqual(['a', 'c'])
    expect(await idsFound({ query: 'deploy', tags: ['docs'] }, site)).toEqual([])
    const scoped = { scope: { tags: { any: ['docs'] }, kind: ['note'], time: { after: 1 } } }
    expect(await idsFound({ query: 'deploy', tags: ['deploy'] }, scoped)).toEqual(['b'])
    expect(await idsFound({ query: 'deploy', kind: 'log' }, scoped)).toEqual([])
    expect(await idsFound({ query: 'deploy', after: '1960-01-01T00:00Z' }, { scope: { time: { after: 1 } } })).toEqual([
      'a',
      'b',
    ])
  })

  async function idsFound(args: object, options = {}): Promise<readonly string[]> {
    const { records } = (await runTool(recall, 'recall', args, options)) as unknown as {
      records: readonly { id: string }[]
    }
    return records.map(({ id }) => id).toSorted()
  }
})

describe('assemble', () => {
  test('collects a text within the budget, within the scope', async () => {
    const answer = await runTool(recall, 'assemble', { task: 'rotate the deploy key', maxTokens: 120 }, site)
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer)
    expect(answer).toMatchObject({ evidence: 'strong', ids: expect.arrayContaining(['a']) })
    expect(answer['text']).toContain('rotates on Mondays')
    expect(answer['tokens']).toBeLessThanOrEqual(120)
    expect(answer['ids']).not.toContain('b')
  })
})

test('reads times in the zone of the app', async () => {
  // 23:30 UTC on the 13th is the 14th in Auckland, which is yesterday at the store's time.
  await recall.put({ id: 'late', body: 'deploy at night', createdAt: Date.UTC(2026, 0, 13, 23, 30) })
  const first = async (timeZone: string) => {
    const answer = await runTool(recall, 'recall', { query: 'deploy yesterday', limit: 1 }, { timeZone })
    return (answer['records'] as unknown as readonly { id: string }[])[0]?.id
  }
  expect([await first('Pacific/Auckland'), await first('UTC')]).toEqual(['late', 'b'])
})

describe('remember', () => {
  test('stores what the model says, with the provenance that the app sets', async () => {
    const { id, outcome } = await runTool(recall, 'remember', { text: 'Use pnpm', tags: ['tooling'] }, site)
    expect(outcome).toBe('inserted')
    expect(await recall.get(id as string)).toMatchObject({
      body: 'Use pnpm',
      project: 'site',
      tags: expect.arrayContaining(['agent', 'tooling']),
      source: 'llm_response',
      authority: 'llm_generated',
    })
  })

  test.each(['id', 'source', 'authority', 'project', 'vectors', '__proto__'])(
    'refuses %s from a model',
    async (field) => {
      const args = JSON.parse(`{ "text": "x", ${JSON.stringify(field)}: "user_approved" }`) as object
      await expect(runTool(recall, 'remember', args)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
      expect(await recall.count()).toBe(3)
    },
  )
})

describe('why and forget', () => {
  test('explain and remove a record by its id', async () => {
    expect(await runTool(recall, 'why', { query: 'deploy key', id: 'a' })).toMatchObject({ selected: true, place: 1 })
    expect(await runTool(recall, 'forget', { ids: ['a', 'nowhere'] })).toEqual({
      forgotten: ['a'],
      missing: ['nowhere'],
    })
    expect((await recall.verifyForgotten('a')).clean).toBe(true)
  })

  test('cannot see records outside the scope', async () => {
    expect(await runTool(recall, 'why', { query: 'deploy', id: 'b' }, site)).toMatchObject({
      selected: false,
      steps: [],
    })
    expect(await runTool(recall, 'forget', { ids: ['b'] }, site)).toEqual({ forgotten: [], missing: ['b'] })
    expect(await runTool(recall, 'forget', { ids: ['a', 'b'] }, { scope: { ids: ['c'] } })).toMatchObject({
      forgotten: [],
    })
    expect(await recall.count()).toBe(3)
  })
})

describe('a wrong call', () => {
  test.each([
    ['recall', {}, 'query'],
    ['recall', { query: '' }, 'query'],
    ['recall', { query: 5 }, 'query'],
    ['recall', { query: 'x', limit: 0 }, 'limit'],
    ['recall', { query: 'x', limit: 2.5 }, 'limit'],
    ['recall', { query: 'x', limit: '5' }, 'limit'],
    ['recall', { query: 'x', tags: 'docs' }, 'tags'],
    ['recall', { query: 'x', tags: ['docs', 7] }, 'tags[1]'],
    ['recall', { query: 'x', after: 'yesterday' }, 'after'],
    ['recall', { query: 'x', after: '2026-13-01' }, 'after'],
    ['recall', { query: 'x', scope: {} }, 'scope'],
    ['recall', 'not JSON', 'arguments'],
    ['recall', null, 'arguments'],
    ['recall', [], 'arguments'],
    ['remember', { text: 'x', importance: Number.NaN }, 'importance'],
    ['why', { query: 'x' }, 'id'],
    ['forget', { ids: [] }, 'ids'],
    ['forget', { ids: ['a', ''] }, 'ids[1]'],
    ['forget', { scope: {} }, 'scope'],
    ['assemble', {}, 'task'],
    ['assemble', { task: 'x', maxTokens: 5 }, 'maxTokens'],
    ['drop', {}, 'name'],
    ['toString', {}, 'name'],
  ])('of %s with %j is refused, and the error names its field', async (name, args, field) => {
    await expect(runTool(recall, name, args)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
    expect(await answerTool(recall, name, args)).toMatchObject({ error: { code: 'INVALID_ARGUMENT', field } })
    expect(await recall.count()).toBe(3)
  })

  test.each([
    [['remember', 'recall', 'why'], 'forget', 'Use one of remember, recall, why.'],
    [[], 'recall', 'Answer without tools.'],
    [['recall'], 'drop', 'Use one of recall.'],
  ] as const)('of a tool that is not among the offered %j is refused: %s', async (offered, name, hint) => {
    const args = { ids: ['a'], query: 'deploy' }
    const answer = await answerTool(recall, name, args, { offered })
    expect(answer).toMatchObject({ error: { code: 'INVALID_ARGUMENT', field: 'name', hint } })
    await expect(runTool(recall, name, args, { offered })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect(await recall.count()).toBe(3)
  })

  test('control: the same call of an offered tool is carried out', async () => {
    const offered = ['forget'] as const
    expect(await answerTool(recall, 'forget', { ids: ['a'] }, { offered })).toMatchObject({ forgotten: ['a'] })
  })

  test('is aborted by its signal', async () => {
    const answer = await answerTool(recall, 'recall', { query: 'x' }, { signal: AbortSignal.abort() })
    expect(answer).toMatchObject({ error: { code: 'ABORTED' } })
  })
})

describe('the definitions', () => {
  test('are JSON, in the shapes of both providers', () => {
    expect(JSON.parse(JSON.stringify(toolDefinitions))).toEqual(toolDefinitions)
    expect(openaiTools().map(({ type, function: { name } }) => [type, name])).toEqual(
      toolNames.map((name) => ['function', name]),
    )
    expect(openaiTools()[0]?.function.parameters).toMatchObject({ type: 'object', required: ['text'] })
    expect(anthropicTools(['recall'])).toEqual([
      {
        name: 'recall',
        description: toolDefinitions.recall.description,
        input_schema: toolDefinitions.recall.parameters,
      },
    ])
  })
})
