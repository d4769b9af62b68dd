/**
 * How much of the record's event time lies in a time that the query names: a bonus, never a filter. The time counts like a word: the fewer
 * records are of it, and the commoner the words of the query are, the more it adds.
 */
import type { ConvexPolicy } from '../model/policy.ts'
import type { Facts } from '../model/facts.ts'
import { log } from '../number/log.ts'
import type { Signal } from './signal.ts'

export const time: Signal = {
  name: 'time',
  value: ({ candidates }, row) => candidates.time?.share[row] ?? 0,
  weight: ({ candidates, facts, policy }) => (candidates.time === undefined ? 0 : timeWeight(policy, facts)),
  reason(_value, { candidates, times }, row) {
    const window = times[candidates.time!.window[row]!]!
    return `${window.text}: ${window.words}`
  },
}

/** Of a record that is of the time entirely. In a listing the weight is that of the policy: there are no words. */
export function timeWeight(
  { fusion, lexical: { k1 } }: ConvexPolicy,
  facts: Pick<Facts, 'ofTimes' | 'scopeRecords' | 'lexical' | 'channels'>,
): number {
  const { time: least = 0 } = fusion
  if (facts.channels.times === undefined || !tellsApart(facts)) return least
  const { ofTimes, scopeRecords, lexical } = facts
  const idf = log(1 + (scopeRecords - ofTimes + 0.5) / (ofTimes + 0.5))
  const asWord = (idf * (k1 + 1)) / Math.max(lexical?.highest ?? 0, lowestBm25)
  return least * Math.min(mostTimes, Math.max(1, timesOfWord * asWord))
}

/** Whether the times that the query names tell records apart by their dates. */
export function tellsApart<Of extends Pick<Facts, 'ofTimes' | 'scopeRecords'>>(
  facts: Of,
): facts is Of & { ofTimes: number } {
  const { ofTimes = 0, scopeRecords } = facts
  return ofTimes > 0 && ofTimes < scopeRecords
}

const lowestBm25 = 1e-3

/** The weight of a time that is as rare as the words of the query together, and the most, as multiples of the weight of the policy. */
const timesOfWord = 3.5
const mostTimes = 4
