/**
 * Gathering: carries out a plan against store and index and returns plain facts. It is synchronous, so all facts are of one
 * state of the store. The channels are opened once. A budget chooses which of the records that they find become the candidate table;
 * each candidate gets the values of every channel. Records and exact cosines are read only for the rows that deciding requests.
 */

import type { Facts, Need } from '../../src/core/model/facts.ts'
import type { QueryPlan } from '../../src/core/model/query-plan.ts'
import type { PullChannel } from '../../src/core/model/result.ts'
import { collectFrom, type OpenChannels, openChannels } from './channels/channels.ts'
import { type CandidateBudget, everything, isEverything } from './question/budget.ts'
import type { RetrievalPorts } from './question/ports.ts'
import { readQuestion } from './question/question.ts'
import { tabulate } from './tabulate.ts'
import { type Choice, chooser, everyRecord } from './top-k/choose.ts'
import type { UnseenBounds } from './top-k/proof.ts'

/** The channels of one plan, to be gathered from in one read transaction; a later gathering invalidates an earlier one. */
export interface Search {
  /** As it is carried out. */
  readonly plan: QueryPlan
  within(budget: CandidateBudget): Gathering
}

export interface Gathering {
  /** The plan as it was carried out: without times that do not distinguish records, and with corrected words. */
  readonly plan: QueryPlan
  readonly facts: Facts
  /** Bounds on the records that the budget leaves out; null if it leaves out none. */
  readonly unseen: UnseenBounds | null
  /** Copies of records that were read, which must be candidates with exact scores. */
  lackingCopies(): readonly number[]
  /** Records that replace a read one, and are not candidates. */
  lackingSuccessors(): readonly number[]
  /** Ranks of rows among all records that match a word of the query, from 1; null without a match. */
  lexicalRanks(rows: readonly number[]): readonly (number | null)[]
  /** Reads the records and exact cosines that deciding requests. */
  read(need: Need['need']): void
  /** The ranks, over the whole scope, and the exact cosine of a record that no channel found. */
  inspect(key: number): { readonly ranks: Partial<Record<PullChannel, number>>; readonly cosine: number | null }
}

/** `first`: the budget that is gathered first. */
export function search(given: QueryPlan, ports: RetrievalPorts, first: CandidateBudget): Search {
  const question = readQuestion(given, ports.store)
  const channels = openChannels(question, ports, first)
  const choose = first === everything ? null : chooser(question, channels, ports.rows)
  const { plan } = question
  return {
    plan,
    within(budget) {
      const found = collectFrom(channels, budget)
      const opened = { channels, ports }
      const tabulated = (choice: Choice) => tabulate(question, opened, found, choice)
      const isAll = choose === null || isEverything(budget)
      const choice = isAll ? everyRecord(found, budget.also) : choose(found, budget, tabulated)
      const { rows, facts, reading } = tabulated(choice)
      return {
        plan,
        facts,
        unseen: choice.unseen,
        lackingCopies: reading.lackingCopies,
        lackingSuccessors: reading.lackingSuccessors,
        lexicalRanks: (some) => channels.lexical.ranksOf(some.map((row) => rows.keys[row]!)),
        read: reading.read,
        inspect: (key) => inspect(channels, key),
      }
    },
  }
}

function inspect({ lexical, vector }: OpenChannels, key: number): ReturnType<Gathering['inspect']> {
  const near = vector.plan.ran ? vector.rankOf(key) : null
  const [rank = null] = lexical.ranksOf([key])
  return {
    ranks: { ...(rank === null ? {} : { lexical: rank }), ...(near === null ? {} : { vector: near.rank }) },
    cosine: near?.cosine ?? null,
  }
}
