/**
 * Measures deadlines of calls. Each progress event restarts the deadlines of all waiting calls, so that a call does not expire while
 * it waits behind a long write.
 */
import type { EngineEvent } from './events.ts'

export interface Deadlines {
  /** Calls `late` after `ms` without progress. The returned function ends this. */
  start(ms: number, late: () => void): () => void
  /** Takes every event of the engine; progress restarts the deadlines. */
  hear(event: EngineEvent): void
}

export function createDeadlines(): Deadlines {
  let progressAt = Number.NEGATIVE_INFINITY
  return {
    start(ms, late) {
      let timer: ReturnType<typeof setTimeout>
      const wait = (left: number) => {
        timer = setTimeout(() => {
          const more = progressAt + ms - performance.now()
          if (more > 0) wait(more)
          else late()
        }, left)
      }
      wait(ms)
      return () => clearTimeout(timer)
    },
    hear({ type }) {
      if (type === 'progress') progressAt = performance.now()
    },
  }
}
