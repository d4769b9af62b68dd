/** Tests the limits of the tools' arguments at their exact values, against literals, and that a model learns which argument is wrong. */
import { describe, expect, test } from 'vitest'
import { recallTools } from '../../../src/ai-sdk/index.ts'
import { checkArguments } from '../../../src/tools/check-arguments.ts'
import { type ToolName, toolDefinitions } from '../../../src/tools/definitions.ts'

const check = (tool: ToolName, input: unknown) => checkArguments(toolDefinitions[tool].parameters, input)
const text = (length: number) => 'x'.repeat(length)
const list = (length: number, item = 'x') => Array.from({ length }, () => item)

const needed: Readonly<Record<ToolName, object>> = {
  remember: { text: 'x' },
  recall: { query: 'x' },
  about: { subject: 'jay' },
  why: { query: 'x', id: 'x' },
  forget: { ids: ['x'] },
  assemble: { task: 'x' },
}

describe('an argument', () => {
  test.each<[ToolName, string, unknown[], unknown[]]>([
    ['remember', 'title', [text(1), text(200)], ['', text(201), 1]],
    ['remember', 'text', [text(1), text(50_000)], ['', text(50_001)]],
    ['remember', 'kind', [text(1), text(64)], ['', text(65)]],
    ['remember', 'tags', [[], list(32), [text(256)]], [list(33), [''], [text(257)], 'x']],
    ['remember', 'importance', [0, 0.5, 10], [-0.1, 10.1, 11, Number.NaN, '1']],
    ['recall', 'query', [text(1), text(4096)], ['', text(4097)]],
    ['recall', 'limit', [1, 50], [0, 51, 1.5, '5']],
    ['recall', 'kind', [text(1), text(64)], ['', text(65)]],
    ['recall', 'tags', [list(32)], [list(33)]],
    ['recall', 'after', ['2026-01-31', '2026-01-31T09:30Z', '2026-01-31T09:30:00.5+02:00'], ['yesterday', '2026', 5]],
    ['recall', 'before', ['2026-01-31'], ['2026-13-31', '2026-01-31T25:00Z']],
    ['why', 'query', [text(4096)], ['', text(4097)]],
    ['why', 'id', [text(1), text(512)], ['', text(513)]],
    ['forget', 'ids', [list(1), list(50), [text(512)]], [[], list(51), [''], [text(513)], [1], 'x']],
    ['assemble', 'task', [text(1), text(4096)], ['', text(4097)]],
    ['assemble', 'maxTokens', [50, 20_000], [49, 20_001, 100.5]],
    ['assemble', 'limit', [1, 50], [0, 51]],
  ])('of %s: %s', (tool, name, taken, refused) => {
    for (const value of taken) expect(check(tool, { ...needed[tool], [name]: value })).toMatchObject({ [name]: value })
    for (const value of refused) {
      const attempt = () => check(tool, { ...needed[tool], [name]: value })
      expect(attempt, JSON.stringify(value)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', field: expect.stringMatching(new RegExp(`^${name}`)) }),
      )
    }
  })

  test.each(Object.entries(needed) as [ToolName, object][])(
    'of %s that is needed or unknown is named',
    (tool, given) => {
      expect(check(tool, given)).toEqual(given)
      for (const name of Object.keys(given)) {
        expect(() => check(tool, { ...given, [name]: null })).toThrow(expect.objectContaining({ field: name }))
        const { [name as keyof typeof given]: _left, ...others } = given
        expect(() => check(tool, others)).toThrow(expect.objectContaining({ field: name }))
      }
      for (const name of ['nose', 'constructor', '__proto__'])
        expect(() => check(tool, JSON.parse(`{${JSON.stringify(given).slice(1, -1)},"${name}":1}`))).toThrow(
          expect.objectContaining({ code: 'INVALID_ARGUMENT', field: name }),
        )
    },
  )
})

test('a tool of the AI SDK ends with the signal of the app where the SDK gives none, else with that of the SDK', async () => {
  const app = new AbortController()
  const signals: (AbortSignal | undefined)[] = []
  const store = {
    recall: async (_query: unknown, options?: { readonly signal?: AbortSignal }) => {
      signals.push(options?.signal)
      return { hits: [], evidence: { strength: 'none' }, plan: { read: [] } }
    },
  }
  const tools = recallTools(store as never, { signal: app.signal })
  const sdk = new AbortController()
  await tools.recall.execute?.({ query: 'x' }, { toolCallId: '1', messages: [] })
  await tools.recall.execute?.({ query: 'x' }, { toolCallId: '2', messages: [], abortSignal: sdk.signal })
  expect(signals[0]).toBe(app.signal)
  expect(signals[1]).toBe(sdk.signal)
})
