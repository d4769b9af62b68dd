/** The lexical channel: posting lists of the query's terms, scored by BM25 over the scope's own statistics. */
import type { LexicalFacts } from '../../src/core/fusion/facts.ts'
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { QueryPlan } from '../../src/core/query/plan-query.ts'
import type { Ports } from '../ports.ts'
import type { Members } from '../store/port.ts'
import { type ClosedKeys, selectTopOfEach } from './closed-keys.ts'

export interface LexicalHits {
  readonly keys: readonly number[]
  readonly score: (key: number) => number
  readonly coverage: (key: number) => number
  readonly matched: (key: number) => number
  readonly facts: LexicalFacts | null
  readonly plan: ChannelPlan
}

export function gatherLexical(
  plan: QueryPlan,
  { store, scorer }: Ports,
  members: Members | null,
  closed: ClosedKeys,
): LexicalHits {
  if (plan.terms.length === 0) return withoutHits(plan)
  const postings = store.postings(plan.terms.map((term) => term.phrase))
  const { records, tokens } = store.statistics(members)
  const scores = scorer.score(
    plan.terms.map((term, i) => ({ weight: term.weight, ...(postings[i] as (typeof postings)[number]) })),
    { records, tokens, lengths: store.lengths(), bits: members?.bits ?? null },
    plan.policy.lexical,
  )
  const matched = scores.keys.length
  const keys = selectTopOfEach(scores.keys, closed, scores.score, plan.policy.depths.lexical, store.idOf)
  return {
    keys,
    score: scores.score,
    coverage: scores.coverage,
    matched: scores.matched,
    facts: {
      mean: scores.mean,
      deviation: scores.deviation,
      best: scores.best,
      meanLength: records === 0 ? 0 : tokens / records,
    },
    plan: { ran: true, mode: 'exact', scanned: scores.scanned, matched, complete: keys.length === matched },
  }
}

function withoutHits(plan: QueryPlan): LexicalHits {
  const why = (plan.query.text ?? '') === '' ? 'the query has no text' : 'the text holds no word'
  return {
    keys: [],
    score: () => 0,
    coverage: () => 0,
    matched: () => 0,
    facts: null,
    plan: { ran: false, why, scanned: 0, matched: 0, complete: true },
  }
}
