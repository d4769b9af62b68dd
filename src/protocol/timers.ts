/** Timers as a parameter, so that tests need no real time. */

export interface Timers {
  /** Runs `work` once after `ms`. The returned function cancels it. */
  after(ms: number, work: () => void): () => void
}

/** Timers of the platform. A waiting timer does not keep the process alive. */
export const realTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms) as unknown as number & { unref?: () => void }
    timer.unref?.()
    return () => clearTimeout(timer)
  },
}
