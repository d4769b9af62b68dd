/**
 * A small seeded generator (mulberry32) and the draws that the power-loss trials need: the same seed gives the same
 * trial.
 */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** An integer in [from, to]. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
  }
}
