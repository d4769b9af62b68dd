/** The contract of channels. A channel finds records for a question, and fills columns of the candidate table with what it knows of them. */
import type { CandidateTable } from '../../../src/core/model/facts.ts'
import type { ChannelPlan } from '../../../src/core/model/result.ts'
import type { CandidateBudget } from '../question/budget.ts'
import type { CandidateRows } from '../question/key-rows.ts'

/** A channel that is opened for one question. A later opening of any channel invalidates it, because openings share buffers. */
export interface OpenChannel<Column extends keyof CandidateTable> {
  /** The records within a budget. A channel that is cheap ignores the budget. */
  collect(budget: CandidateBudget): Found<Column>
}

export interface Found<Column extends keyof CandidateTable> {
  readonly keys: Iterable<number>
  readonly plan: ChannelPlan
  /** The values of all candidates, also of those that other channels found. */
  columns(rows: CandidateRows): Pick<CandidateTable, Column>
}

/** A channel that finds the same records within every budget. */
export function constant<Column extends keyof CandidateTable>(found: Found<Column>): OpenChannel<Column> {
  return { collect: () => found }
}

/** A plan of a channel that did not run. */
export function notRun(why: string): ChannelPlan {
  return { ran: false, why, scanned: 0, matched: 0, complete: true }
}

/** A column of these strengths, each of a candidate; 0 for the others. */
export function columnOf(strengths: ReadonlyMap<number, number>, { keys, rowOf }: CandidateRows): Float64Array {
  const column = new Float64Array(keys.length)
  for (const [key, strength] of strengths) column[rowOf(key)] = strength
  return column
}
