/** Channels of a candidate, read from its facts. */
import type { CandidateTable } from '../model/facts.ts'
import { type PullChannel, pullChannels } from '../model/result.ts'

/** The channel's own scores by row: larger is better; 0, or NaN for the vector channel, where it did not find the row. */
export function channelScores(candidates: CandidateTable, channel: PullChannel): Float64Array {
  if (channel === 'vector') return candidates.cosineLow
  if (channel === 'recent') return candidates.recent.map((rank) => (rank === 0 ? 0 : 1 / rank))
  return candidates[channel]
}

/** In channel order. A record with a vector counts as found by the vector channel: the scan looked at it. */
export function channelsOf(candidates: CandidateTable, row: number): readonly PullChannel[] {
  return pullChannels.filter((channel) => {
    if (channel === 'vector') return !Number.isNaN(candidates.cosineLow[row])
    return candidates[channel][row]! > 0
  })
}
