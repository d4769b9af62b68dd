/** Reads the channel scores of candidates from the facts. */
import type { CandidateTable } from '../model/facts.ts'
import { type PullChannel, pullChannels } from '../model/result.ts'

/** The scores of a channel by row; larger is better. 0 if the channel did not find the row, NaN for the vector channel. */
export function channelScores(candidates: CandidateTable, channel: PullChannel): Float64Array {
  if (channel === 'vector') return candidates.cosineLow
  if (channel === 'recent') return candidates.recent.map((rank) => (rank === 0 ? 0 : 1 / rank))
  return candidates[channel]
}

/** In channel order. The vector channel finds every record with a vector, because the scan compares it. */
export function channelsOf(candidates: CandidateTable, row: number): readonly PullChannel[] {
  return pullChannels.filter((channel) => {
    if (channel === 'vector') return !Number.isNaN(candidates.cosineLow[row])
    return candidates[channel][row]! > 0
  })
}
