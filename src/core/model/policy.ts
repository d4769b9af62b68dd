/**
 * A policy: the frozen literal that decides. It never reads a clock, an environment or a random source;
 * the same `decide` runs every policy, and its hash stands in every receipt.
 */
import type { ReasonCategory, ReasonCodeName } from './reason-codes.ts'
import type { Freshness, PullChannel } from './result.ts'

export type Policy = ConvexPolicy | RankPolicy | StagedPolicy | ProductPolicy | CompositePolicy

/** TypeScript tells the kinds apart by what only one of them has. */
export const isConvex = (policy: Policy): policy is ConvexPolicy => policy.fusion.kind === 'convex'
export const isStaged = (policy: Policy): policy is StagedPolicy => policy.fusion.kind === 'staged'
export const isProduct = (policy: Policy): policy is ProductPolicy => policy.fusion.kind === 'product'
export const isComposite = (policy: Policy): policy is CompositePolicy => policy.fusion.kind === 'composite'

/** What every policy decides, however it scores. */
export interface PolicyRules {
  readonly name: string
  readonly version: number
  readonly defaultLimit: number
  readonly lexical: LexicalTuning
  /**
   * Candidates each channel may bring: 0 where the policy does not use it, else at least the largest limit, so that a
   * larger limit only appends [S4].
   */
  readonly depths: Readonly<Record<PullChannel, number>>
  /** Whether expired, not yet valid, superseded and deprecated records are kept out (the ledger names the successor). */
  readonly gateStatus: boolean
  /** Reason codes that keep a record out of the answer; all others only weigh. */
  readonly gateCodes: readonly ReasonCodeName[]
  /** Whether a `block` risk keeps a record out; `flag` shows it and leaves the decision to the receiver. */
  readonly riskGate: 'flag' | 'exclude'
  /** Least cosine at which a record counts as matching the query, when a `files` filter asks whether any of its records does. */
  readonly filesCosine: number
  /** Which file speaks for a record's freshness: its worst, or the first stale one as stored. */
  readonly freshnessOf: 'worst' | 'first-stale'
  /** Which records are folded into one: those of equal content, near-duplicates too, or none. */
  readonly collapse: 'exact' | 'near' | 'none'
  /** Which of equal contents stands for them: the best by ranking, or the newest by (updatedAt, id). */
  readonly keep: 'best' | 'newest'
  /** The second key of the total order, after the score. */
  readonly order: 'updatedAt' | 'createdAt'
  /** Records with a lower score are left out. */
  readonly minScore?: number | undefined
  /** Most records of one `source` in an answer, 1 to 1,000, where the query says nothing. Default: no limit. */
  readonly perSource?: number | undefined
  readonly evidence: EvidenceThresholds
  readonly assembly: AssemblyRules
  /** How a signal moves the confidence of a record: the bounded running mean, or Popoto's older 1 / √signals. */
  readonly confidenceRule: 'bounded' | 'sqrt'
}

/** What `assemble` goes by where the request says nothing. */
export interface AssemblyRules {
  /** What must reach the threshold for a record to surface unasked: what makes it due now, or its whole cyclic score. */
  readonly surfacing: 'due' | 'cyclic'
  /** A record that does not fit the token budget: is left out alone, or ends the selection. */
  readonly overflow: 'skip' | 'stop'
  /** Places kept for records that surface unasked. */
  readonly reserveProactive: number
  /** Whether pulled records that were not selected lose confidence (by a signal of 0.3). */
  readonly suppresses: boolean
}

export interface ConvexPolicy extends PolicyRules {
  readonly fusion: ConvexFusion
  /** Added for what is known of the record's files. */
  readonly freshness: Readonly<Record<'fresh' | 'stale_changed' | 'stale_deleted', number>>
  /** Added where the record's field equals the one the query prefers. */
  readonly prefer: Readonly<Record<'project' | 'kind' | 'topic', number>>
  /** Weight of recency, 1 − age / window. */
  readonly recency: number
  readonly recencyWindowDays: number
  /** Weight of each reason code; a row's own weight and the factor of the code's category multiply it. */
  readonly reasonWeights: Readonly<Record<ReasonCodeName, number>>
  readonly categoryFactor: Readonly<Record<ReasonCategory, number>>
  /** The sum over a record's reasons is kept within ± this. */
  readonly reasonBound: number
  readonly learned: LearnedWeights
}

/**
 * What was learned of a record: each of these moves a score by its weight at most, however often a record was told of, so
 * that what one learned cannot drown what the question says.
 */
export interface LearnedWeights {
  /** For confidence 1; taken off for confidence 0. */
  readonly confidence: number
  /** Taken off a record that was not touched for ever; half of it after `halfLifeDays`. */
  readonly decay: number
  readonly halfLifeDays: number
  /** For endless confirmed reads; half of it for `halfReads`. */
  readonly access: number
  readonly halfReads: number
  /** For what the first records of an answer are linked to most strongly. */
  readonly linked: number
}

/** Weighted reciprocal rank fusion over whole channels: Σ weight / (offset + rank). */
export interface RankPolicy extends PolicyRules {
  readonly fusion: {
    readonly kind: 'rrf'
    readonly offset: number
    /** A channel that is not named weighs 0. */
    readonly weights: Readonly<Partial<Record<PullChannel, number>>>
  }
}

/** CtxSift's two stages: sources fuse to a lexical rank, which fuses with the vector rank; then fixed bonuses, rounded. */
export interface StagedPolicy extends PolicyRules {
  readonly fusion: StagedFusion
  readonly freshness: Readonly<Record<Freshness, number>>
  /** Gives the bonus of a `files` match to every record when the query has no such filter, as the original does. */
  readonly fileBonusWithoutFilter: boolean
  readonly thresholds: AnswerThresholds
}

export interface StagedFusion {
  readonly kind: 'staged'
  /** Offset of both rank fusions. */
  readonly offset: number
  /** Weights of the lexical stage. */
  readonly sources: Readonly<Record<StagedSource, number>>
  /** Recency ranks the candidates of the lexical stage; it brings none. */
  readonly recency: {
    readonly weight: number
    /** The weight when the query asks for what is recent, and what the newest then get on top, less a step per rank. */
    readonly weightWhenAsked: number
    readonly bonusWhenAsked: number
    readonly bonusStep: number
  }
  /** For each source beyond the first that found the record, up to `most` of them. */
  readonly agreement: { readonly bonus: number; readonly most: number }
  /** Weights of the second stage. */
  readonly stages: { readonly lexical: number; readonly vector: number }
  /** A vector hit below this cosine counts only for a record that the lexical stage found. */
  readonly minCosine: number
  /** Candidates each stage keeps. */
  readonly candidates: number
  readonly bonuses: {
    /** For each matched field, up to `mostFields`. */
    readonly field: number
    readonly mostFields: number
    /** The record is of a file the query filters by. */
    readonly filter: number
    /** The query names a file, symbol or test of the record exactly. */
    readonly file: number
    readonly symbol: number
    readonly test: number
  }
  /** The sum is multiplied by this and rounded to an integer, half to even. */
  readonly scale: number
}

export type StagedSource = 'fts' | 'terms' | 'paths' | 'instruction' | 'body' | 'command'

/** Scores from `strong` on make the answer; without any, at most `weakLimit` from `weak` on. */
export interface AnswerThresholds {
  readonly strong: number
  readonly weak: number
  readonly weakLimit: number
}

/** second-brain's product: cosine × min(1, exp(−age / H) × (1 + ln(1 + accesses))) × importance. */
export interface ProductPolicy extends PolicyRules {
  readonly fusion: { readonly kind: 'product' }
  /** False leaves the cosine as it is: neither age nor importance moves it. */
  readonly decay: boolean
  /** H in days: of the first tag that the record carries, else of the last resort. */
  readonly lifeDaysByTag: readonly (readonly [tag: string, days: number])[]
  readonly lifeDays: number
}

/** Popoto's composite score over every record of the scope, whatever the query's words: Σ weight × arm, none scaled. */
export interface CompositePolicy extends PolicyRules {
  readonly fusion: {
    readonly kind: 'composite'
    readonly weights: Readonly<Record<'decay' | 'cyclic' | 'confidence' | 'access' | 'priority', number>>
    /** Weight of what links to the first records pass on. */
    readonly linked: number
  }
}

export interface LexicalTuning {
  /** Term frequency saturation. */
  readonly k1: number
  /** Share of length normalisation, 0..1. */
  readonly b: number
  /** Tokens added to every length and to the average: keeps very short records from winning by length alone. */
  readonly lengthPrior: number
  /** Extra occurrences each occurrence in the title counts for. */
  readonly titleBoost: number
  /** Weight of common words that are not question words, 0..1. */
  readonly commonWordWeight: number
  /** Weight of question words and the remnants of contractions, 0..1. */
  readonly questionWordWeight: number
  /** Units of the query: words, or CtxSift's runs (`src/core/x.ts` is one, and matches as a phrase). */
  readonly units: 'words' | 'runs'
  /**
   * `scope`: the scope's own statistics, idf ln(1 + (N − n + ½)/(n + ½)), text columns alone are counted. `fts5`: what FTS5's
   * bm25() gives: statistics of the whole store, idf without the 1 and at least 1e-6, the length of all seven columns.
   */
  readonly statistics: 'scope' | 'fts5'
}

/**
 * A weighted sum of absolute channel scores: what another record scores cannot change a record's own summands,
 * except through the one weight per query that says how much the vector channel is worth.
 */
export interface ConvexFusion {
  readonly kind: 'convex'
  /** Weight of the lexical score, 0..1. */
  readonly lexical: number
  /** The share of the best possible BM25, or TokenPak's BM25 / (1 + BM25). */
  readonly lexicalScale: 'absolute' | 'saturated'
  readonly meaning: MeaningTuning
  /** Weight of the cosine itself, −1..1: small, it orders what nothing else tells apart. */
  readonly cosine: number
  /** Added once when an exact term of the query is one of the record's. */
  readonly terms: number
  /** Added once when a path of the query is one of the record's. */
  readonly paths: number
  /** Weight of 1 / place by time of change, in a listing without text or vector. Default 1. */
  readonly recent?: number | undefined
  /**
   * For pairs of words that follow each other in the query, stop words aside, and stand side by side in the record, each by
   * how rare its commoner word is: 1 where the words of every pair are as rare as can be. Default 0.
   */
  readonly pairs?: number | undefined
  /** What a record with a `session` and a `position` is given of its neighbours there. Default: nothing. */
  readonly neighbours?: NeighbourShares | undefined
}

/**
 * Shares of what the question says of a neighbour (words, pairs, meaning, exact terms, paths): of those 1, 2, … places
 * before a record, and of those after it, up to eight. Only candidates that may be selected give.
 */
export interface NeighbourShares {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/**
 * The vector channel scores v², where v is the cosine above the query's background. Its weight per query is
 * trust × weight × clamp(peak × zVector / (zLexical + peakOffset)): the channel whose best hit stands further out of
 * its own background, in standard deviations, counts for more.
 */
export interface MeaningTuning {
  readonly weight: number
  readonly peak: number
  readonly peakOffset: number
  readonly clamp: readonly [number, number]
  /** Records with cosine 0 that the background is mixed with, so that tiny scopes have one. */
  readonly backgroundPrior: number
  /** Trust in an embedding space by name, 0..1; spaces not named here have 1. */
  readonly trust: Readonly<Record<string, number>>
}

/** How support is measured and judged, by the channels that ran. */
export interface EvidenceThresholds {
  readonly wordsAndMeaning: EvidenceLine
  readonly wordsAlone: EvidenceLine
  readonly meaningAlone: EvidenceLine
}

/**
 * Support = √coverage of the best hit + words × ln(1 + terms it holds) + meaning × (how far the best cosine stands above
 * the background, 0..1) − length × ln(mean length of a record) − records × ln(records in the scope): many long records
 * match any question somewhere, so there chance counts for more.
 */
export interface EvidenceLine {
  readonly words: number
  readonly meaning: number
  readonly length: number
  readonly records: number
  /** Support from which a store answers at all, and from which it answers well. */
  readonly weak: number
  readonly strong: number
}
