/** Stores in which one source has most of the records, and policies that leave nothing out. */
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Random } from '../../support/data/random.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'

export const space = { name: 'eight', dimensions: 8 }
export const shares = [1, 2, 5]

/** A few wordings, copied among a few sources; one source wrote most of them. */
export function flooded(random: Random, count: number): RecordInput[] {
  const vectors = Array.from({ length: 4 }, () => random.vector(8))
  const texts = ['jay acorn', 'the jay acorn', 'jay acorn winter', 'jay acorns in winter', 'jay in src/nest.ts']
  return Array.from({ length: count }, (_, i): RecordInput => {
    const of = random.below(texts.length)
    return {
      id: `${random.pick(['', 'z', '\u{1f426}'])}r${i}`,
      body: random.below(2) === 0 ? `${texts[of]} ${random.below(count)}` : texts[of]!,
      source: random.pick(['mail', 'mail', 'mail', 'web "1"', 'file', null]),
      authorityTier: random.below(5) === 0 ? 'canon' : null,
      createdAt: startOfTime - random.below(3) * 1000,
      updatedAt: startOfTime - random.below(3) * 1000,
      vectors: random.pick([[], vectors[random.below(vectors.length)]!, random.vector(8)]),
    }
  })
}
