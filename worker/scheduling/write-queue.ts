/**
 * One queue for everything that writes: jobs run one after another, in the order they came, each to its end, and none is
 * answered before what it committed is durable.
 * Reads need no place in it: they are synchronous, so they always fall between two transactions, or between two steps of one.
 */
import type { Turns } from './turns.ts'

export interface Serial {
  /** A job whose signal aborted before its turn is not carried out: the promise rejects with the signal's reason. */
  write<T>(job: () => Promise<T> | T, signal?: AbortSignal): Promise<T>
  /** Jobs queued so far: whoever gathers work in a queued job may do so only while no other was queued behind it. */
  queued(): number
}

/** `flush` makes durable what was committed; it may reject, and then so does the job. */
export function createSerial(turns: Turns, flush: () => Promise<void> | undefined = () => undefined): Serial {
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
      // A failed job must not stop those behind it; its caller gets the error through `done`.
      tail = done.then(ignore, ignore)
      return done
    },
    queued: () => queued,
  }
}

function ignore(): void {}
