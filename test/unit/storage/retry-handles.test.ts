/** [E1] Tests how long an opening waits for files that another owner holds, by a clock that the test moves. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { handleDeadlineMs, retryHandles } from '../../../worker/storage/common/retry-handles.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const held = () => Promise.reject(new DOMException('held', 'NoModificationAllowedError'))

it('[E1] gives up between 4.5 and 5 seconds, with the error of the last attempt', async () => {
  let endedMs = Number.NaN
  const attempt = vi.fn(held)
  const startMs = performance.now()
  const ended = retryHandles(startMs + handleDeadlineMs, attempt).catch((error: unknown) => {
    endedMs = performance.now() - startMs
    return (error as Error).name
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await ended).toBe('NoModificationAllowedError')
  expect(endedMs).toBeGreaterThanOrEqual(4_500)
  expect(endedMs).toBeLessThanOrEqual(handleDeadlineMs)
  expect(attempt.mock.calls.length).toBeGreaterThan(10)
})

it('[E1] opens within 400 ms after the other owner has ended', async () => {
  let isFree = false
  let openedMs = Number.NaN
  const opened = retryHandles(performance.now() + handleDeadlineMs, () => (isFree ? Promise.resolve('open') : held()))
  void opened.then(() => {
    openedMs = performance.now()
  })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(openedMs).toBeNaN()
  isFree = true
  const freeMs = performance.now()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await opened).toBe('open')
  expect(openedMs - freeMs).toBeLessThanOrEqual(400)
})

it('[E1] does not try again after an error that cannot pass', async () => {
  const attempt = vi.fn(() => Promise.reject(new DOMException('no', 'SecurityError')))
  await expect(retryHandles(performance.now() + handleDeadlineMs, attempt)).rejects.toThrow('no')
  expect(attempt).toHaveBeenCalledTimes(1)
})
