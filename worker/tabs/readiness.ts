/**
 * Decides when a follower prepares to lead, which keeps its worker busy for a moment: when its page makes no calls for a
 * while, or after 500 ms of continuous calls. Only the next tab in the election queue prepares. Eight tabs at once took
 * seconds on a busy machine, and each would keep an instance of SQLite in memory.
 */

export interface Readiness {
  /** The page may be idle now: starts the timer. */
  rest(): void
  /** The page made a call: restarts the timer if it is running. */
  disturb(): void
  stop(): void
}

/** Prepares at most once, if `isNext` resolves to true. */
export function createReadiness(isNext: () => Promise<boolean>, prepare: () => Promise<unknown>): Readiness {
  let due: ReturnType<typeof setTimeout> | undefined
  let busyUntilMs = 0
  let isPrepared = false
  const rest = () => {
    if (isPrepared) return
    if (due === undefined) busyUntilMs = performance.now() + longestWorkMs
    clearTimeout(due)
    due = setTimeout(async () => {
      due = undefined
      if (!(await isNext())) return
      isPrepared = true
      await prepare()
    }, restMs)
  }
  return {
    rest,
    disturb() {
      if (due !== undefined && performance.now() < busyUntilMs) rest()
    },
    stop() {
      clearTimeout(due)
      due = undefined
    },
  }
}

/** ms without a call before the preparation. */
const restMs = 200
/** ms after which calls do not delay the preparation any more. */
const longestWorkMs = 500
