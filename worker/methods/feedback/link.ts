/** link: links two records. */
import { linkWeight } from '../../../src/core/learning/co-occurrence.ts'
import type { LinkReceipt } from '../../../src/core/model/learned.ts'
import { learn } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'
import { changeWeight, keysOfPair } from './pair.ts'

export interface LinkRequest {
  readonly a: string
  readonly b: string
  /** Default: 0.1 for a new link; an existing link keeps its weight. */
  readonly weight?: number | undefined
}

export async function link(ports: Ports, { a, b, weight }: LinkRequest, now: number): Promise<LinkReceipt> {
  const pair = keysOfPair(ports.store, a, b)
  // Validates the weight before the transaction.
  linkWeight(undefined, weight)
  return learn(ports, now, (changes) =>
    changeWeight(changes, pair, (current) => {
      const target = linkWeight(current, weight)
      return target === current ? target : changes.setLink(...pair.keys, target)
    }),
  )
}
