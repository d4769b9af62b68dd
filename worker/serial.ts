/**
 * One queue for everything that writes: jobs run one after another, in the order they came, each to its end.
 * Reads need no place in it: they are synchronous, so they always fall between two transactions.
 */

export interface Serial {
  write<T>(job: () => Promise<T> | T): Promise<T>
  /** Resolves when every job queued so far has ended. */
  drained(): Promise<void>
}

export function createSerial(): Serial {
  let tail: Promise<unknown> = Promise.resolve()
  return {
    write(job) {
      const done = tail.then(job)
      // A failed job must not stop those behind it; its caller gets the error through `done`.
      tail = done.then(ignore, ignore)
      return done
    },
    drained: () => tail.then(ignore, ignore),
  }
}

function ignore(): void {}
