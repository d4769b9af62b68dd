/** The terms and paths channels: exact look-ups of what the query names. */
import type { ChannelPlan } from '../../src/core/model/result.ts'
import type { Members } from '../store/port.ts'
import { type ClosedKeys, selectTopOfEach } from './closed-keys.ts'

export interface ReferenceHits {
  readonly strengths: ReadonlyMap<number, number>
  readonly plan: ChannelPlan
}

export function gatherReferences(
  named: readonly string[],
  lookUp: (named: readonly string[]) => ReadonlyMap<number, number>,
  depth: number,
  members: Members | null,
  closed: ClosedKeys,
  idOf: (key: number) => string,
): ReferenceHits {
  if (named.length === 0)
    return {
      strengths: new Map(),
      plan: { ran: false, why: 'the query names none', scanned: 0, matched: 0, complete: true },
    }
  const found = lookUp(named)
  const matching = [...found.keys()].filter((key) => members === null || isMember(members, key))
  const strengthOf = (key: number) => found.get(key) ?? 0
  const kept = selectTopOfEach(matching, closed, strengthOf, depth, idOf)
  return {
    strengths: new Map(kept.map((key) => [key, strengthOf(key)])),
    plan: {
      ran: true,
      mode: 'exact',
      scanned: found.size,
      matched: matching.length,
      complete: kept.length === matching.length,
    },
  }
}

function isMember({ bits }: Members, key: number): boolean {
  return (((bits[key >> 5] ?? 0) >>> (key & 31)) & 1) === 1
}
