/** Runs work in steps, each in its own turn: reads, messages and timers run between them. */

import type { Steps } from '../../scheduling/steps.ts'
import type { Ports } from './ports.ts'

interface Watching {
  readonly signal?: AbortSignal | undefined
  readonly tell?: (done: number) => void
}

/**
 * `tell` gets the number of finished records after each step: the largest so far, because steps that finish none yield 0. If the signal
 * aborts between two steps, the work is rolled back and the promise rejects with the signal's reason.
 */
export async function inSteps<T>(
  { turns }: Pick<Ports, 'turns'>,
  steps: Steps<T>,
  { signal, tell }: Watching = {},
): Promise<T> {
  for (let finished = 0; ; ) {
    const step = steps.next()
    if (step.done) return step.value
    finished = Math.max(finished, step.value)
    tell?.(finished)
    try {
      await turns.take(signal)
    } catch (reason) {
      steps.throw(reason)
    }
  }
}
