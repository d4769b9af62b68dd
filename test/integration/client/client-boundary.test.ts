/**
 * Tests the boundary between page and engine over a real channel: what crosses it, what does not, and how calls end.
 */
import { expose } from 'comlink'
import { afterEach, describe, expect, test } from 'vitest'
import type { Recall } from '../../../src/client/api/recall.ts'
import type { EngineLink } from '../../../src/client/link/engine-link.ts'
import { openWorkerLink } from '../../../src/client/link/worker-link.ts'
import { errorCodes, RecallError } from '../../../src/core/model/errors.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { precomputed } from '../../../src/embedders/index.ts'
import type { Embedder } from '../../../src/protocol/embedder.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { replyWith } from '../../../worker/rpc/dispatch.ts'
import { filterEndpoint } from '../../../worker/rpc/filter-endpoint.ts'
import { serve } from '../../../worker/rpc/serve.ts'
import {
  type BoundClient,
  connect,
  createScriptedEngine,
  engineOptionsInWorker,
  noEvents,
  openPort,
} from '../../support/scripted-engine.ts'

const never = () => new Promise<never>(() => {})
const opened: BoundClient[] = []

async function open(...args: Parameters<typeof connect>): Promise<BoundClient> {
  const client = await connect(...args)
  opened.push(client)
  return client
}

afterEach(async () => {
  for (const { recall } of opened.splice(0)) await recall.close()
})

describe('errors', () => {
  test.each(errorCodes)('[E1] %s crosses the boundary with field, value and hint', async (code) => {
    const details = { code, message: `about ${code}`, field: 'tags[3]', value: '"x"', hint: 'Do this.' }
    const { engine } = createScriptedEngine(() => {
      throw new RecallError(details)
    })
    const { recall } = await open(engine)
    const error = await recall.status().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RecallError)
    expect((error as RecallError).toDetails()).toEqual({ ...details, cure: details.hint })
  })

  test('[E1] a fault that is not a RecallError is not reported as one', async () => {
    const { engine } = createScriptedEngine(() => {
      throw new RangeError('a bug')
    })
    const { recall } = await open(engine)
    const error = await recall.status().catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(RecallError)
    expect(error).toMatchObject({ name: 'RangeError', message: 'a bug' })
  })

  test('[W2] put of one record rejects with its error, put of many answers per record', async () => {
    const refusal = { id: 'a', outcome: 'rejected', code: 'INVALID_RECORD', field: 'tags[0]', message: 'no' }
    const { engine } = createScriptedEngine((_, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(() => refusal),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine)
    await expect(recall.put({ title: 'a' })).rejects.toMatchObject({ code: 'INVALID_RECORD', field: 'tags[0]' })
    expect((await recall.put([{ title: 'a' }])).records).toEqual([refusal])
  })

  test('[W2] a record that cannot be cloned does not stop the others', async () => {
    const { engine, calls } = createScriptedEngine((_, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(({ id }) => ({ id, outcome: 'inserted', bodyChanged: true })),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine)
    const uncloneable = { id: 'b', title: 'b', metadata: { run: () => 1 } } as unknown as RecordInput
    const { records } = await recall.put([{ id: 'a', title: 'a' }, uncloneable, { id: 'c', title: 'c' }])
    expect(records.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['a', 'inserted'],
      ['b', 'rejected'],
      ['c', 'inserted'],
    ])
    expect(records[1]).toMatchObject({ code: 'INVALID_RECORD', field: 'metadata' })
    expect(calls).toHaveLength(1)
    await expect(recall.put(uncloneable)).rejects.toMatchObject({ code: 'INVALID_RECORD', field: 'metadata' })
    await expect(recall.recall({ text: (() => 1) as unknown as string })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'text',
    })
  })
})

describe('values that cannot be cloned', () => {
  const throwing = {
    get title(): string {
      throw new Error('mine')
    },
  }
  const deep = { title: 'deep', metadata: {} }
  for (let i = 0, at: Record<string, unknown> = deep.metadata; i < 100_000; i++) at = at['a'] = {}
  const strange: readonly (readonly [string, unknown, string])[] = [
    ['a function', () => 1, 'record'],
    ['a symbol', Symbol('x'), 'record'],
    ['a proxy', new Proxy({ title: 'x' }, {}), 'record'],
    ['a getter that throws', throwing, 'title'],
    ['nesting without end', deep, 'metadata'],
  ]

  test.each(strange)('[W2] %s as a record is refused, with the value and a hint', async (_, record, field) => {
    const { engine, calls } = createScriptedEngine((_verb, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(({ id }) => ({ id, outcome: 'inserted', bodyChanged: true })),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine)
    const { records } = await recall.put([{ id: 'a', title: 'a' }, record as RecordInput, { id: 'c', title: 'c' }])
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'rejected', 'inserted'])
    const refusal = { code: 'INVALID_RECORD', field, value: expect.any(String), hint: expect.stringContaining('plain') }
    expect(records[1]).toMatchObject(refusal)
    expect(calls).toHaveLength(1)
    await expect(recall.put(record as RecordInput)).rejects.toMatchObject(refusal)
  })

  test.each([
    ['a function', () => 1, 'argument'],
    ['a symbol', Symbol('x'), 'argument'],
    ['a getter that throws', throwing, 'title'],
  ] as const)('[E1] %s as a query is refused', async (_, query, field) => {
    const { recall } = await open(createScriptedEngine(never).engine)
    const refusal = { code: 'INVALID_ARGUMENT', field, value: expect.any(String) }
    await expect(recall.recall(query as unknown as string)).rejects.toMatchObject(refusal)
    await expect(recall.list(query as unknown as object)).rejects.toMatchObject(refusal)
  })

  test('[W2] a getter that throws stops neither the other records nor the embedder', async () => {
    const asked: (readonly string[])[] = []
    const embed = async (texts: readonly string[]) => {
      asked.push(texts)
      return texts.map(() => new Float32Array(2))
    }
    const { engine } = createScriptedEngine((_, { batch }: { batch: readonly RecordInput[] }) => ({
      records: batch.map(({ id }) => ({ id, outcome: 'inserted', bodyChanged: true })),
      revision: 1,
      durability: 'memory',
    }))
    const { recall } = await open(engine, { embedder: { space: 'mine', dimensions: 2, embed } })
    const late = Object.defineProperty({ title: 'b' }, 'tags', { enumerable: true, get: () => throwing.title })
    const { records } = await recall.put([{ id: 'a', title: 'a' }, throwing, late, { id: 'c', title: 'c' }])
    expect(records.map(({ outcome }) => outcome)).toEqual(['inserted', 'rejected', 'rejected', 'inserted'])
    expect(asked.flat().map((text) => text.trim())).toEqual(['a', 'c'])
    await expect(recall.patch('a', throwing)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'title' })
    const query = Object.defineProperty({}, 'text', { enumerable: true, get: () => throwing.title })
    await expect(recall.recall(query)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'text' })
  })

  test('[E1] such a value as an id is refused', async () => {
    const { recall } = await open(createScriptedEngine(never).engine)
    const id = (() => 1) as unknown as string
    const refusedBy = (field: string) => ({ code: 'INVALID_ARGUMENT', field, value: expect.any(String) })
    await expect(recall.get(id)).rejects.toMatchObject(refusedBy('ids'))
    await expect(recall.forget(id)).rejects.toMatchObject(refusedBy('argument'))
    await expect(recall.why('jay', id)).rejects.toMatchObject(refusedBy('id'))
    await expect(recall.setRisks(id, [])).rejects.toMatchObject(refusedBy('id'))
    await expect(recall.link('a', id)).rejects.toMatchObject(refusedBy('b'))
  })

  test('[E1] reflectPrompt ends with its signal and with the store, like any other call', async () => {
    const { recall } = await open(createScriptedEngine(never).engine)
    const request = { query: 'q', hits: [] }
    expect(await recall.reflectPrompt(request)).toHaveLength(2)
    const signal = AbortSignal.abort()
    await expect(recall.reflectPrompt(request, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
    await recall.close()
    await expect(recall.reflectPrompt(request)).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('the end of a call', () => {
  test('[E1] its signal rejects the call with ABORTED at once and stops no other call', async () => {
    const { engine, calls } = createScriptedEngine((method) => (method === 'recall' ? never() : 7))
    const { recall } = await open(engine)
    const controller = new AbortController()
    const waiting = recall.recall('x', { signal: controller.signal })
    const counting = recall.count()
    await expect.poll(() => calls.length).toBe(2)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await counting).toBe(7)
    await expect(recall.recall('x', { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' })
    expect(calls).toHaveLength(2)
  })

  test('[E1] the engine gives up a cancelled request, too', async () => {
    const { engine } = createScriptedEngine(never)
    const { link } = await open(engine)
    const request = { id: 'r', method: 'status', request: {}, context: { now: 0 }, deadlineMs: 5_000 } as const
    const reply = link.call(request)
    link.cancel('r')
    expect(await reply).toMatchObject({ ok: false, error: { code: 'ABORTED' } })
  })

  test('[E1] the engine rejects a call after its deadline with DEADLINE_EXCEEDED', async () => {
    const { engine } = createScriptedEngine(never)
    const { link } = await open(engine)
    const request = { id: 'r', method: 'status', request: {}, context: { now: 0 }, deadlineMs: 10 } as const
    expect(await link.call(request)).toMatchObject({ ok: false, error: { code: 'DEADLINE_EXCEEDED' } })
  })

  test('[E1] the page rejects a call after its deadline, even when the engine never answers', async () => {
    const silent: EngineLink = {
      call: never,
      cancel: () => undefined,
      subscribe: () => () => undefined,
      onFailure: () => undefined,
      end: () => undefined,
    }
    const { recall } = await open(createScriptedEngine(never).engine, { link: silent, deadlineMs: 30 })
    await expect(recall.recall('x')).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  test('[E1] its signal reaches the engine over the channel', async () => {
    const { engine, calls } = createScriptedEngine(never)
    const { recall } = await open(engine)
    const controller = new AbortController()
    const waiting = recall.recall('x', { signal: controller.signal })
    const other = recall.count().catch((error: unknown) => error)
    await expect.poll(() => calls.length).toBe(2)
    const signalOf = (method: string) => calls.find((call) => call.method === method)?.context.signal
    expect([signalOf('recall')?.aborted, signalOf('count')?.aborted]).toEqual([false, false])
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    await expect.poll(() => signalOf('recall')?.aborted).toBe(true)
    expect(signalOf('count')?.aborted).toBe(false)
    await recall.close()
    expect(await other).toMatchObject({ code: 'CLOSED' })
  })

  test.each([
    ['a recall', (recall: Recall, signal: AbortSignal) => recall.recall('x', { signal })],
    ['a put', (recall: Recall, signal: AbortSignal) => recall.put({ title: 'x' }, { signal })],
    ['a put of many', (recall: Recall, signal: AbortSignal) => recall.put([{ title: 'x' }], { signal })],
  ] as const)('[E1] the signal of %s reaches the embedder of the app', async (_name, call) => {
    const handed: (AbortSignal | undefined)[] = []
    const embedder: Embedder = {
      space: 'mine',
      dimensions: 2,
      embed: (_texts, _role, options) => {
        handed.push(options?.signal)
        return never()
      },
    }
    const { engine, calls } = createScriptedEngine(() => 1)
    const { recall } = await open(engine, { embedder })
    const controller = new AbortController()
    const waiting = call(recall, controller.signal)
    await expect.poll(() => handed.length).toBe(1)
    expect(handed[0]?.aborted).toBe(false)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(handed[0]?.aborted).toBe(true)
    expect(calls.filter(({ method }) => method === 'recall' || method === 'put')).toEqual([])
  })

  test('[E1] closing rejects pending and later calls with CLOSED', async () => {
    const { engine } = createScriptedEngine(never)
    const { recall } = await open(engine)
    const waiting = [recall.recall('x'), recall.count()].map((call) => call.catch((error: unknown) => error))
    await recall.close()
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'CLOSED' })
    await expect(recall.status()).rejects.toMatchObject({ code: 'CLOSED' })
    expect(() => recall.subscribe(() => {})).toThrow(expect.objectContaining({ code: 'CLOSED' }))
    await recall.close()
  })

  test('[E1] the death of the worker rejects every call with LEADER_LOST', async () => {
    const { engine } = createScriptedEngine(never)
    const { recall, fail } = await open(engine)
    const waiting = recall.recall('x').catch((error: unknown) => error)
    fail('out of memory')
    expect(await waiting).toMatchObject({ code: 'LEADER_LOST', message: expect.stringContaining('out of memory') })
    await expect(recall.status()).rejects.toMatchObject({ code: 'LEADER_LOST' })
  })

  test('a signal that is not an AbortSignal is refused', async () => {
    const { recall } = await open(createScriptedEngine(() => 1).engine)
    await expect(recall.count({}, { signal: {} as AbortSignal })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'signal',
    })
  })
})

describe('opening', () => {
  test('[E1] a worker of another release is refused with VERSION_SKEW', async () => {
    const { far, port } = openPort()
    const old = { open: () => replyWith(async () => ({ version: 0 })) }
    expose(old, far)
    await expect(openWorkerLink(port, engineOptionsInWorker, 5_000, noEvents)).rejects.toMatchObject({
      code: 'VERSION_SKEW',
      value: '0',
    })
  })

  test('[E1] a page of another release is refused with VERSION_SKEW, and nothing is opened', async () => {
    const { near, far } = openPort()
    let isOpened = false
    serve(far, async () => {
      isOpened = true
      return createScriptedEngine(() => 1).engine
    })
    const reply = await ask(near, apply('open', [{ version: 99, options: engineOptionsInWorker }]))
    expect(reply).toMatchObject({
      value: { ok: false, error: { code: 'VERSION_SKEW', field: 'version', value: '99' } },
    })
    expect(isOpened).toBe(false)
    near.close()
  })

  test('[E1] a worker that cannot be loaded gives INVALID_CONFIG, one that never answers DEADLINE_EXCEEDED', async () => {
    const { port } = openPort()
    const opening = openWorkerLink(port, engineOptionsInWorker, 5_000, noEvents)
    port.fail('404')
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'assets.worker' })
    await expect(openWorkerLink(openPort().port, engineOptionsInWorker, 20, noEvents)).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    })
  })

  test('[E1] a malformed policy is refused before anything is opened', async () => {
    const { far, port } = openPort()
    serve(far, never)
    const options = { ...engineOptionsInWorker, policy: { name: 'half' } as never }
    await expect(openWorkerLink(port, options, 5_000, noEvents)).rejects.toMatchObject({ code: 'INVALID_POLICY' })
  })
})

describe('the filtered endpoint', () => {
  const hostile = [
    ['SET __proto__', { type: 'SET', path: ['__proto__', 'polluted'], value: raw('yes') }],
    ['SET constructor.prototype', { type: 'SET', path: ['constructor', 'prototype', 'polluted'], value: raw('yes') }],
    ['SET of a method', { type: 'SET', path: ['call'], value: raw('yes') }],
    ['GET', { type: 'GET', path: ['call'] }],
    ['GET without a path', { type: 'GET' }],
    ['a deep path', { type: 'APPLY', path: ['call', 'constructor'], argumentList: [raw('return 1')] }],
    ['no path', { type: 'APPLY', path: [], argumentList: [] }],
    ['a path that only looks like a list', { type: 'APPLY', path: { 0: 'call', length: 1 }, argumentList: [] }],
    ['an inherited method', { type: 'APPLY', path: ['__defineGetter__'], argumentList: [raw('polluted'), raw(1)] }],
    ['an unknown method', { type: 'APPLY', path: ['eval'], argumentList: [raw('1')] }],
    ['a list in place of a name', { type: 'APPLY', path: [['call']], argumentList: [] }],
    ['CONSTRUCT', { type: 'CONSTRUCT', path: ['call'], argumentList: [] }],
    ['ENDPOINT', { type: 'ENDPOINT' }],
    [
      'arguments that handlers revive',
      {
        type: 'APPLY',
        path: ['call'],
        argumentList: [{ type: 'HANDLER', name: 'throw', value: { isError: false, value: 1 } }],
      },
    ],
    ['no arguments list', { type: 'APPLY', path: ['call'] }],
    ['an unknown type', { type: 'EVAL', path: ['call'] }],
  ] as const

  test.each(hostile)('refuses %s', async (_, message) => {
    const { near, far } = openPort()
    const { engine, calls } = createScriptedEngine(() => 1)
    serve(far, async () => engine)
    const reply = await ask(near, message)
    expect(reply).toMatchObject({ type: 'HANDLER', name: 'throw', value: { value: { name: 'TypeError' } } })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(calls).toEqual([])
    near.close()
  })

  test('control: Comlink alone is polluted by the same message', async () => {
    const { near, far } = openPort()
    expose({ call: () => 1 }, far)
    try {
      await ask(near, hostile[0][1])
      expect(({} as { polluted?: unknown }).polluted).toBe('yes')
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted')
    }
    near.close()
  })

  test('passes calls and RELEASE, and ignores messages that are not Comlink’s', async () => {
    const { near, far } = openPort()
    let isEnded = false
    far.addEventListener('close', () => {
      isEnded = true
    })
    expose({ add: (a: number, b: number) => a + b }, filterEndpoint(far, ['add']))
    near.postMessage(null)
    near.postMessage('text')
    near.postMessage({ id: 5, type: 'GET' })
    expect(await ask(near, apply('add', [2, 3]))).toMatchObject({ type: 'RAW', value: 5 })
    expect(await ask(near, { type: 'RELEASE' })).toMatchObject({ type: 'RAW' })
    near.postMessage({ id: 'late', ...apply('add', [2, 3]) })
    near.close()
    expect(isEnded).toBe(false)
  })

  test('refuses methods that no engine has', async () => {
    const { engine, calls } = createScriptedEngine(() => 1)
    const { link } = await open(engine)
    const request = { id: 'r', method: 'constructor' as never, request: {}, context: { now: 0 }, deadlineMs: 1_000 }
    expect(await link.call(request)).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENT', field: 'method' } })
    expect(calls).toEqual([])
  })
})

describe('what a request carries', () => {
  const stored = (_: string, { batch }: { batch: readonly RecordInput[] }) => ({
    records: batch.map(() => ({ id: 'x', outcome: 'inserted', bodyChanged: true })),
    revision: 1,
    durability: 'memory',
  })

  test('the time of the page’s clock and its own operation id', async () => {
    let nowMs = 5
    const { engine, calls } = createScriptedEngine(() => 1)
    const { recall } = await open(engine, { now: () => nowMs++ })
    await recall.count()
    await recall.count()
    expect(calls.map(({ context }) => context.now)).toEqual([5, 6])
    expect(new Set(calls.map(({ context }) => context.operation)).size).toBe(2)
  })

  test('only the vectors: not the buffers behind them, and never the caller’s own', async () => {
    const { engine, calls } = createScriptedEngine(stored as never)
    const { recall } = await open(engine)
    const huge = new Float32Array(1_000_000).fill(0.5)
    const view = huge.subarray(10, 13)
    await recall.put([
      { title: 'a', vectors: view },
      { title: 'b', vectors: [view, { vector: view, from: 0, to: 1 }] },
    ])
    expect(huge.length).toBe(1_000_000)
    const [{ request }] = calls as unknown as [{ request: { batch: readonly RecordInput[] } }]
    const [a, b] = request.batch
    expect(a?.vectors).toEqual(new Float32Array([0.5, 0.5, 0.5]))
    expect(b?.vectors).toEqual([view, { vector: view, from: 0, to: 1 }].map((piece) => structuredClone(piece)))
    expect(a).toHaveProperty('vectors.buffer.byteLength', 9 * 4)
    await recall.recall({ vector: view }).catch(() => undefined)
    expect(view.length).toBe(3)
    expect(calls[1]).toHaveProperty('request.query.vector.buffer.byteLength', 3 * 4)
  })

  test('vectors of the app’s own embedder, where the caller gave none', async () => {
    const asked: [readonly string[], string][] = []
    const embedder = {
      space: 'mine',
      dimensions: 1,
      embed: async (texts: readonly string[], role: 'query' | 'document') => {
        asked.push([texts, role])
        return texts.map((text) => new Float32Array([text.length]))
      },
    }
    const { engine, calls } = createScriptedEngine((method, request: never) => {
      if (method === 'put' || method === 'patch')
        return stored(method, { batch: [{}], ...(request as object) } as never)
      if (method === 'get') return [{ title: 'old', summary: null, body: 'text', instruction: null, command: null }]
      return {
        hits: [],
        ledger: { ids: '', lengths: new Uint16Array(), cause: new Uint16Array(), causes: [], scores: null },
      }
    })
    const { recall } = await open(engine, { embedder })
    const own = new Float32Array([9])
    await recall.put([{ title: 'four', body: '4' }, { title: 'x', vectors: own }, { title: 4 as never }])
    await recall.recall('three')
    await recall.recall({ text: 'x', vector: own })
    await recall.patch('id', { title: 'newer' })
    await recall.patch('id', { tags: ['t'] })
    const sent = calls.map(({ request }) => request) as never as [
      { batch: readonly RecordInput[] },
      ...Record<string, never>[],
    ]
    expect(sent[0].batch.map(({ vectors }) => vectors)).toEqual([
      [{ vector: new Float32Array([6]), from: 0, to: 1 }],
      own,
      undefined,
    ])
    expect(sent.slice(1)).toMatchObject([
      { query: { text: 'three', vector: new Float32Array([5]) } },
      { query: { text: 'x', vector: own } },
      { ids: ['id'] },
      { id: 'id', fields: { title: 'newer', vectors: [{ vector: new Float32Array([10]) }] } },
      { id: 'id', fields: { tags: ['t'] } },
    ])
    expect(asked).toEqual([
      [['four 4'], 'document'],
      [['three'], 'query'],
      [['newer text'], 'document'],
    ])
  })

  test('no vectors from an embedder that makes none', async () => {
    const { engine, calls } = createScriptedEngine((method, request) =>
      method === 'put'
        ? stored(method, request)
        : { ledger: { ids: '', lengths: [], cause: [], causes: [], scores: null } },
    )
    const { recall } = await open(engine, { embedder: precomputed(2, 'mine') })
    await recall.put({ title: 'a' })
    await recall.recall('a')
    expect(calls.map(({ request }) => request)).toEqual([{ batch: [{ title: 'a' }] }, { query: { text: 'a' } }])
  })

  test.each([
    ['too few', async () => [new Float32Array(2)], 'INVALID_CONFIG'],
    ['too short', async () => [new Float32Array(1), new Float32Array(1)], 'DIMENSION_MISMATCH'],
    [
      'no Float32Array',
      async () =>
        [
          [1, 2],
          [1, 2],
        ] as never,
      'DIMENSION_MISMATCH',
    ],
  ])('[E1] vectors of an embedder that are %s are refused', async (_, embed, code) => {
    const { engine, calls } = createScriptedEngine(() => 1)
    const embedder = { space: 'mine', dimensions: 2, embed }
    const { recall } = await open(engine, { embedder, embedderFailure: 'reject' })
    await expect(recall.put([{ title: 'a' }, { title: 'b' }])).rejects.toMatchObject({ code, field: 'embedder.embed' })
    expect(calls).toEqual([])
  })

  test('[E1] an embedder that hangs does not outlive its call', async () => {
    const { engine } = createScriptedEngine(() => 1)
    const { recall } = await open(engine, { embedder: { space: 'mine', dimensions: 2, embed: never } })
    const controller = new AbortController()
    const waiting = recall.put({ title: 'a' }, { signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
  })

  test('the answer of a recall reports the time it took', async () => {
    const { engine } = createScriptedEngine(async () => {
      const startedMs = performance.now()
      await expect.poll(() => performance.now() - startedMs).toBeGreaterThan(5)
      return {
        hits: [],
        tookMs: 0,
        ledger: { ids: 'a\n', lengths: [1], cause: [0], causes: [{ reason: 'r', stage: 'gate' }], scores: null },
      }
    })
    const { recall } = await open(engine)
    const result = await recall.recall('x')
    expect(result.tookMs).toBeGreaterThan(5)
    expect(result.ledger).toEqual([{ id: 'a', reason: 'r', stage: 'gate' }])
  })
})

test('events are sent only while someone listens', async () => {
  const { engine, emit } = createScriptedEngine(() => 1)
  const { recall } = await open(engine)
  const heard: unknown[] = []
  const stop = recall.subscribe((event) => heard.push(event))
  emit({ type: 'changed', revision: 3, ids: [] })
  await expect.poll(() => heard).toEqual([{ type: 'changed', revision: 3, ids: [] }])
  stop()
  emit({ type: 'changed', revision: 4, ids: [] })
  // After one round trip the event would have arrived.
  await recall.count()
  expect(heard).toHaveLength(1)
})

function raw(value: unknown) {
  return { type: 'RAW', value }
}

function apply(method: string, values: readonly unknown[]) {
  return { type: 'APPLY', path: [method], argumentList: values.map(raw) }
}

/** Posts one message as a peer that writes Comlink's protocol by hand; resolves to the answer. */
function ask(port: MessagePort, message: object): Promise<unknown> {
  const id = `hostile-${Math.random()}`
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent) => {
      if (data?.id === id) resolve(data)
    })
    port.start()
    port.postMessage({ id, ...message })
  })
}

test('[P2] a fallback event from before anyone listened reaches each later listener', async () => {
  const told = { type: 'storage', backend: 'indexeddb', degraded: ['No opfs storage: x.'] } as const
  const scripted = createScriptedEngine(() => 0)
  const engine = {
    ...scripted.engine,
    subscribe: (listener: (event: EngineEvent) => void) => {
      listener(told)
      return scripted.engine.subscribe(listener)
    },
  }
  const { recall } = await open(engine)
  // After one round trip the event has arrived, without any listener.
  await recall.count()
  for (let i = 0; i < 2; i++) {
    expect(await new Promise((resolve) => recall.subscribe(resolve))).toEqual(told)
  }
})
