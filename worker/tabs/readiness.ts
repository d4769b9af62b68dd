/**
 * When a tab that follows makes itself ready to lead, which keeps its worker busy for a moment: once its page asks nothing for a
 * while, or has asked for too long. Only the next in line: eight tabs at it at once took seconds of a busy machine, and each
 * would keep a SQLite in memory.
 */

export interface Readiness {
  /** The page is at rest, as far as is known. */
  rest(): void
  /** The page has asked: a preparation that is due waits a little longer. */
  disturb(): void
  stop(): void
}

/** Prepares at most once, when `isNext` says that this tab is the one. */
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

/** ms without a call. */
const restMs = 200
/** ms after which it is done between two calls. */
const longestWorkMs = 500
