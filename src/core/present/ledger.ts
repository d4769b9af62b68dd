/**
 * Packs the ledger: two thousand candidates cross a thread as a few flat arrays, and are unpacked when read.
 */
import type { Facts } from '../model/facts.ts'
import type { LedgerEntry, Stage } from '../model/result.ts'
import type { Rejected, RejectedRange } from '../order/rejected.ts'

export interface PackedLedger<Lost extends string = Stage> {
  /** The ids, each followed by a line feed: one string crosses a thread four times as fast as two thousand. */
  readonly ids: string
  /** UTF-16 units of each id, because an id may contain line feeds. */
  readonly lengths: Uint16Array
  /** Index into `causes`, one per id. */
  readonly cause: Uint16Array
  readonly causes: readonly { readonly reason: string; readonly stage: Lost }[]
  /** Scores; null unless the query has `explain`. */
  readonly scores: Float64Array | null
}

export function packLedger(
  { candidates }: Facts,
  rejected: readonly Rejected[],
  ranges: readonly RejectedRange[],
  withScores: boolean,
): PackedLedger {
  const { causes, causeOf } = numberCauses<Stage>()
  const length = ranges.reduce((sum, { rows }) => sum + rows.length, rejected.length)
  const ids: string[] = []
  const lengths = new Uint16Array(length)
  const cause = new Uint16Array(length)
  const add = (row: number) => {
    const id = candidates.ids[row]!
    lengths[ids.length] = id.length
    ids.push(id)
  }
  for (const { row, reason, stage } of rejected) {
    cause[ids.length] = causeOf(reason, stage)
    add(row)
  }
  for (const { reason, stage, rows } of ranges) {
    if (rows.length > 0) cause.fill(causeOf(reason, stage), ids.length, ids.length + rows.length)
    for (const row of rows) add(row)
  }
  const scores = withScores ? scoresOf(rejected, ranges, length) : null
  return { ids: joined(ids), lengths, cause, causes, scores }
}

function scoresOf(rejected: readonly Rejected[], ranges: readonly RejectedRange[], length: number): Float64Array {
  const scores = new Float64Array(length)
  for (const [i, { score }] of rejected.entries()) scores[i] = score
  let at = rejected.length
  for (const group of ranges) {
    scores.set(group.scores, at)
    at += group.scores.length
  }
  return scores
}

/** Packs ledger entries, without scores. */
export function packEntries<Lost extends string>(
  entries: readonly { readonly id: string; readonly reason: string; readonly stage: Lost }[],
): PackedLedger<Lost> {
  const { causes, causeOf } = numberCauses<Lost>()
  const ids: string[] = []
  const lengths = new Uint16Array(entries.length)
  const cause = new Uint16Array(entries.length)
  for (const { id, reason, stage } of entries) {
    lengths[ids.length] = id.length
    cause[ids.length] = causeOf(reason, stage)
    ids.push(id)
  }
  return { ids: joined(ids), lengths, cause, causes, scores: null }
}

/** Numbers the causes. Thousands of entries in a row have the same cause, so the last one is cached. */
function numberCauses<Lost extends string>() {
  const causes: { reason: string; stage: Lost }[] = []
  const known = new Map<string, number>()
  let last: { readonly reason: string; readonly stage: Lost; readonly index: number } | null = null
  const causeOf = (reason: string, stage: Lost): number => {
    if (last?.reason === reason && last.stage === stage) return last.index
    const name = `${stage} ${reason}`
    const index = known.get(name) ?? causes.push({ reason, stage }) - 1
    known.set(name, index)
    last = { reason, stage, index }
    return index
  }
  return { causes, causeOf }
}

function joined(ids: readonly string[]): string {
  return ids.length === 0 ? '' : `${ids.join('\n')}\n`
}

export function unpackLedger<Lost extends string = Stage>({
  ids,
  lengths,
  cause,
  causes,
  scores,
}: PackedLedger<Lost>): readonly (Omit<LedgerEntry, 'stage'> & { readonly stage: Lost })[] {
  let at = 0
  return Array.from(lengths, (length, i) => {
    const id = ids.slice(at, at + length)
    at += length + 1
    const { reason, stage } = causes[cause[i]!]!
    return scores === null ? { id, reason, stage } : { id, reason, stage, score: scores[i]! }
  })
}
