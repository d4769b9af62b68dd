/**
 * One queue for everything that writes: jobs run one after another, in the order they came, each to its end, and none is
 * answered before what it committed is durable.
 * Reads need no place in it: they are synchronous, so they always fall between two transactions.
 */

export interface Serial {
  write<T>(job: () => Promise<T> | T): Promise<T>
  /** Jobs queued so far: whoever gathers work in a queued job may do so only while no other was queued behind it. */
  queued(): number
}

/** `flush` makes durable what was committed; it may reject, and then so does the job. */
export function createSerial(flush: () => Promise<void> | undefined = () => undefined): Serial {
  let tail: Promise<unknown> = Promise.resolve()
  let queued = 0
  return {
    write(job) {
      queued++
      const done = tail.then(job).then(async (answer) => {
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
