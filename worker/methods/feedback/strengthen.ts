/** strengthen: raises the weight of the link between two records; creates the link if needed. */
import { strengthenedWeight } from '../../../src/core/learning/co-occurrence.ts'
import type { LinkReceipt } from '../../../src/core/model/learned.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { learn } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'
import { changeWeight, keysOfPair } from './pair.ts'

export interface StrengthenRequest {
  readonly a: string
  readonly b: string
  /** Default 0.05. */
  readonly delta?: number | undefined
}

export async function strengthen(ports: Ports, { a, b, delta }: StrengthenRequest, now: number): Promise<LinkReceipt> {
  const pair = keysOfPair(ports.store, a, b)
  strengthenedWeight(undefined, delta)
  return learn(ports, now, (changes) =>
    changeWeight(changes, pair, (current) =>
      strengthenedWeight(current, delta) === current
        ? current
        : changes.strengthenLink(...pair.keys, delta ?? tuning.linkStrengthening),
    ),
  )
}
