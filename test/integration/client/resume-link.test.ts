/**
 * Tests a page that is frozen and resumes: its worker ends and starts again, and no call hangs, runs twice or is lost.
 */
import { describe, expect, test, vi } from 'vitest'
import { openResumingLink, type PageEvents } from '../../../src/client/link/resume-link.ts'
import { openWorkerLink } from '../../../src/client/link/worker-link.ts'
import { createRecallClient } from '../../../src/client/recall-client.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import type { EngineEvent } from '../../../src/protocol/events.ts'
import { serve } from '../../../worker/rpc/serve.ts'
import { type Answerer, createScriptedEngine, engineOptionsInWorker, openPort } from '../../support/scripted-engine.ts'

const never = () => new Promise<never>(() => {})

/** A page over workers that answer as scripted; each start creates a new one. Without `hasEvents`, the link listens to those of the platform. */
async function openPage(
  answer: Answerer,
  openEngine: (start: number) => Promise<unknown> = async () => undefined,
  hasEvents = true,
) {
  const page = new EventTarget()
  const events: PageEvents = [
    [page, 'pagehide', 'pageshow'],
    [page, 'freeze', 'resume'],
  ]
  const workers: { isEnded: boolean; fail(problem: string): void; emit(event: EngineEvent): void }[] = []
  const spawn = () => {
    const { far, port } = openPort()
    const { engine, emit } = createScriptedEngine(answer)
    const worker = { isEnded: false, fail: port.fail, emit }
    const start = workers.push(worker)
    serve(far, async () => {
      await openEngine(start)
      return engine
    })
    return { ...port, end: () => ((worker.isEnded = true), port.end()) }
  }
  const link = await openResumingLink(
    spawn,
    (port, own) => openWorkerLink(port, engineOptionsInWorker, 5_000, own),
    ...(hasEvents ? [events] : []),
  )
  const settings = {
    link,
    name: 'test',
    now: () => 1,
    deadlineMs: 5_000,
    clientId: 'c',
    embedder: null,
    policy: undefined,
    authority: null,
  }
  const client = createRecallClient({ ...settings, release: async () => link.end(), destroy: async () => link.end() })
  link.onFailure(client.end)
  return { recall: client.recall, workers, say: (type: string) => void page.dispatchEvent(new Event(type)) }
}

describe('a page that is frozen', () => {
  test('[T2] ends its worker at once, and starts another one when it resumes', async () => {
    const { recall, workers, say } = await openPage(() => 7)
    const heard: EngineEvent[] = []
    recall.subscribe((event) => heard.push(event))
    // Both kinds of events, in the order in which the back/forward cache fires them.
    for (const event of ['pagehide', 'freeze']) say(event)
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true])
    for (const event of ['resume', 'pageshow']) say(event)
    expect(await recall.count()).toBe(7)
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false])
    await expect.poll(() => heard).toEqual([{ type: 'ready' }])
    workers[1]?.emit({ type: 'changed', revision: 1, ids: [] })
    await expect.poll(() => heard.at(-1)).toEqual({ type: 'changed', revision: 1, ids: [] })
    await recall.close()
    expect(workers.at(-1)?.isEnded).toBe(true)
  })

  test('[P4] waits for its worker to erase only if it wrote a moment ago', async () => {
    const { recall, say } = await openPage((method) => (method === 'count' ? 7 : { records: [], revision: 1 }))
    const clock = vi.spyOn(performance, 'now')
    const looksAtClock = () => {
      clock.mockClear()
      say('freeze')
      return clock.mock.calls.length
    }
    expect(await recall.count()).toBe(7)
    expect(looksAtClock()).toBe(1)
    // No worker is left that could erase.
    expect(looksAtClock()).toBe(1)
    say('resume')
    await recall.put([])
    expect(looksAtClock()).toBeGreaterThan(100)
    clock.mockRestore()
    await recall.close()
  })

  test('an app in a worker, which has no document, opens its store, too', async () => {
    const { recall } = await openPage(() => 7, undefined, false)
    expect(await recall.count()).toBe(7)
    await recall.close()
  })

  test('a page that is shown for the first time starts no second worker', async () => {
    const { recall, workers, say } = await openPage(() => 7)
    say('pageshow')
    expect(workers).toHaveLength(1)
    await recall.close()
  })

  test('[E1] rejects the calls under way, with the reason', async () => {
    const { recall, say } = await openPage((method) => (method === 'count' ? 7 : never()))
    const waiting = [recall.put({ title: 'a' }), recall.status()].map((call) => call.catch((error: unknown) => error))
    expect(await recall.count()).toBe(7)
    say('pagehide')
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'LEADER_LOST' })
    say('pageshow')
    expect(await recall.count()).toBe(7)
    await recall.close()
  })

  test('keeps calls made meanwhile for later, with the arguments they had when they were made', async () => {
    const batches: unknown[] = []
    const { recall, say } = await openPage((_, request: never) => {
      batches.push((request as { batch: unknown }).batch)
      return { records: [{ id: 'a', outcome: 'inserted', bodyChanged: true }], revision: 1, durability: 'memory' }
    })
    say('freeze')
    const record = { id: 'a', title: 'before', vectors: Float32Array.of(1, 2) }
    const putting = recall.put(record)
    record.title = 'after'
    say('resume')
    await putting
    expect(batches).toEqual([[{ id: 'a', title: 'before', vectors: Float32Array.of(1, 2) }]])
    await recall.close()
  })

  test('[Q6] a call that is aborted while the page is frozen is never sent', async () => {
    const asked: string[] = []
    const { recall, say } = await openPage((method) => {
      asked.push(method)
      return 7
    })
    const controller = new AbortController()
    const { signal } = controller
    say('freeze')
    const dead = [recall.put({ id: 'a' }, { signal }), recall.recall('a', { signal })].map((call) =>
      call.catch((error: unknown) => error),
    )
    controller.abort()
    // Before the page resumes: the calls do not wait for it.
    for (const error of await Promise.all(dead)) expect(error).toMatchObject({ code: 'ABORTED' })
    say('resume')
    expect(await recall.count()).toBe(7)
    expect(asked).toEqual(['count'])
    await recall.close()
  })

  test('[Q6] an abort reaches the new worker, also for a call made while the page was frozen', async () => {
    const { recall, say } = await openPage((method, _, { signal }) => {
      if (method === 'count') return 7
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    })
    const controller = new AbortController()
    const { signal } = controller
    say('freeze')
    const early = recall.put({ id: 'a' }, { signal }).catch((error: unknown) => error)
    say('resume')
    const late = recall.put({ id: 'b' }, { signal }).catch((error: unknown) => error)
    // The worker has both when it answers a later call.
    expect(await recall.count()).toBe(7)
    controller.abort()
    // The text of the worker, not that of the page.
    const problem = expect.objectContaining({ code: 'ABORTED', message: 'The caller aborted the call.' })
    expect(await Promise.all([early, late])).toEqual([problem, problem])
    await recall.close()
  })

  test('[Q6] a running write that is aborted rejects with LEADER_LOST if its worker ends without an answer', async () => {
    const puts: unknown[] = []
    const { recall, say } = await openPage((method) => (method === 'put' ? (puts.push(method), never()) : 7))
    const controller = new AbortController()
    const { signal } = controller
    const write = recall.put({ id: 'a' }, { signal }).catch((error: unknown) => error)
    expect(await recall.count()).toBe(7)
    controller.abort()
    say('pagehide')
    say('pageshow')
    expect(await write).toMatchObject({ code: 'LEADER_LOST' })
    expect(await recall.count()).toBe(7)
    expect(puts).toEqual(['put'])
    await recall.close()
  })

  test('frozen again while it opens, uses only the last worker', async () => {
    const { recall, workers, say } = await openPage(
      () => 7,
      (start) => (start === 2 ? never() : Promise.resolve()),
    )
    for (const event of ['pagehide', 'pageshow', 'pagehide', 'pageshow']) say(event)
    expect(await recall.count()).toBe(7)
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true, false])
    await recall.close()
  })

  test('[E1] that can no longer open its store tells every call why', async () => {
    const { recall, say } = await openPage(
      () => 7,
      async (start) => {
        if (start === 2) throw recallError('DATA_MISSING', 'for this test')
      },
    )
    say('pagehide')
    const waiting = recall.count().catch((error: unknown) => error)
    say('pageshow')
    expect(await waiting).toMatchObject({ code: 'DATA_MISSING' })
    await expect(recall.count()).rejects.toMatchObject({ code: 'DATA_MISSING' })
  })

  test('[E1] a link whose worker dies rejects its calls as before', async () => {
    const { recall, workers, say } = await openPage(() => 7)
    workers[0]?.fail('out of memory')
    await expect(recall.count()).rejects.toMatchObject({ code: 'LEADER_LOST' })
    say('pageshow')
    expect(workers).toHaveLength(1)
  })
})

test('[E1] a worker that cannot open its store is ended', async () => {
  const { far, port } = openPort()
  serve(far, async () => {
    throw recallError('STORE_BUSY', 'for this test')
  })
  let isEnded = false
  const end = () => ((isEnded = true), port.end())
  const events = { tell: () => undefined, fail: () => undefined }
  const opening = openWorkerLink({ ...port, end }, engineOptionsInWorker, 5_000, events)
  await expect(opening).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect(isEnded).toBe(true)
})
