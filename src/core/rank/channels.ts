/** Which channels brought a candidate, read from its facts. */
import type { CandidateTable } from '../fusion/facts.ts'
import { type Channel, channels } from '../model/result.ts'

/** The channel's own score of a candidate: larger is better, 0 or NaN where the channel did not find it. */
export function channelScore(candidates: CandidateTable, channel: Channel, row: number): number {
  if (channel === 'lexical') return candidates.lexical[row] as number
  if (channel === 'terms') return candidates.terms[row] as number
  if (channel === 'paths') return candidates.paths[row] as number
  if (channel === 'recent') return candidates.recent[row] === 0 ? 0 : 1 / (candidates.recent[row] as number)
  return candidates.cosineLow[row] as number
}

/** In channel order. A record with a vector counts as found by the vector channel: the scan looked at it. */
export function channelsOf(candidates: CandidateTable, row: number): readonly Channel[] {
  return channels.filter((channel) => {
    const score = channelScore(candidates, channel, row)
    return channel === 'vector' ? !Number.isNaN(score) : score > 0
  })
}
