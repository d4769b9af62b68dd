/**
 * Splits long work into steps: a generator yields where other calls may run, and returns the result. It yields the number of
 * finished records. The end of a step is computed from costs, not from a clock, so the same work has the same steps
 * everywhere.
 */

export type Steps<T> = Generator<number, T, void>

/** Largest cost of a step. A short new record costs 1: about 0.2 ms on a laptop of 2020. */
const stepCost = 40

/** Cost of each kind of work. Replacing and removing cost more, because each word is removed from the text index. */
export const costs = { read: 0.25, log: 0.05, insert: 1, touch: 0.25, replace: 7, remove: 2, check: 2 } as const

/** Each 500 characters add the cost of another short record. */
const charactersPerCost = 500

export function costOfText(cost: number, characters: number): number {
  return cost * (1 + characters / charactersPerCost)
}

/** Whether work of this cost needs more than one step. */
export function isLong(cost: number): boolean {
  return cost > stepCost
}

export interface Pace {
  /** Adds the cost of finished work. Returns true when the step ends here. */
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

/** Wraps short work as a single step. */
export function* oneStep<T>(work: () => T): Steps<T> {
  yield* []
  return work()
}

/** Runs all steps without letting other calls run between them. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
