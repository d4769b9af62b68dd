/**
 * What `assemble` takes and answers: a question with a budget in, a context package out. Plain data; the rules are in
 * `assemble/`.
 */
import type { Policy } from './policy.ts'
import type { RecallQuery, Scope } from './query.ts'
import type { StoredRecord } from './record.ts'
import type { Evidence, EvidenceStrength, Plan, Receipt, Stage, Warning } from './result.ts'

/** How the context is written. All but `structured` are for a reader, `content` at about a third of the tokens. */
export const contextFormats = ['structured', 'xml', 'natural', 'content', 'recall'] as const
export type ContextFormat = (typeof contextFormats)[number]

export interface AssembleRequest
  extends Pick<RecallQuery, 'text' | 'vector' | 'scope' | 'prefer' | 'policy' | 'asOf' | 'now' | 'exclude'> {
  /**
   * Most records of one `source` in the package, pulled and surfaced together, 1 to 1,000. Records without a source are not
   * limited. It acts before the token budget. Default: as the policy says, else no limit.
   */
  readonly perSource?: number | undefined
  /** What the context is about: values by labels of your choice. They join `text`; the labels filter nothing. */
  readonly cues?: Readonly<Record<string, string>> | undefined
  /** Of what the question finds, only records with a path that contains one of these, unless none of them matches. */
  readonly files?: readonly string[] | undefined
  /** With weaker evidence the question brings nothing; what is due surfaces all the same. */
  readonly minEvidence?: EvidenceStrength | undefined
  /**
   * Ids shown in this conversation already: they are left out, and the ledger says why. `true` or `false` instead: whether
   * pulled records that are not selected lose confidence (a signal of 0.3); default: as the policy says.
   */
  readonly suppress?: readonly string[] | boolean | undefined
  /** Applies the effects at once, in one transaction; default false: they wait for `acknowledge`. */
  readonly commitEffects?: boolean | undefined
  /** Default 10, at most 1,000. */
  readonly maxItems?: number | undefined
  /** Budget of the formatted text, wrappers included. Default: none. */
  readonly maxTokens?: number | undefined
  /** What a record must reach to surface unasked; 0 or less: anything does. Default 0.5. */
  readonly surfacingThreshold?: number | undefined
  /** Hops over links from the first records; default 2, at most 5, 0: none. */
  readonly propagationDepth?: number | undefined
  /** Default `structured`. */
  readonly format?: ContextFormat | undefined
  /** Adds `metadata.quality`. */
  readonly assessQuality?: boolean | undefined
  /** Places kept for records that surface unasked. Default 0 (a policy may say otherwise). */
  readonly reserveProactive?: number | undefined
  /** A record that does not fit the token budget is left out alone (`skip`), or ends the selection. Default: as the policy says. */
  readonly overflow?: 'skip' | 'stop' | undefined
}

/** Where a candidate of a context package was lost: on its way out of the recall, or after it. */
export type AssemblyStage = Stage | 'surfacing' | 'items' | 'tokens'

export interface LeftOut {
  readonly id: string
  readonly reason: string
  readonly stage: AssemblyStage
}

/** What reading this package does to what is known, once it is acknowledged or with `commitEffects`. */
export interface AssemblyEffects {
  /** Selected records that the question brought: each counts as read when its outcome confirms it. */
  readonly reads: readonly string[]
  /** Selected records that surfaced unasked: each waits as a proposal (reason `proactive`) for its outcome. */
  readonly surfaced: readonly string[]
  /** Pulled records that were not selected and lose confidence for it. */
  readonly suppressed: readonly string[]
  /** Pairs whose link gets stronger if both are used. */
  readonly links: readonly (readonly [string, string])[]
  /** Canonical JSON of the scope that proposals wait in. */
  readonly scope: string
}

/** A receipt that carries the effects along, for `acknowledge` to apply. */
export interface AssemblyReceipt extends Receipt {
  readonly effects: AssemblyEffects
}

/** A selected record, by how likely its text is to stay the same from call to call. */
export interface OrderingHint {
  readonly id: string
  readonly group: 'stable' | 'general' | 'task'
}

export interface AssemblyMetadata {
  /** Score by id: of the recall, or what made the record due. */
  readonly scores: Readonly<Record<string, number>>
  /** Selected records that the question brought, and that surfaced unasked. */
  readonly pullCount: number
  readonly pushCount: number
  /** Tokens of `formatted`. */
  readonly tokenCount: number
  readonly timingMs: number
  /** Records that came up on either way, before the cuts. */
  readonly totalCandidates: number
  /** True when the text is longer than `maxTokens`: the one record that is always kept does not fit by itself. */
  readonly overflow: boolean
  readonly quality?: RetrievalQuality | undefined
}

export interface ContextPackage {
  /** In the order of the text: what the question brought, then what surfaced. */
  readonly records: readonly StoredRecord[]
  /** Those of them that surfaced unasked. */
  readonly proactive: readonly StoredRecord[]
  readonly formatted: string
  readonly metadata: AssemblyMetadata
  readonly effects: AssemblyEffects
  /** Every candidate that was not selected, with its reason [S5]. */
  readonly ledger: readonly LeftOut[]
  readonly evidence: Evidence
  readonly plan: Plan
  readonly warnings: readonly Warning[]
  readonly authorityContext: string | null
  readonly receipt: AssemblyReceipt
  /** The selected records in the order that lets a prompt cache hit: the stable ones first, in an order of their own. */
  readonly orderingHints: readonly OrderingHint[]
}

export interface AssessRequest {
  readonly cues?: Readonly<Record<string, string>> | undefined
  /** Counts as one more cue, labelled `text`. */
  readonly text?: string | undefined
  readonly vector?: Float32Array | undefined
  readonly scope?: Scope | undefined
  readonly policy?: Policy | string | undefined
  /** Most candidates looked at. Default 10. */
  readonly probeLimit?: number | undefined
}

export interface RetrievalQuality {
  /** Feeling of knowing, 0..1: the mean over the cues; 0 without cues. */
  readonly fok: number
  /** Mean confidence of what was selected; 1 when nothing was. */
  readonly avgConfidence: number
  /** Population standard deviation of the selected scores over their mean; 0 where that mean is 0. */
  readonly scoreSpread: number
  /** Share of what was selected whose decayed score is below the threshold. */
  readonly stalenessRatio: number
  /** Scores of what was selected, in its order. */
  readonly scoreDistribution: readonly number[]
  /** What the feeling of knowing is made of, by the label of each cue. */
  readonly perCue: Readonly<Record<string, CueQuality>>
}

export interface CueQuality {
  /** 0.4 · familiarity + 0.4 · partialRetrieval + 0.2 · subthreshold. */
  readonly fok: number
  /** 1: the store might know the cue, 0: it surely does not, 0.5: nothing was there to say so. */
  readonly familiarity: number
  /** Candidates over the most that may be selected, at most 1. */
  readonly partialRetrieval: number
  /** Share of the candidates that are faint: a score above 0 and below the threshold. */
  readonly subthreshold: number
}
