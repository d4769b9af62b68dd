/** Names the tenants, makes up their records and queries, and says which tenant is asked how often. */
import type { Random } from '../support/data/random.ts'
import { options } from './options.ts'

export const [smallRecords, largeRecords] = [20, 1_000]
export const space = { name: 'random', dimensions: 384 }

export interface Tenant {
  readonly name: string
  readonly records: number
}

export const tenants: readonly Tenant[] = [
  ...Array.from({ length: options.large }, (_, i) => ({ name: `large-${i}`, records: largeRecords })),
  ...Array.from({ length: options.small }, (_, i) => ({ name: `small-${i}`, records: smallRecords })),
]

const words = Array.from({ length: 4_000 }, (_, i) => `${syllable(i)}${syllable(i * 7 + 3)}${i % 10}`)

export function recordOf(random: Random, id: string) {
  const body = Array.from({ length: 24 }, () => words[Math.floor((random.below(1e6) / 1e6) ** 2 * words.length)])
  return {
    id,
    body: body.join(' '),
    tags: [`t${random.below(20)}`],
    project: `p${random.below(7)}`,
    vectors: random.vector(space.dimensions),
  }
}

export function queryOf(random: Random) {
  const text = [0, 1, 2].map(() => words[random.below(words.length / 4)]).join(' ')
  return { text, vector: random.vector(space.dimensions) }
}

/** Chooses a tenant by its place in the order, by Zipf's law with exponent 1.1. */
export function zipf(order: readonly number[]): (random: Random) => number {
  const sums: number[] = []
  for (let i = 0; i < order.length; i++) sums.push((sums[i - 1] ?? 0) + (i + 1) ** -1.1)
  return (random) => {
    const at = (random.below(1e9) / 1e9) * sums.at(-1)!
    const found = sums.findIndex((sum) => sum >= at)
    return order[found < 0 ? order.length - 1 : found]!
  }
}

function syllable(i: number): string {
  return `${'bdfgklmnprst'[i % 12]}${'aeiou'[Math.floor(i / 12) % 5]}${'lmnrs'[Math.floor(i / 60) % 5]}`
}
