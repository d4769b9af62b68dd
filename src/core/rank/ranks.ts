/**
 * The rank of each selected record within each channel that found it, from 1; equal scores share the better rank.
 * Ranks in the vector channel go by exact cosines, so rows whose bounds straddle a selected one are asked for first;
 * they are stated within the first hundred, where they tell something, whatever the limit (law S4).
 */
import type { Facts } from '../fusion/facts.ts'
import type { Channel, Hit } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import type { Ranked } from './order.ts'
import { channelScore, channelsOf } from './channels.ts'

/** Rows that must be read exactly before the ranks of the selected ones are certain. */
export function rowsForRanks(facts: Facts, selected: readonly Ranked[]): readonly number[] {
  const { cosineLow, cosineHigh, length } = facts.candidates
  const needed = new Set<number>()
  for (const { row } of selected) {
    const cosine = cosineLow[row] as number
    if (Number.isNaN(cosine) || bestVectorRank(facts, cosine) > tuning.vectorRankDepth) continue
    for (let other = 0; other < length; other++) {
      const low = cosineLow[other] as number
      const high = cosineHigh[other] as number
      if (low !== high && low <= cosine && high >= cosine) needed.add(other)
    }
  }
  return [...needed]
}

export function ranksOf(facts: Facts, selected: readonly Ranked[]): readonly Hit['ranks'][] {
  return selected.map(({ row }) => {
    const ranks: Partial<Record<Channel, number>> = {}
    for (const channel of channelsOf(facts.candidates, row)) {
      const rank = rankIn(facts, channel, row)
      if (channel !== 'vector' || rank <= tuning.vectorRankDepth) ranks[channel] = rank
    }
    return ranks
  })
}

function rankIn({ candidates }: Facts, channel: Channel, row: number): number {
  const score = channelScore(candidates, channel, row)
  let better = 0
  for (let other = 0; other < candidates.length; other++) {
    if (channelScore(candidates, channel, other) > score) better++
  }
  return better + 1
}

/** The best rank a cosine can have, counting only rows that are surely better. */
function bestVectorRank({ candidates }: Facts, cosine: number): number {
  let better = 0
  for (let row = 0; row < candidates.length; row++) if ((candidates.cosineLow[row] as number) > cosine) better++
  return better + 1
}
