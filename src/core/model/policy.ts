/**
 * The types of a policy: a frozen literal with weights, depths, gates and rules. A policy reads no clock, no environment and no
 * random source. The same `decide` runs every policy, and every receipt has the hash of its policy.
 */
import type { PassageShares } from './passage-shares.ts'
import type { ReasonCategory, ReasonCodeName } from './reason-codes.ts'
import type { Freshness, PullChannel } from './result.ts'

export type Policy = ConvexPolicy | RankPolicy | StagedPolicy | ProductPolicy | CompositePolicy

/** Narrow a policy by its kind of fusion. */
export const isConvex = (policy: Policy): policy is ConvexPolicy => policy.fusion.kind === 'convex'
export const isStaged = (policy: Policy): policy is StagedPolicy => policy.fusion.kind === 'staged'
export const isProduct = (policy: Policy): policy is ProductPolicy => policy.fusion.kind === 'product'
export const isComposite = (policy: Policy): policy is CompositePolicy => policy.fusion.kind === 'composite'

/** The rules that every policy has, whatever its fusion. */
export interface PolicyRules {
  readonly name: string
  readonly version: number
  readonly defaultLimit: number
  readonly lexical: LexicalTuning
  /**
   * 0: the policy does not use the channel. Otherwise at least the largest limit, so that a larger limit only appends [S4]: most candidates
   * of the channel. Under a convex policy a channel brings all that it finds; then this is how many of them the ledger of `assemble` names
   * at least, and how many records an HNSW graph proposes.
   */
  readonly depths: Readonly<Record<PullChannel, number>>
  /** Excludes expired, not yet valid, superseded and deprecated records. The ledger names the successor. */
  readonly gateStatus: boolean
  /** Reason codes that exclude a record from the answer. All other codes only change its score. */
  readonly gateCodes: readonly ReasonCodeName[]
  /** `exclude`: a `block` risk excludes a record. `flag`: the record stays and shows the risk; the receiver decides. */
  readonly riskGate: 'flag' | 'exclude'
  /** With a `files` filter: least cosine at which a record counts as matching the query. */
  readonly filesCosine: number
  /** The file that decides the freshness of a record: the worst one, or the first stale one in stored order. */
  readonly freshnessOf: 'worst' | 'first-stale'
  /** Which records are collapsed into one: `exact`, those of equal content; `near`, near-duplicates too; `none`. */
  readonly collapse: 'exact' | 'near' | 'none'
  /** Which of several duplicates is kept: the best by ranking, or the newest by (updatedAt, id). */
  readonly keep: 'best' | 'newest'
  /**
   * Synonyms of words and phrases: a record with a synonym counts as having the word, and its reasons say `by synonym`. They work in one
   * direction; give both directions if both apply. At most 10,000, with 1 to 16 synonyms each. Quoted words
   * have none. Only where `lexical.units` is `words`. Default: no synonyms.
   */
  readonly synonyms?: Readonly<Record<string, readonly string[]>> | undefined
  /** The second key of the order, after the score. */
  readonly order: 'updatedAt' | 'createdAt'
  /** Least score of a hit. Default: no least score. */
  readonly minScore?: number | undefined
  /** Most records of one `source` in an answer, 1 to 1,000, unless the query sets `perSource`. Default: no limit. */
  readonly perSource?: number | undefined
  readonly evidence: EvidenceThresholds
  readonly assembly: AssemblyRules
  /** How a signal changes the confidence of a record: `bounded`, a running mean; `sqrt`, Popoto's step of 1 / √signals. */
  readonly confidenceRule: 'bounded' | 'sqrt'
}

/** The rules of `assemble`. A request may override them. */
export interface AssemblyRules {
  /** Which score must reach the threshold for a record to surface: what makes it due now (`due`), or its whole cyclic score. */
  readonly surfacing: 'due' | 'cyclic'
  /** What happens at a record that exceeds the token budget: `skip` leaves out this record, `stop` ends the selection. */
  readonly overflow: 'skip' | 'stop'
  /** Places reserved for records that surface unasked. */
  readonly reserveProactive: number
  /** Lowers the confidence of pulled records that were not selected, by a signal of 0.3. */
  readonly suppresses: boolean
}

export interface ConvexPolicy extends PolicyRules {
  readonly fusion: ConvexFusion
  /** Added by the freshness of the record's files. */
  readonly freshness: Readonly<Record<'fresh' | 'stale_changed' | 'stale_deleted', number>>
  /** Added when the field of the record equals the one that the query prefers. */
  readonly prefer: Readonly<Record<'project' | 'kind' | 'topic', number>>
  /** Weight of recency, which is 1 − age / window. */
  readonly recency: number
  readonly recencyWindowDays: number
  /** Weight of each reason code, multiplied by the weight of the record's reason row and by the factor of the code's category. */
  readonly reasonWeights: Readonly<Record<ReasonCodeName, number>>
  readonly categoryFactor: Readonly<Record<ReasonCategory, number>>
  /** Bound on the sum over the reasons of a record: the sum stays within ± this value. */
  readonly reasonBound: number
  readonly learned: LearnedWeights
}

/**
 * Weights of the learned signals. Each signal changes a score by at most its weight, however often a record was read or
 * judged. So learned data cannot outweigh the query.
 */
export interface LearnedWeights {
  /** Added at confidence 1, subtracted at confidence 0. */
  readonly confidence: number
  /** Most that age subtracts, reached as the days since the last touch → ∞; half of it after `halfLifeDays`. */
  readonly decay: number
  readonly halfLifeDays: number
  /** Most that confirmed reads add, reached as reads → ∞; half of it at `halfReads` reads. */
  readonly access: number
  readonly halfReads: number
  /** Most that links to the first records of the answer add. */
  readonly linked: number
}

/** Weighted reciprocal rank fusion over channels: Σ weight / (offset + rank). */
export interface RankPolicy extends PolicyRules {
  readonly fusion: {
    readonly kind: 'rrf'
    readonly offset: number
    /** A channel without a weight counts 0. */
    readonly weights: Readonly<Partial<Record<PullChannel, number>>>
  }
}

/** CtxSift's two stages: six sources are fused to a lexical rank, which is fused with the vector rank. Then fixed bonuses are added, and the sum is rounded. */
export interface StagedPolicy extends PolicyRules {
  readonly fusion: StagedFusion
  readonly freshness: Readonly<Record<Freshness, number>>
  /** Without a `files` filter, adds the bonus of a `files` match to every record, as the original does. */
  readonly fileBonusWithoutFilter: boolean
  readonly thresholds: AnswerThresholds
}

export interface StagedFusion {
  readonly kind: 'staged'
  /** Offset of both rank fusions. */
  readonly offset: number
  /** Weights of the sources in the lexical stage. */
  readonly sources: Readonly<Record<StagedSource, number>>
  /** Recency ranks the candidates of the lexical stage and adds none. */
  readonly recency: {
    readonly weight: number
    /** Used when the query asks for recent records: the weight, and a bonus for the newest that falls by one step per rank. */
    readonly weightWhenAsked: number
    readonly bonusWhenAsked: number
    readonly bonusStep: number
  }
  /** Added for each source beyond the first that found the record; at most `most` sources count. */
  readonly agreement: { readonly bonus: number; readonly most: number }
  /** Weights of the second stage. */
  readonly stages: { readonly lexical: number; readonly vector: number }
  /** A vector hit below this cosine counts only if the lexical stage found the record, too. */
  readonly minCosine: number
  /** Most candidates of each stage. */
  readonly candidates: number
  readonly bonuses: {
    /** Added for each matched field; at most `mostFields` count. */
    readonly field: number
    readonly mostFields: number
    /** Added when a path of the record passes the `files` filter of the query. */
    readonly filter: number
    /** Added when the query names a file, symbol or test of the record exactly. */
    readonly file: number
    readonly symbol: number
    readonly test: number
  }
  /** The sum is multiplied by this and rounded to an integer, half to even. */
  readonly scale: number
}

export type StagedSource = 'fts' | 'terms' | 'paths' | 'instruction' | 'body' | 'command'

/** Hits with a score of at least `strong` are the answer. Without any, the answer is at most `weakLimit` hits of at least `weak`. */
export interface AnswerThresholds {
  readonly strong: number
  readonly weak: number
  readonly weakLimit: number
}

/** second-brain's product: cosine × min(1, exp(−age / H) × (1 + ln(1 + accesses))) × importance. */
export interface ProductPolicy extends PolicyRules {
  readonly fusion: { readonly kind: 'product' }
  /** False: the score is the cosine; age and importance do not change it. */
  readonly decay: boolean
  /** H in days: that of the first tag in this list that the record has, else `lifeDays`. */
  readonly lifeDaysByTag: readonly (readonly [tag: string, days: number])[]
  readonly lifeDays: number
}

/** Popoto's composite score over every record of the scope, whatever words the query has: Σ weight × component, without scaling. */
export interface CompositePolicy extends PolicyRules {
  readonly fusion: {
    readonly kind: 'composite'
    readonly weights: Readonly<Record<'decay' | 'cyclic' | 'confidence' | 'access' | 'priority', number>>
    /** Weight of `linked`: what links from the first records add. */
    readonly linked: number
  }
}

export interface LexicalTuning {
  /** BM25's saturation of the term frequency. */
  readonly k1: number
  /** BM25's share of length normalisation, 0..1. */
  readonly b: number
  /** Tokens added to every length and to the mean length. Otherwise very short records win by length alone. */
  readonly lengthPrior: number
  /** Extra occurrences that each occurrence in the title counts for. */
  readonly titleBoost: number
  /** Weight of common words that are not question words, 0..1. */
  readonly commonWordWeight: number
  /** Weight of question words and of the remnants of contractions, 0..1. */
  readonly questionWordWeight: number
  /** Units of the query: words, or CtxSift's runs (`src/core/x.ts` is one run and matches as a phrase). */
  readonly units: 'words' | 'runs'
  /**
   * `scope`: statistics of the scope, idf = ln(1 + (N − n + ½)/(n + ½)), length of the text columns. `fts5`: the statistics of
   * FTS5's bm25(): the whole store, idf = ln((N − n + ½)/(n + ½)) and at least 1e-6, length of all seven columns.
   */
  readonly statistics: 'scope' | 'fts5'
  /** How a long record counts by its best passage (docs/spec/ranking.md#passages). Absent: every record counts as a whole. */
  readonly passages?: PassageShares | undefined
}

/**
 * A weighted sum of absolute channel scores. The scores of other records do not change the summands of a record, with one
 * exception: the weight of the vector channel, which is computed once per query.
 */
export interface ConvexFusion {
  readonly kind: 'convex'
  /** Weight of the lexical score, 0..1. */
  readonly lexical: number
  /** `absolute`: BM25 / the highest possible BM25. `saturated`: TokenPak's BM25 / (1 + BM25). */
  readonly lexicalScale: 'absolute' | 'saturated'
  readonly meaning: MeaningTuning
  /** Weight of the cosine itself, −1..1. A small weight only breaks ties. */
  readonly cosine: number
  /** Added once when an exact term of the query is a term of the record. */
  readonly terms: number
  /** Added once when a path of the query is a path of the record. */
  readonly paths: number
  /** Weight of 1 / rank by time of change, in a listing without text or vector. Default 1. */
  readonly recent?: number | undefined
  /**
   * Weight of the word pairs: words that follow each other in the query (without stop words) and are adjacent in the record.
   * Each pair counts by the rarity of its commoner word. The signal is 1 when all words are as rare as possible. Default 0.
   */
  readonly pairs?: number | undefined
  /** Most that a record of the time named in the query gets. At 0, the default, times in the query are not read. */
  readonly time?: number | undefined
  /** What adjacent records of the same session add to a record with `session` and `position`. Default: nothing. */
  readonly neighbours?: NeighbourShares | undefined
}

/**
 * Shares of the query signals (words, pairs, vector, exact terms, paths) that adjacent records of a session add: the records
 * 1, 2, … positions before, and those after, up to eight. Only candidates that pass the gates count.
 */
export interface NeighbourShares {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /**
   * Tokens of a record that receives half of these shares: with L tokens it receives 1 / (1 + (L / halfLength)²) of them. L is the
   * mean length of its session, or its own length where long and short records alternate, as in a chat. Default: all receive the whole.
   */
  readonly halfLength?: number | undefined
}

/**
 * The vector channel scores v², where v is the cosine above the query's background. Its weight per query is
 * trust × weight × clamp(peak × zVector / (zLexical + peakOffset)). zVector and zLexical are the distances of the best hits
 * from the mean of their channel, in standard deviations: the channel whose best hit is clearer counts for more.
 */
export interface MeaningTuning {
  readonly weight: number
  readonly peak: number
  readonly peakOffset: number
  readonly clamp: readonly [number, number]
  /** Records of cosine 0 that are added to the background, so that very small scopes have one. */
  readonly backgroundPrior: number
  /** Trust in an embedding space by name, 0..1. Default of a space without an entry: 1. */
  readonly trust: Readonly<Record<string, number>>
}

/** Weights and thresholds of the evidence, by the channels that ran. */
export interface EvidenceThresholds {
  readonly wordsAndMeaning: EvidenceLine
  readonly wordsAlone: EvidenceLine
  readonly meaningAlone: EvidenceLine
  /** If the question and the best hit are in different languages: the stronger of this verdict and the other counts. Default: the other. */
  readonly acrossLanguages?: EvidenceLine | undefined
}

/**
 * Support = √coverage of the best hit + words × ln(1 + matched query terms) + meaning × (distance of the best cosine from the
 * background, 0..1) − length × ln(mean length of a record) − records × ln(records in the scope). The last two subtract what
 * chance explains: in many long records some text matches any query.
 */
export interface EvidenceLine {
  readonly words: number
  readonly meaning: number
  readonly length: number
  readonly records: number
  /** Least support for evidence `weak`, and for `strong`. */
  readonly weak: number
  readonly strong: number
}
