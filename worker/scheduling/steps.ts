/**
 * Long work in steps: a generator yields where others may come in, and what it returns is its answer. It yields how many records it
 * is done with. Where a step ends is counted
 * in costs, never taken from a clock: the same work has the same steps everywhere.
 */

export type Steps<T> = Generator<number, T, void>

/** What a step may cost. 1 is what a short new record takes: about a fifth of a millisecond on a laptop of 2020. */
const stepCost = 100

/** What each kind of work costs. A record that is replaced or removed leaves the text index word by word. */
export const costs = { read: 0.25, log: 0.05, insert: 1, touch: 0.25, replace: 7, remove: 6, check: 2 } as const

/** Longer texts cost more: as much as a short record for each so many characters. */
const charactersPerCost = 500

export function costOfText(cost: number, characters: number): number {
  return cost * (1 + characters / charactersPerCost)
}

/** Whether so much work is more than one step. */
export function isLong(cost: number): boolean {
  return cost > stepCost
}

export interface Pace {
  /** Counts work that was done; true when a step ends with it. */
  isDue(cost: number): boolean
}

export function createPace(): Pace {
  let spent = 0
  return {
    isDue(cost) {
      spent += cost
      if (spent < stepCost) return false
      spent = 0
      return true
    },
  }
}

/** Work that is short. */
export function* oneStep<T>(work: () => T): Steps<T> {
  yield* []
  return work()
}

/** All steps one after another, where nobody is to come in between. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
