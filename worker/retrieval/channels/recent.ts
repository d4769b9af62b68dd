/** The recent channel: lists the scope, or the records of the times named, newest first, when the query asks for nothing else. */

import { selectTop } from '../../../src/core/collections/select-top.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { type CandidateBudget, depthOf } from '../question/budget.ts'
import type { CandidateRows } from '../question/key-rows.ts'
import type { Question } from '../question/question.ts'
import { type Found, notRun, type OpenChannel } from './channel.ts'

export interface RecentRecords extends Found<'recent'> {
  /** Newest first. */
  readonly keys: readonly number[]
  /** Whether records of the scope come after these keys. */
  readonly isCut: boolean
  /** Most that recency adds to one of them, before weighting. */
  readonly nextAmount: number
}

export interface RecentChannel extends OpenChannel<'recent'> {
  /** Under a policy without depths: `newest` of the budget that pass gates and filter, and all that are between them. */
  collect(budget: Pick<CandidateBudget, 'newest'>): RecentRecords
}

export function recentChannel(question: Question): RecentChannel {
  const { store, plan, scope, windows } = question
  const depth = depthOf(plan, 'recent')
  const absent = plan.needs.listsScope ? question.absent : null
  if (!plan.listing || depth === 0 || absent !== null) {
    const why = plan.listing ? 'the policy does not use it' : 'the query says what it wants'
    const nothing = { ...recordsOf([]), isCut: false, nextAmount: 0, plan: notRun(absent ?? why) }
    return { collect: () => nothing }
  }
  const inside = plan.timesAlone === true ? windows!.inside() : null
  const matched = inside?.length ?? store.statistics(scope).records
  const isDeep = depth === Number.POSITIVE_INFINITY
  return {
    collect({ newest: some }) {
      const most = isDeep && inside === null ? some : depth
      const { keys, scanned } = newestOf(question, inside, matched, most)
      return {
        ...recordsOf(keys),
        isCut: keys.length < matched,
        nextAmount: 1 / (keys.length + 1),
        plan: {
          ran: true,
          mode: 'exact',
          scanned: isDeep ? matched : scanned,
          matched,
          complete: isDeep || keys.length === matched,
        },
      }
    },
  }
}

function recordsOf(keys: readonly number[]): Pick<RecentRecords, 'keys' | 'columns'> {
  return { keys, columns: (rows) => ({ recent: ranksOf(keys, rows) }) }
}

/** Ranks from 1. */
function ranksOf(keys: readonly number[], rows: CandidateRows): Float64Array {
  const column = new Float64Array(rows.keys.length)
  for (const [i, key] of keys.entries()) column[rows.rowOf(key)] = i + 1
  return column
}

/**
 * The newest `most` records of each part. Without a depth of the policy: until `most` eligible ones are listed. `inside`: the
 * records to list, newest first; null: those of the scope.
 */
function newestOf(
  { store, plan, scope, parts }: Question,
  inside: readonly number[] | null,
  all: number,
  most: number,
) {
  const { filtered, files } = parts
  const isDeep = depthOf(plan, 'recent') === Number.POSITIVE_INFINITY
  // With a files filter, any number of the newest records may be outside it.
  const limit = files === null ? Math.min(all, most + filtered.size) : all
  const newest = inside ?? (scope === null ? store.recent(limit) : newestFirst(store, scope.keys, limit))
  const counts = { eligible: 0, outside: 0, filtered: 0 }
  const partOf = (key: number) =>
    filtered.has(key) ? 'filtered' : files === null || files.has(key) ? 'eligible' : 'outside'
  const keys: number[] = []
  for (const key of newest) {
    const part = partOf(key)
    if (isDeep && counts.eligible === most) break
    if (!isDeep && counts[part] === most) continue
    counts[part]++
    keys.push(key)
  }
  return { keys, scanned: newest.length }
}

/** By (updatedAt, id), both descending. */
function newestFirst(store: Question['store'], keys: Uint32Array, limit: number): number[] {
  const updatedAt = store.numbers('updatedAt')
  return selectTop(keys, (key) => updatedAt[key]!, limit, store.idOf).sort(
    (a, b) => updatedAt[b]! - updatedAt[a]! || compareCodePoints(store.idOf(b), store.idOf(a)),
  )
}
