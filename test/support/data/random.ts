/** A small seeded generator (mulberry32), so that every random test replays from its seed. */

export interface Random {
  /** 0 ≤ x < 1. */
  next(): number
  /** 0 ≤ i < n. */
  below(n: number): number
  pick<T>(list: readonly T[]): T
  shuffled<T>(list: readonly T[]): T[]
  /** A unit vector. */
  vector(dimensions: number): Float32Array
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    next,
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    shuffled(list) {
      const copy = [...list]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = below(i + 1)
        const held = copy[i] as (typeof copy)[number]
        copy[i] = copy[j] as (typeof copy)[number]
        copy[j] = held
      }
      return copy
    },
    vector(dimensions) {
      const vector = Float32Array.from({ length: dimensions }, () => next() + next() + next() - 1.5)
      const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
      return vector.map((x) => x / norm)
    },
  }
}
