/**
 * What a fusion must know of each candidate, beside what the channels bring. Each fusion states it as data for a policy
 * (`fusion/fusions.ts`), and gathering reads exactly that, so that gathering asks no policy which kind it is.
 */

/** Numbers of a record, by name: times in ms, counts, and weights. */
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
  /** How many days a memory lives: by the first of these tags that it has, else the default. */
  readonly lifeDays: { readonly byDefault: number; readonly byTag: readonly (readonly [string, number])[] } | null
  /** The session of each record, and its place in it. */
  readonly sessions: boolean
  /** Reason codes of each record. */
  readonly reasons: boolean
  /** Cycles and pressure of each record. */
  readonly due: boolean
  /** Which pairs of words of the question stand side by side. */
  readonly pairs: boolean
  /** The rows by the policy's time, to break ties: ranks tie often, sums of signals seldom. */
  readonly timeOrder: boolean
  /** Substring matches inside texts and paths, in place of the terms and paths channels. */
  readonly substrings: boolean
  /** Scores do not depend on the question: the whole scope is listed, unless no word of the question exists there. */
  readonly listsScope: boolean
  /** Cosines below this change no score; null where every cosine may. */
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
