/**
 * The types of `assemble`: a request with a budget, and a context package. The rules are in `assemble/`.
 */
import type { Policy } from './policy.ts'
import type { RecallQuery, Reserve, Scope } from './query.ts'
import type { StoredRecord } from './record.ts'
import type { Evidence, EvidenceStrength, Plan, Receipt, Stage, Warning } from './result.ts'

/**
 * The form of the text. `compact`: a line with day, speaker and text. `json` (also called `structured`), `xml` and `natural` name each field
 * and take about three times the tokens; `content` has the texts alone.
 */
export const contextFormats = ['compact', 'json', 'structured', 'xml', 'natural', 'content', 'recall'] as const
export type ContextFormat = (typeof contextFormats)[number]

export interface AssembleRequest
  extends Pick<
    RecallQuery,
    | 'text'
    | 'vector'
    | 'scope'
    | 'prefer'
    | 'policy'
    | 'asOf'
    | 'now'
    | 'times'
    | 'changes'
    | 'timeZone'
    | 'without'
    | 'in'
    | 'exclude'
  > {
  /**
   * Most records of one `source` in the package, 1 to 1,000; pulled and surfaced records count together. Records without a
   * source are not limited. Applied before the token budget. Default: the policy's `perSource`, else no limit.
   */
  readonly perSource?: number | undefined
  /**
   * Reserves the first places of the package for records of this kind, or that state such a request, in the order of the answer (see `recall`).
   * Default: none.
   */
  readonly reserve?: Reserve | undefined
  /** The cues of the context: values by labels of your choice. The values join `text`; the labels filter nothing. */
  readonly cues?: Readonly<Record<string, string>> | undefined
  /** Pulls only records with a path that contains one of these texts. Ignored when no such record matches. */
  readonly files?: readonly string[] | undefined
  /**
   * Roles (`user`, `assistant` …) of the turns that may be packed; other records always may. Default: all. Questions and small talk
   * of a chat are never packed.
   */
  readonly roles?: readonly string[] | undefined
  /**
   * Least evidence for pulled records. With weaker evidence the package has only the records that surface, and what has places of its own;
   * `weak` withholds nothing from a question about the person if all facts of the scope fit into `maxTokens`. With `weak` and `strong`, small
   * talk pulls nothing.
   */
  readonly minEvidence?: EvidenceStrength | undefined
  /**
   * A list: ids that the conversation has already shown; they are left out, and the ledger says why. A boolean: whether pulled
   * records that are not selected lose confidence (a signal of 0.3). Default: the policy's `suppresses`.
   */
  readonly suppress?: readonly string[] | boolean | undefined
  /** Applies the effects at once, in one transaction. Default false: `acknowledge` applies them. */
  readonly commitEffects?: boolean | undefined
  /** Default 10, at most 1,000. */
  readonly maxItems?: number | undefined
  /** Most tokens of the formatted text, wrappers included. Default: no limit. */
  readonly maxTokens?: number | undefined
  /** Least score of a record that surfaces unasked; with 0 or less every due record surfaces. Default 0.5. */
  readonly surfacingThreshold?: number | undefined
  /** Hops over links from the first records, 0 to 5. Default 2. */
  readonly propagationDepth?: number | undefined
  /** Default `compact`. */
  readonly format?: ContextFormat | undefined
  /** Adds `metadata.quality`. */
  readonly assessQuality?: boolean | undefined
  /** Places reserved for records that surface unasked. Default: the policy's `reserveProactive`, usually 0. */
  readonly reserveProactive?: number | undefined
  /** What happens at a record that exceeds the token budget: `skip` leaves out this record, `stop` ends the selection. Default: the policy's `overflow`. */
  readonly overflow?: 'skip' | 'stop' | undefined
}

/** Where a candidate of a context package was lost: in a stage of the recall, or in one of assembling. */
export type AssemblyStage = Stage | 'surfacing' | 'items' | 'tokens'

/** A record that is not in the context package. */
export interface PackageLedgerEntry {
  readonly id: string
  readonly reason: string
  readonly stage: AssemblyStage
}

/** @deprecated Renamed to `PackageLedgerEntry`. Removed in the next minor version. */
export type LeftOut = PackageLedgerEntry

/** The changes of learned data, applied when the package is acknowledged, or at once with `commitEffects`. */
export interface AssemblyEffects {
  /** Selected records that the query pulled. Each counts as read when its outcome confirms it. */
  readonly reads: readonly string[]
  /** Selected records that surfaced unasked. Each waits for its outcome as a proposal with the reason `proactive`. */
  readonly surfaced: readonly string[]
  /** Pulled records that were not selected and lose confidence. */
  readonly suppressed: readonly string[]
  /** Pairs of records whose link becomes stronger if both are used. */
  readonly links: readonly (readonly [string, string])[]
  /** Canonical JSON of the scope of the proposals. */
  readonly scope: string
}

/** A receipt with the effects that `acknowledge` applies. */
export interface AssemblyReceipt extends Receipt {
  readonly effects: AssemblyEffects
}

/** A selected record and its group: how likely its text is to stay the same from call to call. */
export interface OrderingHint {
  readonly id: string
  readonly group: 'stable' | 'general' | 'task'
}

export interface AssemblyMetadata {
  /** Score by id: that of the recall, or what made the record due. */
  readonly scores: Readonly<Record<string, number>>
  /** Number of selected records that were pulled (`pullCount`), and that surfaced (`pushCount`). */
  readonly pullCount: number
  readonly pushCount: number
  /** Tokens of `formatted`. */
  readonly tokenCount: number
  readonly timingMs: number
  /** Records that were pulled or surfaced, before the cuts. */
  readonly totalCandidates: number
  /** True if `formatted` is longer than `maxTokens`: the one record that is always selected is too long by itself. */
  readonly overflow: boolean
  readonly quality?: RetrievalQuality | undefined
}

export interface ContextPackage {
  /** In the order of the text: pulled records, then surfaced ones. */
  readonly records: readonly StoredRecord[]
  /** The records that surfaced unasked. */
  readonly proactive: readonly StoredRecord[]
  readonly formatted: string
  readonly metadata: AssemblyMetadata
  readonly effects: AssemblyEffects
  /** Every candidate that was not selected, with its reason [S5]. */
  readonly ledger: readonly PackageLedgerEntry[]
  readonly evidence: Evidence
  readonly plan: Plan
  readonly warnings: readonly Warning[]
  readonly authorityContext: string | null
  readonly receipt: AssemblyReceipt
  /** The selected records in an order that suits prompt caches: stable ones first, in an order that does not depend on the query. */
  readonly orderingHints: readonly OrderingHint[]
}

export interface AssessRequest {
  readonly cues?: Readonly<Record<string, string>> | undefined
  /** Counts as one more cue, labelled `text`. */
  readonly text?: string | undefined
  readonly vector?: Float32Array | undefined
  readonly scope?: Scope | undefined
  readonly policy?: Policy | string | undefined
  /** As in a recall. */
  readonly times?: 'auto' | 'off' | undefined
  readonly timeZone?: string | undefined
  /** Most candidates that are read. Default 10. */
  readonly probeLimit?: number | undefined
}

export interface RetrievalQuality {
  /** Feeling of knowing, 0..1: the mean over the cues; 0 without cues. */
  readonly fok: number
  /** Mean confidence of the selected records; 1 if none were selected. */
  readonly avgConfidence: number
  /** Population standard deviation of the selected scores divided by their mean; 0 if the mean is 0. */
  readonly scoreSpread: number
  /** Share of the selected records whose decayed score is below the threshold. */
  readonly stalenessRatio: number
  /** Scores of the selected records, in their order. */
  readonly scoreDistribution: readonly number[]
  /** The components of the feeling of knowing, by the label of each cue. */
  readonly perCue: Readonly<Record<string, CueQuality>>
}

export interface CueQuality {
  /** 0.4 · familiarity + 0.4 · partialRetrieval + 0.2 · subthreshold. */
  readonly fok: number
  /** 1: the store might contain the cue; 0: it does not; 0.5: the store cannot say. */
  readonly familiarity: number
  /** Number of candidates divided by the most that may be selected, at most 1. */
  readonly partialRetrieval: number
  /** Share of faint candidates: those with a score above 0 and below the threshold. */
  readonly subthreshold: number
}
