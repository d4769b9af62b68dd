/** Checks when rounds run: the pause between them, the pause after failures, the round of a hidden page, and the end. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RoundReport } from '../../../src/replicate/options.ts'
import { createSchedule } from '../../../src/replicate/schedule.ts'

const nothing: RoundReport = { pulled: 0, pushed: 0, inserted: 0, updated: 0, forgotten: 0, conflicts: 0 }

describe('the schedule of rounds', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  /** Starts a schedule of one second whose rounds do `work`. `times`: when each round began. */
  const start = (work: (signal: AbortSignal) => Promise<RoundReport>, everyMs: number | null = 1_000) => {
    const times: number[] = []
    const errors: unknown[] = []
    const first = Date.now()
    const round = async (signal: AbortSignal) => {
      times.push(Date.now() - first)
      return work(signal)
    }
    const schedule = createSchedule({
      round,
      everyMs,
      onError: (error) => errors.push(error),
      onRound: undefined,
    })
    return { schedule, times, errors }
  }

  // The time is short, because timers that an earlier file of this process left also run.
  test('after each failure the pause doubles, up to ten times everyMs; after a success it is everyMs again', async () => {
    let isDown = true
    const { schedule, times, errors } = start(async () => {
      if (isDown) throw new Error('down')
      return nothing
    }, 10)
    await vi.advanceTimersByTimeAsync(0)
    await vi.advanceTimersByTimeAsync(440)
    expect(times).toEqual([0, 20, 60, 140, 240, 340, 440])
    expect(errors).toHaveLength(7)
    isDown = false
    await vi.advanceTimersByTimeAsync(120)
    expect(times.slice(7)).toEqual([540, 550, 560])
    await schedule.stop()
    await vi.advanceTimersByTimeAsync(600)
    expect(times).toHaveLength(10)
  })

  test('a page that becomes hidden starts one round; a page that becomes visible starts none', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    vi.stubGlobal('document', page)
    const { schedule, times } = start(async () => nothing)
    await vi.advanceTimersByTimeAsync(100)
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(100)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(100)
    expect(times).toEqual([0, 100])
    await schedule.stop()
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(times).toHaveLength(2)
  })

  test('a page that becomes hidden starts no round if only sync does', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    vi.stubGlobal('document', page)
    const { schedule, times } = start(async () => nothing, null)
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(times).toEqual([])
    await schedule.stop()
  })

  test('stop aborts the running round and resolves when it has ended; a waiting round does not begin', async () => {
    const steps: string[] = []
    const { schedule, times } = start(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      steps.push('aborted')
      await new Promise((resolve) => setTimeout(resolve, 500))
      steps.push('round ended')
      return nothing
    }, null)
    const running = schedule.sync()
    const waiting = schedule.sync()
    void waiting.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    const stopping = schedule.stop().then(() => steps.push('stopped'))
    await vi.advanceTimersByTimeAsync(1_000)
    await Promise.all([running, stopping])
    expect(steps).toEqual(['aborted', 'round ended', 'stopped'])
    await expect(waiting).rejects.toMatchObject({ code: 'CLOSED' })
    expect(times).toHaveLength(1)
    await expect(schedule.sync()).rejects.toMatchObject({ code: 'CLOSED' })
  })
})
