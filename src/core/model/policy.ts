/**
 * A policy: the frozen literal that decides. It never reads a clock, an environment or a random source;
 * the same `decide` runs every policy, and its hash stands in every receipt.
 */
import type { Channel } from './result.ts'

export interface Policy {
  readonly name: string
  readonly version: number
  readonly defaultLimit: number
  /** BM25 over the scope's own statistics. */
  readonly lexical: LexicalTuning
  /** Candidates each channel may bring; at least the largest limit, so that a larger limit only appends (law S4). */
  readonly depths: Readonly<Record<Channel, number>>
  readonly fusion: ConvexFusion
  /** Whether expired, not yet valid, superseded and deprecated records are kept out (the ledger names the successor). */
  readonly gateStatus: boolean
  readonly collapse: 'exact' | 'none'
  /** The second key of the total order, after the score. */
  readonly order: 'updatedAt' | 'createdAt'
  readonly evidence: EvidenceThresholds
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
}

/**
 * A weighted sum of absolute channel scores: what another record scores cannot change a record's own summands,
 * except through the one weight per query that says how much the vector channel is worth.
 */
export interface ConvexFusion {
  readonly kind: 'convex'
  /** Weight of the absolute BM25 score, 0..1. */
  readonly lexical: number
  readonly meaning: MeaningTuning
  /** Weight of the cosine itself, −1..1: small, it orders what nothing else tells apart. */
  readonly cosine: number
  /** Added once when an exact term of the query is one of the record's. */
  readonly terms: number
  /** Added once when a path of the query is one of the record's. */
  readonly paths: number
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
