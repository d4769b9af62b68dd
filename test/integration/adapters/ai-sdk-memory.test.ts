/** Runs memory middleware and tools in ai 5, 6 and 7, each with its own scripted model. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'

type Script = { readonly text?: string; readonly tool?: readonly [string, object] }

/** What a model of each provider specification answers, and its class. */
const versions = [
  { name: 'ai5', library: () => import('ai5'), mocks: () => import('ai5/test'), model: 'MockLanguageModelV2', spec: 2 },
  { name: 'ai', library: () => import('ai'), mocks: () => import('ai/test'), model: 'MockLanguageModelV3', spec: 3 },
  { name: 'ai7', library: () => import('ai7'), mocks: () => import('ai7/test'), model: 'MockLanguageModelV4', spec: 4 },
] as const

interface Message {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly text?: string }[]
}
interface Library {
  wrapLanguageModel(options: object): object
  generateText(options: object): Promise<{ readonly text: string; readonly steps: readonly unknown[] }>
  streamText(options: object): { readonly text: PromiseLike<string>; readonly textStream: AsyncIterable<string> }
  stepCountIs(count: number): unknown
  simulateReadableStream(options: { readonly chunks: readonly unknown[] }): ReadableStream
}

let recall: Recall
beforeEach(async () => {
  recall = await openRecall({ name: 'ai-memory', embedder: null })
  await recall.put({ id: 'key', body: 'The deploy key rotates on Mondays', project: 'site' })
})
afterEach(() => recall.close())
afterAll(() => vi.doUnmock('ai'))

describe.each(versions)('$name', ({ library, mocks, model: className, spec }) => {
  async function load(scripts: readonly Script[]) {
    vi.resetModules()
    // The entry imports `ai`; here it gets this version.
    vi.doMock('ai', library)
    const adapter = await import('../../../src/ai-sdk/index.ts')
    const ai = (await library()) as unknown as Library
    const classes = (await mocks()) as unknown as Record<
      string,
      new (
        options: object,
      ) => {
        doGenerateCalls: readonly { prompt: readonly Message[] }[]
        doStreamCalls: readonly { prompt: readonly Message[] }[]
      }
    >
    const usage =
      spec === 2
        ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
        : { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    const reason = (word: string) => (spec === 2 ? word : { unified: word, raw: undefined })
    let step = 0
    const next = () => scripts[Math.min(step++, scripts.length - 1)]!
    const Model = classes[className]!
    const model = new Model({
      async doGenerate() {
        const { text, tool } = next()
        const content = [
          ...(text === undefined ? [] : [{ type: 'text', text }]),
          ...(tool === undefined
            ? []
            : [{ type: 'tool-call', toolCallId: `c${step}`, toolName: tool[0], input: JSON.stringify(tool[1]) }]),
        ]
        return { content, finishReason: reason(tool === undefined ? 'stop' : 'tool-calls'), usage, warnings: [] }
      },
      async doStream() {
        const { text = '' } = next()
        const parts = text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '1', delta }))
        const chunks = [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: '1' },
          ...parts,
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: reason('stop'), usage },
        ]
        return { stream: ai.simulateReadableStream({ chunks }) }
      },
    })
    return { ...adapter, ai, model }
  }

  const seenBy = (prompt: readonly Message[]) =>
    prompt
      .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n')))
      .join('\n')

  test('recalls before a call, remembers after it, and shows no turn twice', async () => {
    const { ai, model, memoryMiddleware } = await load([
      { text: 'It rotates on Mondays.' },
      { text: 'You are welcome.' },
    ])
    const middleware = memoryMiddleware(recall, { session: 'chat', record: { project: 'site' } })
    const wrapped = ai.wrapLanguageModel({ model, middleware })
    const question = 'When does the deploy key rotate?'
    const first = [{ role: 'user', content: question }]
    expect((await ai.generateText({ model: wrapped, system: 'Be short.', messages: first })).text).toBe(
      'It rotates on Mondays.',
    )
    const [system, user] = model.doGenerateCalls[0]!.prompt
    expect(system).toMatchObject({ role: 'system', content: 'Be short.' })
    expect(user?.role).toBe('user')
    expect(seenBy([user!])).toMatch(
      /They are data[^]*The deploy key rotates on Mondays[^]*When does the deploy key rotate\?$/,
    )
    const turns = async () => (await recall.list({ session: 'chat', order: { by: 'createdAt' } })).items
    const bodies = async () =>
      (await turns()).map(({ body, metadata, project }) => `${metadata['role']} ${project}: ${body}`)
    expect((await bodies()).toSorted()).toEqual(['assistant site: It rotates on Mondays.', `user site: ${question}`])

    // The same call again, as after "regenerate": nothing is stored twice.
    const again = await load([{ text: 'It rotates on Mondays.' }])
    const wrappedAgain = again.ai.wrapLanguageModel({
      model: again.model,
      middleware: again.memoryMiddleware(recall, { session: 'chat', record: { project: 'site' } }),
    })
    await again.ai.generateText({ model: wrappedAgain, system: 'Be short.', messages: first })
    expect(await recall.count({ session: 'chat' })).toBe(2)

    const next = [
      ...first,
      { role: 'assistant', content: 'It rotates on Mondays.' },
      { role: 'user', content: 'Thanks. Does the deploy key rotate on Mondays?' },
    ]
    await ai.generateText({ model: wrapped, messages: next })
    const prompt = model.doGenerateCalls.at(-1)!.prompt
    expect(seenBy(prompt).split('It rotates on Mondays.')).toHaveLength(2)
    expect(await recall.count({ session: 'chat' })).toBe(4)
  })

  test('remembers a stream when it ends, and a turn with tools once', async () => {
    const { ai, model, memoryMiddleware, recallTools } = await load([{ text: 'Oaks grow slowly.' }])
    const wrapped = ai.wrapLanguageModel({ model, middleware: memoryMiddleware(recall, { session: 'stream' }) })
    let text = ''
    for await (const part of ai.streamText({ model: wrapped, prompt: 'Tell me of oaks' }).textStream) text += part
    expect(text).toBe('Oaks grow slowly.')
    expect((await recall.list({ session: 'stream' })).items.map(({ body }) => body).toSorted()).toEqual([
      'Oaks grow slowly.',
      'Tell me of oaks',
    ])
    // Control: nothing stored is about oaks, so the prompt is the app's.
    expect(seenBy(model.doStreamCalls[0]!.prompt)).toBe('Tell me of oaks')

    const loop = await load([
      { tool: ['recall', { query: 'deploy key' }], text: 'I look it up.' },
      { text: 'On Mondays.' },
    ])
    const { steps } = await loop.ai.generateText({
      model: loop.ai.wrapLanguageModel({
        model: loop.model,
        middleware: loop.memoryMiddleware(recall, { session: 'tools' }),
      }),
      prompt: 'When does the deploy key rotate?',
      tools: loop.recallTools(recall, { offered: ['recall'] }),
      stopWhen: loop.ai.stepCountIs(3),
    })
    expect(steps).toHaveLength(2)
    expect(JSON.stringify(steps[0])).toContain('rotates on Mondays')
    expect((await recall.list({ session: 'tools' })).items.map(({ body }) => body).toSorted()).toEqual([
      'On Mondays.',
      'When does the deploy key rotate?',
    ])
    expect(recallTools).toBeTypeOf('function')
  })

  test('a store that fails ends the call, or with onError leaves it without memory', async () => {
    const { ai, model, memoryMiddleware } = await load([{ text: 'Hello.' }])
    await recall.close()
    const strict = ai.wrapLanguageModel({ model, middleware: memoryMiddleware(recall, { session: 's' }) })
    await expect(ai.generateText({ model: strict, prompt: 'Hi', maxRetries: 0 })).rejects.toMatchObject({
      code: 'CLOSED',
    })
    const errors: unknown[] = []
    const lenient = ai.wrapLanguageModel({
      model,
      middleware: memoryMiddleware(recall, { session: () => 's', onError: (error) => errors.push(error) }),
    })
    expect((await ai.generateText({ model: lenient, prompt: 'Hi' })).text).toBe('Hello.')
    expect(errors).toMatchObject([{ code: 'CLOSED' }, { code: 'CLOSED' }])
  })
})

test('a stream that fails before its end stores nothing, and one that ends stores the turn', async () => {
  const { memoryMiddleware } = await import('../../../src/ai-sdk/index.ts')
  const middleware = memoryMiddleware(recall, { session: () => 's' }) as unknown as {
    transformParams(options: object): Promise<object>
    wrapStream(options: object): Promise<{ stream: ReadableStream<unknown> }>
  }
  const run = async (parts: readonly object[], isBroken: boolean) => {
    const prompt = [{ role: 'user', content: [{ type: 'text', text: `What hides ${parts.length} acorns?` }] }]
    const params = await middleware.transformParams({ params: { prompt } })
    const stream = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        if (isBroken) controller.error(new Error('cut off'))
        else controller.close()
      },
    })
    const { stream: watched } = await middleware.wrapStream({ doStream: async () => ({ stream }), params })
    await new Response(watched.pipeThrough(new TransformStream({ transform: () => undefined }))).text().catch(() => '')
  }
  const delta = { type: 'text-delta', delta: 'Jays do.' }
  const before = await recall.count()
  await run([delta], true)
  // Its provider closes the stream without an end.
  await run([delta, delta], false)
  expect(await recall.count()).toBe(before)
  await run([delta, delta, delta, { type: 'finish', finishReason: 'stop' }], false)
  expect(await recall.count()).toBe(before + 2)
})

test('[H6] recalls what the person said, not answers and questions, and says what was left out', async () => {
  const { memoryMiddleware } = await import('../../../src/ai-sdk/index.ts')
  const day = Date.UTC(2026, 2, 1)
  await recall.remember(
    [
      { role: 'user', content: 'My dog is called Biscuit.', createdAt: day },
      { role: 'assistant', content: 'I saw 25 characters about your dog.', createdAt: day + 1 },
      { role: 'user', content: 'What is the name of my dog?', createdAt: day + 2 },
    ],
    { session: 'before' },
  )
  const told: { readonly ids: readonly string[]; readonly left: readonly { readonly reason: string }[] }[] = []
  const ask = async (options: { readonly knowsAnswers?: boolean }) => {
    const middleware = memoryMiddleware(recall, {
      session: 'now',
      ...options,
      onRecall: (one) => told.push(one),
    }) as unknown as {
      transformParams(
        given: object,
      ): Promise<{ readonly prompt: readonly { readonly content: readonly { readonly text: string }[] }[] }>
    }
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'What is my dog called?' }] }]
    return (await middleware.transformParams({ params: { prompt } })).prompt[0]!.content.map(({ text }) => text).join(
      '\n',
    )
  }
  const seen = await ask({})
  expect(seen).toContain('- 2026-03-01 user: My dog is called Biscuit.')
  expect(seen).not.toMatch(/characters|name of my dog/)
  expect(told[0]!.ids).toHaveLength(1)
  expect(told[0]!.left.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['said by assistant', 'question, no statement']),
  )
  // Control: an app may say that answers are knowledge.
  expect(await ask({ knowsAnswers: true })).toMatch(/user: My dog[^]*assistant: I saw 25 characters/)
})
