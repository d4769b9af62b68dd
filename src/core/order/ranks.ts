/**
 * Computes the rank from 1 of each selected record in each channel that found it. Records of equal score have equal ranks,
 * unless the policy fuses by rank, which gives each record a rank of its own.
 * Vector ranks use exact cosines, so rows whose bounds contain the cosine of a selected row are read first. To keep that cheap,
 * vector ranks end at a fixed depth, whatever the limit [S4].
 */

import { kthLargest } from '../collections/select-top.ts'
import type { Facts } from '../model/facts.ts'
import { type Hit, type PullChannel, pullChannels } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { channelScores, channelsOf } from './channels.ts'
import type { Ranked } from './order.ts'

/** Rows that need exact cosines before the ranks of the selected rows are certain. */
export function rowsForRanks(facts: Facts, selected: readonly Ranked[]): readonly number[] {
  const { cosineLow, cosineHigh, length } = facts.candidates
  const least = leastRanked(cosineLow)
  const needed = new Set<number>()
  for (const { row } of selected) {
    const cosine = cosineLow[row]!
    if (!(cosine >= least)) continue
    for (let other = 0; other < length; other++) {
      const low = cosineLow[other]!
      const high = cosineHigh[other]!
      if (low !== high && low <= cosine && high >= cosine) needed.add(other)
    }
  }
  return [...needed]
}

export function ranksOf(facts: Facts, selected: readonly Ranked[]): readonly Hit['ranks'][] {
  // Most queries use two or three of the channels.
  const ran = pullChannels.filter((channel) => facts.channels[channel].ran)
  const scores = new Map(ran.map((channel) => [channel, channelScores(facts.candidates, channel)]))
  const least = leastRanked(facts.candidates.cosineLow)
  return selected.map(({ row }) => {
    const ranks: Partial<Record<PullChannel, number>> = {}
    for (const channel of channelsOf(facts.candidates, row)) {
      const own = scores.get(channel)
      if (own === undefined) continue
      if (channel !== 'vector' || own[row]! >= least) ranks[channel] = rankIn(own, own[row]!)
    }
    return ranks
  })
}

/** The cosine of the last reported rank; −Infinity if all ranks are reported. */
function leastRanked(cosineLow: Float64Array): number {
  const known = cosineLow.map((cosine) => (Number.isNaN(cosine) ? Number.NEGATIVE_INFINITY : cosine))
  return kthLargest(known, tuning.vectorRankDepth)
}

function rankIn(scores: Float64Array, score: number): number {
  let better = 0
  for (let row = 0; row < scores.length; row++) if (scores[row]! > score) better++
  return better + 1
}
