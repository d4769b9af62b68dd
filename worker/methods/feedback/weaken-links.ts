/** weakenLinks: lowers the weights of all links of the store, and removes the weakest. */
import { weakenedWeight } from '../../../src/core/learning/co-occurrence.ts'
import type { WeakenReceipt } from '../../../src/core/model/learned.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { learn } from '../common/learn.ts'
import type { Ports } from '../common/ports.ts'

export async function weakenLinks(
  ports: Ports,
  factor: number = tuning.linkWeakening,
  now: number,
): Promise<WeakenReceipt> {
  weakenedWeight(1, factor)
  return learn(ports, now, (changes) => {
    const { weakened, pruned } = changes.weakenLinks(factor)
    if (weakened + pruned > 0) changes.log('weaken', '', { factor, weakened, pruned })
    return { weakened, pruned }
  })
}
