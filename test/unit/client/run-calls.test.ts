/** Tests how calls end in the page, over a link that never answers, like a worker that is busy or frozen. */
import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { type Calls, createCalls } from '../../../src/client/calls/run-calls.ts'
import type { EngineLink } from '../../../src/client/link/engine-link.ts'
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import type { CallRequest } from '../../../src/protocol/engine-host.ts'

interface Silent {
  readonly calls: Calls
  /** The requests that were sent, and the ids of those that were cancelled. */
  readonly sent: readonly CallRequest[]
  readonly cancelled: readonly string[]
  /** Answers the request with this index. */
  answer(place: number, value: unknown): void
}

function createSilent(deadlineMs = 30_000): Silent {
  const sent: CallRequest[] = []
  const cancelled: string[] = []
  const waiting: ((value: unknown) => void)[] = []
  const link: EngineLink = {
    call: (request) => {
      sent.push(request)
      return new Promise((resolve) => waiting.push((value) => resolve({ ok: true, value, tookMs: 0 })))
    },
    cancel: (id) => void cancelled.push(id),
    subscribe: () => () => undefined,
    onFailure: () => undefined,
    end: () => undefined,
  }
  return {
    calls: createCalls({ link, now: () => 1, deadlineMs, clientId: 'c' }),
    sent,
    cancelled,
    answer: (place, value) => waiting[place]?.(value),
  }
}

function cancellable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

const status = ({ calls }: Silent, signal?: AbortSignal) =>
  calls
    .run({ signal }, (send) => send('status', {}))
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )

describe('a deadline', () => {
  test('[E1] rejects with DEADLINE_EXCEEDED although no answer comes, and cancels the request in the engine', async () => {
    const silent = createSilent(20)
    const { calls, sent, cancelled } = silent
    const ended = await Promise.all([
      status(silent),
      calls.run(undefined, (send) => send('count', {} as never)).catch((error: unknown) => ({ error })),
    ])
    expect(ended).toMatchObject([{ error: { code: 'DEADLINE_EXCEEDED' } }, { error: { code: 'DEADLINE_EXCEEDED' } }])
    expect(cancelled.toSorted()).toEqual(sent.map(({ id }) => id).toSorted())
  })

  test('[E1] applies to each request of a call, and no request follows a late one', async () => {
    const silent = createSilent(30)
    const { calls, sent, answer } = silent
    const call = calls.run(undefined, async (send) => {
      await send('status', {})
      await send('status', {}).catch(() => undefined)
      await send('status', {})
    })
    answer(0, 'soon')
    await expect(call).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    await new Promise((resolve) => setTimeout(resolve))
    expect(sent).toHaveLength(2)
  })

  test('[E1] of an answered request ends no later one of the same call: a long write of many slices is not late', async () => {
    vi.useFakeTimers()
    try {
      const silent = createSilent(10_000)
      const call = silent.calls.run(undefined, async (send) => {
        for (let i = 0; i < 30; i++) await send('status', {})
        return 'written'
      })
      for (let i = 0; i < 30; i++) {
        await vi.advanceTimersByTimeAsync(500)
        silent.answer(i, i)
      }
      expect(await call).toBe('written')
      await vi.advanceTimersByTimeAsync(20_000)
      expect(silent.cancelled).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test('control: an answer in time ends the call, and its timer', async () => {
    const silent = createSilent(30)
    const call = status(silent)
    silent.answer(0, 7)
    expect(await call).toEqual({ value: 7 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(silent.cancelled).toEqual([])
  })
})

describe('a signal', () => {
  test('of 40 calls has one listener, which ends them all and then leaves', async () => {
    const silent = createSilent()
    const { signal, abort } = cancellable()
    const ended = Promise.all(Array.from({ length: 40 }, () => status(silent, signal)))
    const listeners = () => getEventListeners(signal, 'abort').length
    expect(listeners()).toBe(1)
    silent.answer(0, 7)
    await new Promise((resolve) => setTimeout(resolve))
    expect(listeners()).toBe(1)
    abort()
    const [first, ...others] = await ended
    expect(first).toEqual({ value: 7 })
    expect(others).toHaveLength(39)
    for (const other of others) expect(other).toMatchObject({ error: { code: 'ABORTED' } })
    expect(listeners()).toBe(0)
  })

  test('[E1] cancels abandoned requests, and only those', async () => {
    const silent = createSilent()
    const { calls, sent, cancelled } = silent
    const controller = new AbortController()
    const two = calls.run({ signal: controller.signal }, (send) =>
      Promise.all([send('status', {}), send('count', {} as never)]),
    )
    const other = status(silent)
    expect(sent).toHaveLength(3)
    controller.abort()
    await expect(two).rejects.toMatchObject({ code: 'ABORTED' })
    expect(cancelled).toEqual(sent.slice(0, 2).map(({ id }) => id))
    silent.answer(2, 'still')
    expect(await other).toEqual({ value: 'still' })
  })

  test('[E1] cancels no request that was already answered', async () => {
    const silent = createSilent()
    const controller = new AbortController()
    const call = silent.calls.run({ signal: controller.signal }, async (send) => {
      await send('status', {})
      await send('count', {} as never)
    })
    silent.answer(0, 1)
    await expect.poll(() => silent.sent.length).toBe(2)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
    expect(silent.cancelled).toEqual([silent.sent[1]?.id])
  })

  test('[E1] aborts the signal that the call passes on, with the same error', async () => {
    const silent = createSilent()
    const controller = new AbortController()
    let handed: AbortSignal | undefined
    const call = silent.calls.run({ signal: controller.signal }, (_send, signal) => {
      handed = signal()
      return new Promise<never>(() => undefined)
    })
    expect(handed?.aborted).toBe(false)
    controller.abort()
    const error = await call.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ABORTED' })
    expect(handed?.reason).toBe(error)
  })

  test('[E1] aborts that signal at a deadline and at the end of the link, too', async () => {
    const silent = createSilent(20)
    const hands: AbortSignal[] = []
    const run = (work: (send: Parameters<Parameters<Calls['run']>[1]>[0]) => Promise<unknown>) =>
      silent.calls
        .run(undefined, (send, signal) => {
          hands.push(signal())
          return work(send)
        })
        .catch(() => undefined)
    await run((send) => send('status', {}))
    const last = run(() => new Promise(() => undefined))
    silent.calls.end(recallError('CLOSED', 'is closed'))
    await last
    expect(hands.map(({ reason }) => (reason as { code: string }).code)).toEqual(['DEADLINE_EXCEEDED', 'CLOSED'])
  })
})

describe('a signal that aborts a write', () => {
  const batch = [{ body: 'text' }]
  const receipt = { records: [], revision: 1, durability: 'committed' }

  test('[Q6] cancels the request; the answer of the engine ends the call', async () => {
    const silent = createSilent()
    const controller = new AbortController()
    const call = silent.calls.run({ signal: controller.signal }, (send) => send('put', { batch }))
    controller.abort()
    expect(silent.cancelled).toEqual([silent.sent[0]?.id])
    silent.answer(0, receipt)
    expect(await call).toEqual(receipt)
  })

  test('[Q6] sends no further request: the call rejects with ABORTED', async () => {
    const silent = createSilent()
    const controller = new AbortController()
    const call = silent.calls.run({ signal: controller.signal }, async (send) => {
      await send('put', { batch })
      await send('put', { batch })
    })
    controller.abort()
    silent.answer(0, receipt)
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
    expect(silent.sent).toHaveLength(1)
  })

  test('[Q6] aborts after the answer and before the end of the work: the call keeps its result', async () => {
    const silent = createSilent()
    const controller = new AbortController()
    const call = silent.calls.run({ signal: controller.signal }, async (send) => {
      const answer = await send('put', { batch })
      controller.abort()
      await new Promise((resolve) => setTimeout(resolve))
      return answer
    })
    silent.answer(0, receipt)
    expect(await call).toEqual(receipt)
  })

  test('[Q6] a deadline still ends the call if the engine does not answer', async () => {
    const silent = createSilent(20)
    const controller = new AbortController()
    const call = silent.calls.run({ signal: controller.signal }, (send) => send('put', { batch }))
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  test.each([
    ['answered by the engine if it commits effects', true, 'answered'],
    ['aborted at once if it only reads', false, 'ABORTED'],
  ])('[Q6] assemble is %s', async (_what, commitEffects, ending) => {
    const silent = createSilent()
    const controller = new AbortController()
    const query = { text: 'a', commitEffects }
    const call = silent.calls
      .run({ signal: controller.signal }, (send) => send('assemble', { query }))
      .then(
        () => 'answered',
        ({ code }: RecallError) => code,
      )
    controller.abort()
    silent.answer(0, {})
    expect(await call).toBe(ending)
  })
})

test('[E1] cancels everything under way at the end of the link', async () => {
  const silent = createSilent()
  const waiting = [status(silent), status(silent)]
  silent.calls.end(recallError('CLOSED', 'is closed'))
  expect(await Promise.all(waiting)).toMatchObject([{ error: { code: 'CLOSED' } }, { error: { code: 'CLOSED' } }])
  expect(silent.cancelled).toEqual(silent.sent.map(({ id }) => id))
})
