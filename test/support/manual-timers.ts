/**
 * Timers under the test's control. `advance` runs due timers, in order of time, and lets promises settle in between.
 */
import type { Timers } from '../../src/protocol/timers.ts'

export interface ManualTimers extends Timers {
  advance(ms: number): Promise<void>
  /** ms until each waiting timer, ascending. */
  waiting(): readonly number[]
}

export function createManualTimers(): ManualTimers {
  let now = 0
  let timers: { at: number; work: () => void }[] = []
  return {
    after(ms, work) {
      const timer = { at: now + ms, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const until = now + ms
      for (;;) {
        await settled()
        const next = timers.toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > until) break
        now = next.at
        timers = timers.filter((other) => other !== next)
        next.work()
      }
      now = until
      await settled()
    },
    waiting: () => timers.map(({ at }) => at - now).toSorted((a, b) => a - b),
  }
}

/** All started work has gone as far as it can without a timer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
