/**
 * Deadlines of calls. A call that waits behind a long write must not end for want of time while that write goes on: each report of
 * progress gives all that wait their whole time anew.
 */
import type { EngineEvent } from './events.ts'

export interface Deadlines {
  /** Calls `late` after `ms` without an answer and without progress; the returned function ends the watch. */
  start(ms: number, late: () => void): () => void
  hear(event: EngineEvent): void
}

export function createDeadlines(): Deadlines {
  let heardAt = Number.NEGATIVE_INFINITY
  return {
    start(ms, late) {
      let timer: ReturnType<typeof setTimeout>
      const wait = (left: number) => {
        timer = setTimeout(() => {
          const more = heardAt + ms - performance.now()
          if (more > 0) wait(more)
          else late()
        }, left)
      }
      wait(ms)
      return () => clearTimeout(timer)
    },
    hear({ type }) {
      if (type === 'progress') heardAt = performance.now()
    },
  }
}
