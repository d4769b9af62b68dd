/** Checks what requests of the client carry: time, operation id, vectors. Over a scripted engine. */
import { describe, expect, test } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Embedder } from '../../../src/protocol/embedder.ts'
import { precomputed } from '../../../src/embedders/index.ts'
import { createScriptedEngine } from '../../support/scripted-engine.ts'
import { never, open } from './open-bound-client.ts'

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
    expect(b?.vectors).toEqual([view, { vector: view, from: 0, to: 1 }].map((chunk) => structuredClone(chunk)))
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

test('an app’s own embedder is prepared when the first record waits for vectors, not before', async () => {
  let prepared = 0
  const embedder: Embedder = {
    space: 'mine',
    dimensions: 2,
    embed: never,
    get timeoutMs() {
      prepared++
      return 1_000
    },
  }
  const { engine, emit } = createScriptedEngine((method) => (method === 'embedNext' ? { records: [], after: '' } : 1))
  const { recall } = await open(engine, { embedder })
  const afterPending = async (pending: number) => {
    emit({ type: 'vectors', pending })
    // The event arrives before the answer to a later call; what it starts takes a few turns more.
    await recall.count()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return prepared
  }
  expect(await afterPending(0)).toBe(0)
  await expect.poll(() => afterPending(3)).toBe(1)
  expect(await afterPending(0)).toBe(1)
})
