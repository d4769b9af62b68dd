/** Runs the hooks with React and react-dom over a happy-dom document, under StrictMode, against a complete store. */
import { Window } from 'happy-dom'
import { act, createElement, StrictMode } from 'react'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRecall, type Recall, type RecallQuery, type RecallResult } from '../../../src/index.ts'
import {
  type Assembler,
  type LiveStore,
  type UsedAssemble,
  type UsedRecall,
  type UsedStore,
  useAssemble,
  useRecall,
  useStore,
} from '../../../src/react/index.ts'

const { window, createRoot, restore } = await openDocument()

let recall: Recall
let unmount: (() => Promise<void>) | undefined

beforeEach(async () => {
  recall = await openRecall({ name: 'react', embedder: null, runtime: 'inline' })
  await recall.put([
    { id: 'a', body: 'acorns under the oak' },
    { id: 'b', body: 'beetles in the bark' },
  ])
})

afterEach(async () => {
  await unmount?.()
  unmount = undefined
  await recall.close()
})

afterAll(() => restore())

/** Mounts a component that uses a hook; `seen` lists what the hook returned, one entry per rendering. */
async function mount<Props extends object, Used>(hook: (props: Props) => Used, first: Props) {
  const seen: Used[] = []
  const Probe = (props: Props) => {
    seen.push(hook(props))
    return null
  }
  const root = createRoot(window.document.createElement('div') as unknown as Element)
  const render = (props: Props) =>
    act(async () => root.render(createElement(StrictMode, null, createElement(Probe, props))))
  unmount = () => act(async () => root.unmount())
  await render(first)
  const until = async (isIt: (used: Used) => boolean): Promise<Used> => {
    for (;;) {
      const last = seen.at(-1) as Used
      if (isIt(last)) return last
      await act(async () => new Promise((resolve) => setTimeout(resolve, 5)))
    }
  }
  return { seen, render, until }
}

interface RecallProps {
  readonly store: LiveStore | null
  readonly query: string | RecallQuery | null
}

const mountRecall = (props: RecallProps) =>
  mount<RecallProps, UsedRecall>(({ store, query }) => useRecall(store, query), props)
const idsOf = (used: UsedRecall) => used.result?.hits.map(({ id }) => id)
const isReady = ({ status }: UsedRecall) => status === 'ready'

describe('useStore', () => {
  test('opens a store once, keeps it for equal options, and closes it when options change and at the end', async () => {
    const { seen, render, until } = await mount<{ readonly name: string }, UsedStore>(
      ({ name }) => useStore({ name, embedder: null, runtime: 'inline' }),
      { name: 'own' },
    )
    expect(seen[0]).toEqual({ store: undefined, error: undefined, status: 'opening' })
    const { store: first } = await until(({ status }) => status === 'ready')
    await first!.put({ id: 'x', body: 'acorns' })
    await render({ name: 'own' })
    expect(seen.at(-1)?.store).toBe(first)
    await render({ name: 'other' })
    const { store: second } = await until(({ status, store }) => status === 'ready' && store !== first)
    await expect.poll(() => first!.count().catch(({ code }) => code)).toBe('CLOSED')
    expect(await second!.count()).toBe(0)
    await unmount?.()
    unmount = undefined
    await expect.poll(() => second!.count().catch(({ code }) => code)).toBe('CLOSED')
  })

  test('reports why a store cannot be opened', async () => {
    const { until } = await mount<object, UsedStore>(() => useStore({ storage: 'tape' as never }), {})
    expect(await until(({ status }) => status === 'error')).toMatchObject({
      store: undefined,
      error: { code: 'INVALID_CONFIG' },
    })
  })
})

describe('useRecall', () => {
  test('answers, and answers again when the store changes', async () => {
    const { seen, until } = await mountRecall({ store: recall, query: { text: 'acorns' } })
    expect(seen[0]).toEqual({ result: undefined, error: undefined, status: 'pending' })
    expect(idsOf(await until(isReady))).toEqual(['a'])
    await recall.put({ id: 'c', body: 'acorns everywhere, acorns' })
    expect(idsOf(await until((used) => idsOf(used)?.length === 2))?.toSorted()).toEqual(['a', 'c'])
  })

  test('compares queries by value: an equal literal is the same query', async () => {
    const asked: unknown[] = []
    const store: LiveStore = {
      subscribe(live, listener, options) {
        asked.push(live.query)
        return recall.subscribe(live, listener, options)
      },
    }
    const { render, until } = await mountRecall({ store, query: { text: 'acorns', limit: 3 } })
    await until(isReady)
    // StrictMode runs the first effect twice.
    expect(asked).toHaveLength(2)
    await render({ store, query: { text: 'acorns', limit: 3 } })
    expect(asked).toHaveLength(2)
    await render({ store, query: { text: 'acorns', limit: 4 } })
    expect(asked).toHaveLength(3)
  })

  test('never shows the answer of another query as the answer of this one', async () => {
    const { seen, render, until } = await mountRecall({ store: recall, query: 'acorns' })
    await until(isReady)
    await render({ store: recall, query: 'beetles' })
    expect(idsOf(await until(isReady))).toEqual(['b'])
    const afterwards = seen.slice(seen.findIndex((used) => idsOf(used)?.[0] === 'a'))
    // Ready with a, pending with a still shown, ready with b: exactly in this order.
    expect([...new Set(afterwards.map((used) => `${used.status} ${idsOf(used)}`))]).toEqual([
      'ready a',
      'pending a',
      'ready b',
    ])
  })

  test('drops late answers, and stops listening when it unmounts', async () => {
    const listeners: { tell: (result: RecallResult) => void; signal: AbortSignal | undefined }[] = []
    const store: LiveStore = {
      subscribe(_live, listener, options) {
        listeners.push({ tell: listener, signal: options?.signal })
        return () => undefined
      },
    }
    const { seen, render } = await mountRecall({ store, query: 'first' })
    await render({ store, query: 'second' })
    const late = await recall.recall('acorns')
    await act(async () => listeners[0]?.tell(late))
    expect(seen.at(-1)).toMatchObject({ status: 'pending', result: undefined })
    expect(listeners.map(({ signal }) => signal?.aborted)).toEqual([true, true, false])
    await unmount?.()
    unmount = undefined
    expect(listeners.at(-1)?.signal?.aborted).toBe(true)
  })

  test('asks nothing without a store or a query', async () => {
    const { seen, render, until } = await mountRecall({ store: null, query: 'acorns' })
    await render({ store: recall, query: null })
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['idle']))
    await render({ store: recall, query: 'acorns' })
    expect(idsOf(await until(isReady))).toEqual(['a'])
  })

  test('returns errors, and recovers', async () => {
    const { render, until } = await mountRecall({ store: recall, query: { text: 'acorns', limit: -1 } })
    expect((await until(({ status }) => status === 'error')).error).toMatchObject({ code: 'INVALID_ARGUMENT' })
    await render({ store: recall, query: 'acorns' })
    expect((await until(isReady)).error).toBeUndefined()
  })
})

interface AssembleProps {
  readonly assembler: Assembler<{ text: string }, string>
  readonly request: { text: string } | null
}

describe('useAssemble', () => {
  const mountAssemble = (props: AssembleProps) =>
    mount<AssembleProps, UsedAssemble<string>>(({ assembler, request }) => useAssemble(assembler, request), props)

  test('asks for each request, aborts the previous one, and asks again on demand', async () => {
    const calls: { text: string; signal: AbortSignal | undefined; answer: (text: string) => void }[] = []
    const assembler: Assembler<{ text: string }, string> = {
      assemble: ({ text }, options) =>
        new Promise((resolve) => calls.push({ text, signal: options?.signal, answer: resolve })),
    }
    const { seen, render, until } = await mountAssemble({ assembler, request: { text: 'one' } })
    await render({ assembler, request: { text: 'two' } })
    // Twice for the first request, under StrictMode.
    expect(calls.map(({ text, signal }) => [text, signal?.aborted])).toEqual([
      ['one', true],
      ['one', true],
      ['two', false],
    ])
    await act(async () => calls[0]?.answer('late'))
    expect(seen.at(-1)).toMatchObject({ status: 'pending', result: undefined })
    await act(async () => calls[2]?.answer('package'))
    expect(seen.at(-1)).toMatchObject({ status: 'ready', result: 'package' })
    await act(async () => seen.at(-1)?.refresh())
    expect(seen.at(-1)).toMatchObject({ status: 'pending', result: 'package' })
    await act(async () => calls[3]?.answer('newer'))
    expect((await until(({ status }) => status === 'ready')).result).toBe('newer')
  })

  test('returns errors', async () => {
    const assembler = { assemble: () => Promise.reject(new Error('no')) }
    const { until } = await mountAssemble({ assembler, request: { text: 'one' } })
    expect((await until(({ status }) => status === 'error')).error).toEqual(new Error('no'))
  })
})

/** Only the globals that react-dom looks for: Scrubjay must still detect Node. */
async function openDocument() {
  const opened = new Window()
  const globals = globalThis as Record<string, unknown>
  const lent = {
    window: opened,
    document: opened.document,
    IS_REACT_ACT_ENVIRONMENT: true,
    // Node has a navigator from version 21 on.
    ...('navigator' in globals ? {} : { navigator: opened.navigator }),
  }
  Object.assign(globals, lent)
  const dom = await import('react-dom/client')
  return {
    window: opened,
    createRoot: dom.createRoot,
    restore: async () => {
      for (const name of Object.keys(lent)) delete globals[name]
      await opened.happyDOM.close()
    },
  }
}
