/** Carries out work in steps, each in a turn of its own: reads, messages and timers come in between. */

import type { Steps } from '../../scheduling/steps.ts'
import type { Ports } from './ports.ts'

interface Watching {
  readonly signal?: AbortSignal | undefined
  readonly tell?: (done: number) => void
}

/** `tell` hears after each step how many records are done. Rejects with the signal's reason when that aborts between two steps: what was begun is undone. */
export async function inSteps<T>(
  { turns }: Pick<Ports, 'turns'>,
  steps: Steps<T>,
  { signal, tell }: Watching = {},
): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    tell?.(step.value)
    try {
      await turns.take(signal)
    } catch (reason) {
      steps.throw(reason)
    }
  }
}
