/**
 * The queue of all writes: jobs run one after another, in the order of the calls. A job resolves only when its commit is
 * durable.
 * Reads do not use the queue. They are synchronous, so they run between two transactions or between two steps of one.
 */
import type { Turns } from './turns.ts'

export interface WriteQueue {
  /** Runs the job in its turn. If the signal aborts before that, the job does not run and the promise rejects with the signal's reason. */
  write<T>(job: () => Promise<T> | T, signal?: AbortSignal): Promise<T>
  /** Number of jobs queued so far. A caller may add work to its queued job only while this number stays the same. */
  queued(): number
}

/**
 * `flush` makes the commits of a job durable, also those that change no record: steps of compacting, repairs, a saved graph. If it rejects,
 * the job rejects.
 */
export function createWriteQueue(turns: Turns, flush: () => Promise<void> | undefined = () => undefined): WriteQueue {
  let tail: Promise<unknown> = Promise.resolve()
  let queued = 0
  return {
    write(job, signal) {
      queued++
      const done = tail
        .then(() => turns.take(signal))
        .then(job)
        .then(async (answer) => {
          await flush()
          return answer
        })
      // A failed job must not stop later jobs; its caller gets the error through `done`.
      tail = done.then(ignore, ignore)
      return done
    },
    queued: () => queued,
  }
}

function ignore(): void {}
