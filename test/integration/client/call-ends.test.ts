/** Checks how calls end: by signals, deadlines, closing, and the death of the worker. Over a scripted engine. */
import { describe, expect, test } from 'vitest'
import type { Recall } from '../../../src/client/api/recall.ts'
import type { EngineLink } from '../../../src/client/link/engine-link.ts'
import type { Embedder } from '../../../src/protocol/embedder.ts'
import { createScriptedEngine } from '../../support/scripted-engine.ts'
import { never, open } from './open-bound-client.ts'

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
