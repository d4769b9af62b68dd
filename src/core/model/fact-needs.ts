/**
 * Defines the needs of a fusion from planning and gathering: candidates, their facts, and how the text is read. Each fusion declares its needs
 * as data (`fusion/fusions.ts`), so planning and gathering do not depend on the kind of policy.
 */
import type { ConvexPolicy } from './policy.ts'

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
  /** Every match of a channel is a candidate, because the order is that of all records of the scope [S4]. False: depths limit the channels. */
  readonly allMatches: boolean
  /**
   * The weights of a score that is a sum, from which upper bounds of scores follow. With them gathering finds the best records among few
   * candidates. Null: every candidate must be gathered.
   */
  readonly summedWeights: ConvexPolicy | null
  /** Words that no record of the scope holds are corrected. */
  readonly typos: boolean
  /** Times that the text names change scores. */
  readonly times: boolean
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
  allMatches: false,
  summedWeights: null,
  typos: false,
  times: false,
}
