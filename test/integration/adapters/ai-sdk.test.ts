/**
 * Runs the tools in the AI SDK itself: a scripted model calls them; the SDK checks the arguments, runs the tool and
 * returns the result.
 */
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recallTools } from '../../../src/ai-sdk/index.ts'
import { openRecall, type Recall } from '../../../src/index.ts'
import { toolDefinitions } from '../../../src/tools/index.ts'

let recall: Recall

beforeEach(async () => {
  recall = await openRecall({ name: 'ai', embedder: null })
  await recall.put([
    { id: 'a', body: 'The deploy key rotates on Mondays', project: 'site' },
    { id: 'b', body: 'The deploy key of the docs', project: 'docs' },
  ])
})

afterEach(() => recall.close())

type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that makes these calls, one per step, then says "done". */
function modelCalling(...calls: readonly (readonly [string, object])[]) {
  const steps = calls.map(
    ([toolName, input], i): Generated => ({
      content: [{ type: 'tool-call', toolCallId: `call-${i}`, toolName, input: JSON.stringify(input) }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    }),
  )
  const last: Generated = {
    content: [{ type: 'text', text: 'done' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  }
  return new MockLanguageModelV3({ doGenerate: [...steps, last] })
}

test('offers only the chosen tools', () => {
  expect(Object.keys(recallTools(recall, { offered: ['recall', 'why'] }))).toEqual(['recall', 'why'])
})

test('the SDK offers, checks and runs the tools', async () => {
  const model = modelCalling(
    ['remember', { text: 'Use pnpm' }],
    ['recall', { query: 'deploy key' }],
    ['recall', { query: 'deploy key', limit: 0 }],
  )
  const { text, steps } = await generateText({
    model,
    prompt: 'What about the deploy key?',
    tools: recallTools(recall, { scope: { project: 'site' }, record: { project: 'site' } }),
    stopWhen: stepCountIs(5),
  })
  expect(text).toBe('done')
  expect(model.doGenerateCalls[0]?.tools).toEqual(
    Object.values(toolDefinitions).map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
  )
  expect(steps[0]?.toolResults[0]?.output).toMatchObject({ outcome: 'inserted' })
  expect(steps[1]?.toolResults[0]?.output).toMatchObject({ records: [{ id: 'a' }] })
  // The model gets the error as a result; the app gets no exception.
  const refused = steps[2]?.content.find(({ type }) => type === 'tool-error')
  expect(JSON.stringify(refused)).toContain('limit')
  expect(await recall.count({ project: 'site' })).toBe(2)
})

test('a call ends when the SDK’s signal aborts', async () => {
  const tools = recallTools(recall)
  const options = { toolCallId: '1', messages: [], abortSignal: AbortSignal.abort() }
  await expect(tools.recall.execute?.({ query: 'deploy' }, options)).rejects.toMatchObject({ code: 'ABORTED' })
})
