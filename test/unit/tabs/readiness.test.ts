/** Tests when a follower prepares to lead, with the clock of the test. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReadiness } from '../../../worker/tabs/readiness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function readiness(isNext = true) {
  const state = { isNext, prepared: 0 }
  const ready = createReadiness(
    async () => state.isNext,
    async () => state.prepared++,
  )
  /** Milliseconds pass; the page makes a call at the end of each. */
  const pass = async (...spans: readonly number[]) => {
    for (const [i, ms] of spans.entries()) {
      if (i > 0) ready.disturb()
      await vi.advanceTimersByTimeAsync(ms)
    }
  }
  return { ...ready, state, pass }
}

test('a tab prepares once, when its page has made no call for 200 ms', async () => {
  const { rest, state, pass } = readiness()
  rest()
  await pass(150, 150, 199)
  expect(state.prepared).toBe(0)
  await pass(1)
  expect(state.prepared).toBe(1)
  rest()
  await pass(1_000)
  expect(state.prepared).toBe(1)
})

test('a page that calls all the time delays it for 500 ms, each time that it may rest again', async () => {
  const { rest, state, pass } = readiness(false)
  rest()
  await pass(1_000)
  state.isNext = true
  rest()
  await pass(150, 150, 150)
  expect(state.prepared).toBe(0)
  await pass(50, 150)
  expect(state.prepared).toBe(1)
})

test('a tab that is not the next in line does not prepare, and none does after it stopped', async () => {
  const waiting = readiness(false)
  waiting.rest()
  await waiting.pass(1_000)
  expect(waiting.state.prepared).toBe(0)
  const stopped = readiness()
  stopped.rest()
  stopped.stop()
  stopped.disturb()
  await stopped.pass(1_000)
  expect(stopped.state.prepared).toBe(0)
})
