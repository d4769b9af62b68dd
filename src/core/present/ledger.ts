/**
 * The ledger, packed: two thousand candidates cross a thread as a few flat arrays, and are spelled out when read.
 */
import type { Facts } from '../fusion/facts.ts'
import type { Dropped } from '../model/result.ts'
import type { Beyond, Loss } from '../select/losses.ts'

export interface PackedLedger {
  /** The ids, a line break after each: one string crosses a thread four times as fast as two thousand. */
  readonly ids: string
  /** UTF-16 units of each id: an id may hold line breaks of its own. */
  readonly lengths: Uint16Array
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
  const lengths = new Uint16Array(length)
  const cause = new Uint16Array(length)
  const add = (row: number) => {
    const id = candidates.ids[row] as string
    lengths[ids.length] = id.length
    ids.push(id)
  }
  for (const { row, reason, stage } of losses) {
    cause[ids.length] = causeOf(reason, stage)
    add(row)
  }
  if (beyond.rows.length > 0) cause.fill(causeOf(beyond.reason, 'limit'), losses.length)
  for (const row of beyond.rows) add(row)
  const scores = withScores ? Float64Array.of(...losses.map((loss) => loss.score), ...beyond.scores) : null
  return { ids: ids.length === 0 ? '' : `${ids.join('\n')}\n`, lengths, cause, causes, scores }
}

export function unpackLedger({ ids, lengths, cause, causes, scores }: PackedLedger): readonly Dropped[] {
  let at = 0
  return Array.from(lengths, (length, i) => {
    const id = ids.slice(at, at + length)
    at += length + 1
    const { reason, stage } = causes[cause[i] as number] as PackedLedger['causes'][number]
    return scores === null ? { id, reason, stage } : { id, reason, stage, score: scores[i] as number }
  })
}
