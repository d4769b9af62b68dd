/** Waiting, as the code around the engine does it: given from outside, so that tests need no real time. */

export interface Timers {
  /** Runs `work` once, `ms` later; the answer calls it off. */
  after(ms: number, work: () => void): () => void
}

/** The platform's own. A timer that waits keeps no process alive. */
export const realTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms) as unknown as number & { unref?: () => void }
    timer.unref?.()
    return () => clearTimeout(timer)
  },
}
