import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBroadcast } from '../../../worker/tabs/broadcast.ts'
import type { TabChannel, TabsPlatform } from '../../../worker/tabs/port.ts'

/** Channels that carry nothing. */
const silent = {
  openChannel: (): TabChannel => ({ postMessage: () => {}, addEventListener: () => {}, close: () => {} }),
} as unknown as TabsPlatform

describe('a tab that waits to hear what was said before', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('waits no longer than it is open', async () => {
    const tab = openBroadcast('a', silent, () => {})
    const caughtUp = vi.fn()
    const waiting = tab.catchUp().then(caughtUp)
    await Promise.resolve()
    expect(caughtUp).not.toHaveBeenCalled()
    tab.close()
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  })

  it('control: goes on after a second where no echo comes', async () => {
    const tab = openBroadcast('a', silent, () => {})
    const caughtUp = vi.fn()
    void tab.catchUp().then(caughtUp)
    await vi.advanceTimersByTimeAsync(999)
    expect(caughtUp).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(caughtUp).toHaveBeenCalled()
  })
})
