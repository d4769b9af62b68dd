/** Weighted reciprocal rank fusion over channels, Σ weight / (offset + rank), for custom policies. */

import type { FactNeeds } from '../model/fact-needs.ts'
import type { Facts, Need } from '../model/facts.ts'
import type { RankPolicy } from '../model/policy.ts'
import { type Contribution, type PullChannel, pullChannels } from '../model/result.ts'
import { scoreBounds } from '../order/bounds.ts'
import { channelScores } from '../order/channels.ts'
import { readTopCosines, vectorRanks } from '../order/exact-top.ts'
import { newestOf, rankRows } from '../order/row-order.ts'
import type { Scoring } from './scoring.ts'

export const ranksNeeds: Partial<FactNeeds> = { timeOrder: true }

export function* scoreByRanks(policy: RankPolicy, facts: Facts, eligible: Int32Array): Generator<Need, Scoring, void> {
  const { candidates } = facts
  const { offset, weights } = policy.fusion
  const depth = policy.depths.vector
  const used = pullChannels.filter((channel) => (weights[channel] ?? 0) > 0 && facts.channels[channel].ran)
  if (used.includes('vector')) yield* readTopCosines(facts, eligible, depth)
  const newest = newestOf(eligible, candidates)
  const ranks = new Map<PullChannel, Int32Array>(
    used.map((channel) => [
      channel,
      channel === 'vector' ? vectorRanks(facts, newest, depth) : rankRows(newest, channelScores(candidates, channel)),
    ]),
  )
  const ranksIn = (row: number) =>
    used.flatMap((channel): (readonly [PullChannel, number])[] => {
      const rank = ranks.get(channel)?.[row] ?? 0
      return rank === 0 ? [] : [[channel, rank]]
    })
  const contributions = (row: number): readonly Contribution[] =>
    ranksIn(row).map(([channel, rank]) => {
      const value = 1 / (offset + rank)
      const weight = weights[channel]!
      return { signal: channel, value, weight, amount: value * weight, reason: `rank ${rank} in ${channel}` }
    })
  return {
    bounds: scoreBounds(candidates, eligible, (row) => contributions(row).reduce((sum, { amount }) => sum + amount, 0)),
    cut: [],
    contributions,
    ranks: (row) => Object.fromEntries(ranksIn(row)),
  }
}
