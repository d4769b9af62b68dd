/**
 * The facts that a fusion needs about each candidate, in addition to the channels. Each fusion declares them as data
 * (`fusion/fusions.ts`), and gathering reads exactly these, so gathering does not depend on the kind of policy.
 */

/** Numbers of a record, by name: times in ms, counts and weights. */
export type NumberFact =
  | 'createdAt'
  | 'updatedAt'
  | 'importance'
  | 'accesses'
  | 'touchedAt'
  | 'confidence'
  | 'writeScore'

export interface FactNeeds {
  readonly numbers: readonly NumberFact[]
  /** Lifetime of a record in days: that of the first tag in `byTag` that it has, else `byDefault`. */
  readonly lifeDays: { readonly byDefault: number; readonly byTag: readonly (readonly [string, number])[] } | null
  /** The session of each record, and its place there. */
  readonly sessions: boolean
  /** Reason codes of each record. */
  readonly reasons: boolean
  /** Cycles and pressure of each record. */
  readonly due: boolean
  /** Which pairs of query words are adjacent. */
  readonly pairs: boolean
  /** All rows in order of the policy's time, to break ties. Ranks tie often, sums of signals seldom. */
  readonly timeOrder: boolean
  /** Substring matches in texts and paths, instead of the channels terms and paths. */
  readonly substrings: boolean
  /** Scores do not depend on the query: the whole scope is listed, unless it contains no word of the query. */
  readonly listsScope: boolean
  /** Cosines below this change no score; null if every cosine may. */
  readonly leastCosine: number | null
}

export const nothingNeeded: FactNeeds = {
  numbers: [],
  lifeDays: null,
  sessions: false,
  reasons: false,
  due: false,
  pairs: false,
  timeOrder: false,
  substrings: false,
  listsScope: false,
  leastCosine: null,
}
