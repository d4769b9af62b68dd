/**
 * The ledger, packed: two thousand candidates cross a thread as a few flat arrays, and are spelled out when read.
 */
import type { Facts } from '../fusion/facts.ts'
import type { Dropped, Stage } from '../model/result.ts'
import type { Beyond, Loss } from '../rank/loss.ts'

export interface PackedLedger<Lost extends string = Stage> {
  /** The ids, a line break after each: one string crosses a thread four times as fast as two thousand. */
  readonly ids: string
  /** UTF-16 units of each id: an id may hold line breaks of its own. */
  readonly lengths: Uint16Array
  /** Index into `causes`, one per id. */
  readonly cause: Uint16Array
  readonly causes: readonly { readonly reason: string; readonly stage: Lost }[]
  /** Scores, only when explanations were asked for. */
  readonly scores: Float64Array | null
}

export function packLedger(
  { candidates }: Facts,
  losses: readonly Loss[],
  beyond: readonly Beyond[],
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
  const length = beyond.reduce((sum, { rows }) => sum + rows.length, losses.length)
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
  for (const { reason, stage, rows } of beyond) {
    if (rows.length > 0) cause.fill(causeOf(reason, stage), ids.length, ids.length + rows.length)
    for (const row of rows) add(row)
  }
  const scores = withScores ? scoresOf(losses, beyond, length) : null
  return { ids: ids.length === 0 ? '' : `${ids.join('\n')}\n`, lengths, cause, causes, scores }
}

function scoresOf(losses: readonly Loss[], beyond: readonly Beyond[], length: number): Float64Array {
  const scores = new Float64Array(length)
  for (const [i, { score }] of losses.entries()) scores[i] = score
  let at = losses.length
  for (const group of beyond) {
    scores.set(group.scores, at)
    at += group.scores.length
  }
  return scores
}

/** Packs a ledger that is spelled out, without scores. */
export function packEntries<Lost extends string>(
  entries: readonly { readonly id: string; readonly reason: string; readonly stage: Lost }[],
): PackedLedger<Lost> {
  const causes: { reason: string; stage: Lost }[] = []
  const known = new Map<string, number>()
  const cause = Uint16Array.from(entries, ({ reason, stage }) => {
    const name = `${stage} ${reason}`
    const index = known.get(name) ?? causes.push({ reason, stage }) - 1
    known.set(name, index)
    return index
  })
  const ids = entries.map(({ id }) => `${id}\n`).join('')
  return { ids, lengths: Uint16Array.from(entries, ({ id }) => id.length), cause, causes, scores: null }
}

export function unpackLedger<Lost extends string = Stage>({
  ids,
  lengths,
  cause,
  causes,
  scores,
}: PackedLedger<Lost>): readonly (Omit<Dropped, 'stage'> & { readonly stage: Lost })[] {
  let at = 0
  return Array.from(lengths, (length, i) => {
    const id = ids.slice(at, at + length)
    at += length + 1
    const { reason, stage } = causes[cause[i] as number] as PackedLedger<Lost>['causes'][number]
    return scores === null ? { id, reason, stage } : { id, reason, stage, score: scores[i] as number }
  })
}
