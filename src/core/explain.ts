/**
 * Explains the way of one record through a finished decision. Reads what deciding computed and decides nothing itself.
 */
import type { Decision, Loss } from './decide.ts'
import type { ExplainedStage, ExplainedStep, Explanation } from './model/explanation.ts'
import type { Facts } from './model/facts.ts'
import type { QueryPlan } from './model/query-plan.ts'
import { type PullChannel, pullChannels } from './model/result.ts'
import { channelScores, channelsOf } from './order/channels.ts'
import type { Selection } from './select/select.ts'

/** What only the store knows about the record. */
export interface RecordPosition {
  readonly stored: boolean
  /** The scope fields that the record does not match; empty inside the scope. */
  readonly outside: readonly string[]
  /** Why a gate excludes the record from this query; null if no gate does. */
  readonly gate: string | null
  /** Row among the candidates; null if no channel found the record. */
  readonly row: number | null
  /** For a record that no channel found: its ranks over the whole scope, and its cosine. */
  readonly ranks: Partial<Record<PullChannel, number>>
  readonly cosine: number | null
}

export function explain(
  id: string,
  plan: QueryPlan,
  facts: Facts,
  decision: Omit<Decision, 'ledger'>,
  selection: Selection,
  where: RecordPosition,
  /** The ledger entry of the record; undefined for a hit, and for a record that is not a candidate. */
  dropped: Loss | undefined,
): Explanation {
  const place = decision.hits.findIndex((hit) => hit.id === id)
  const steps = stepsOf(plan, facts, decision, where, dropped, place)
  const last = steps.at(-1)!
  const scored = where.row !== null && selection.scoring.bounds.low[where.row] !== Number.NEGATIVE_INFINITY
  return {
    id,
    selected: place !== -1,
    stage: last.passed ? null : last.stage,
    reason: last.detail,
    steps,
    place: place === -1 ? null : place + 1,
    score: decision.hits[place]?.score ?? (scored ? selection.scoring.bounds.low[where.row]! : null),
    leastScore: decision.hits.at(-1)?.score ?? null,
    contributions: decision.hits[place]?.contributions ?? (scored ? selection.scoring.contributions(where.row) : []),
    ranks:
      where.row === null ? where.ranks : { ...ranksOfRow(facts, where.row), ...selection.scoring.ranks?.(where.row) },
    cosine: where.row === null ? where.cosine : exactOrNull(facts.candidates.cosineLow[where.row]!),
    hit: decision.hits[place] ?? null,
    evidence: decision.evidence,
  }
}

function stepsOf(
  plan: QueryPlan,
  facts: Facts,
  decision: Pick<Decision, 'hits'>,
  where: RecordPosition,
  dropped: Loss | undefined,
  place: number,
): readonly ExplainedStep[] {
  const steps: ExplainedStep[] = []
  /** Adds a step. Returns `passed`: false ends the explanation. */
  const pass = (stage: ExplainedStage, passed: boolean, detail: string) => {
    steps.push({ stage, passed, detail })
    return passed
  }
  if (!pass('stored', where.stored, where.stored ? 'is stored' : 'is not stored')) return steps
  const inside = where.outside.length === 0
  const scope = inside ? `inside the scope of ${facts.scopeRecords}` : `outside the scope: ${where.outside.join(', ')}`
  if (!pass('scope', inside, scope)) return steps
  if (!pass('gate', where.gate === null, where.gate ?? 'no gate closes')) return steps
  if (where.row === null) {
    pass('found', false, notFound(plan, facts, where))
    return steps
  }
  pass('found', true, foundBy(facts, where.row))
  for (const stage of later) {
    if (dropped?.stage === stage) {
      pass(stage, false, lostTo(dropped, decision))
      return steps
    }
    pass(stage, true, stage === 'evidence' ? enoughWords(decision) : passedWords[stage])
  }
  steps.push({ stage: 'limit', passed: true, detail: `selected in place ${place + 1} of ${decision.hits.length}` })
  return steps
}

const later = ['candidates', 'evidence', 'collapse', 'quota', 'threshold', 'limit'] as const

const passedWords: Readonly<Record<Exclude<(typeof later)[number], 'evidence'>, string>> = {
  candidates: 'among the candidates of the policy',
  collapse: 'not folded into another',
  quota: 'no quota of its source is full',
  threshold: 'above the least score',
  limit: 'within the limit',
}

function enoughWords({ hits }: Pick<Decision, 'hits'>): string {
  return hits.length > 0 ? 'the evidence is enough' : 'nothing was selected, so there is no evidence to judge'
}

function lostTo({ stage, reason }: Loss, { hits }: Pick<Decision, 'hits'>): string {
  const least = hits.at(-1)
  return stage === 'limit' && least !== undefined ? `${reason}: the last hit scores ${least.score.toFixed(3)}` : reason
}

function foundBy({ candidates, channels: plans }: Facts, row: number): string {
  const found = channelsOf(candidates, row).filter((channel) => plans[channel].ran)
  return found.length === 0 ? 'came up in a source of the policy' : `came up in ${found.join(', ')}`
}

function notFound(
  { policy, terms, query }: QueryPlan,
  { channels: plans }: Facts,
  { ranks, cosine }: RecordPosition,
): string {
  const parts = pullChannels.flatMap((channel): string[] => {
    const plan = plans[channel]
    if (!plan.ran) return channel === 'lexical' || channel === 'vector' ? [`${channel} did not run: ${plan.why}`] : []
    const rank = ranks[channel]
    if (rank !== undefined) {
      if (query.matching === 'only' && channel === 'vector')
        return [`vector rank ${rank}, and the query asks for matches of its words alone`]
      const depth = policy.depths[channel]
      const isMissed = plan.mode === 'hnsw' && rank <= depth
      return [`${channel} rank ${rank}, ${isMissed ? 'not proposed by the HNSW index' : `beyond depth ${depth}`}`]
    }
    if (channel === 'lexical' && terms.length > 0) return ['no shared term']
    return channel === 'vector' && cosine === null ? ['no vector'] : []
  })
  return `no channel found it: ${[...parts, ...(cosine === null ? [] : [`cosine ${cosine.toFixed(2)}`])].join('; ')}`
}

/** Rank among the candidates in each channel that found the row. Certain after the cosines near it were read. */
function ranksOfRow({ candidates, channels: plans }: Facts, row: number): Explanation['ranks'] {
  const ranks: Partial<Record<PullChannel, number>> = {}
  for (const channel of channelsOf(candidates, row)) {
    if (!plans[channel].ran) continue
    const scores = channelScores(candidates, channel)
    let better = 0
    for (let other = 0; other < scores.length; other++) {
      if (scores[other]! > scores[row]!) better++
    }
    ranks[channel] = better + 1
  }
  return ranks
}

function exactOrNull(cosine: number): number | null {
  return Number.isNaN(cosine) ? null : cosine
}
