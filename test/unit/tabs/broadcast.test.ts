import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBroadcast } from '../../../worker/tabs/broadcast.ts'
import type { TabChannel, TabsPlatform } from '../../../worker/tabs/port.ts'

/** Channels that carry nothing. */
const silent = {
  openChannel: (): TabChannel => ({ postMessage: () => {}, addEventListener: () => {}, close: () => {} }),
} as unknown as TabsPlatform

describe('a tab that waits for earlier messages', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('stops waiting when its channel closes', async () => {
    const tab = openBroadcast('a', silent, () => {})
    const caughtUp = vi.fn()
    const waiting = tab.catchUp().then(caughtUp)
    await Promise.resolve()
    expect(caughtUp).not.toHaveBeenCalled()
    tab.close()
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  })

  it('control: goes on after a second without an echo', async () => {
    const tab = openBroadcast('a', silent, () => {})
    const caughtUp = vi.fn()
    void tab.catchUp().then(caughtUp)
    await vi.advanceTimersByTimeAsync(999)
    expect(caughtUp).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(caughtUp).toHaveBeenCalled()
  })
})
