/**
 * The ledger, packed: two thousand candidates cross a thread as a few flat arrays, and are spelled out when read.
 */
import type { Facts } from '../fusion/facts.ts'
import type { Dropped } from '../model/result.ts'
import type { Beyond, Loss } from '../select/losses.ts'

export interface PackedLedger {
  readonly ids: readonly string[]
  /** Index into `causes`, one per id. */
  readonly cause: Uint16Array
  readonly causes: readonly { readonly reason: string; readonly stage: Dropped['stage'] }[]
  /** Scores, only when explanations were asked for. */
  readonly scores: Float64Array | null
}

export function packLedger(
  { candidates }: Facts,
  losses: readonly Loss[],
  beyond: Beyond,
  withScores: boolean,
): PackedLedger {
  const causes: { reason: string; stage: Dropped['stage'] }[] = []
  const known = new Map<string, number>()
  const causeOf = (reason: string, stage: Dropped['stage']) => {
    const name = `${stage} ${reason}`
    const index = known.get(name) ?? causes.push({ reason, stage }) - 1
    known.set(name, index)
    return index
  }
  const length = losses.length + beyond.rows.length
  const ids: string[] = []
  const cause = new Uint16Array(length)
  for (const { row, reason, stage } of losses) {
    cause[ids.length] = causeOf(reason, stage)
    ids.push(candidates.ids[row] as string)
  }
  if (beyond.rows.length > 0) cause.fill(causeOf(beyond.reason, 'limit'), losses.length)
  for (const row of beyond.rows) ids.push(candidates.ids[row] as string)
  const scores = withScores ? Float64Array.of(...losses.map((loss) => loss.score), ...beyond.scores) : null
  return { ids, cause, causes, scores }
}

export function unpackLedger({ ids, cause, causes, scores }: PackedLedger): readonly Dropped[] {
  return ids.map((id, i) => {
    const { reason, stage } = causes[cause[i] as number] as PackedLedger['causes'][number]
    return scores === null ? { id, reason, stage } : { id, reason, stage, score: scores[i] as number }
  })
}
