/** Selects the best of estimated records, and restricts keys to a scope. */

/** The best `depth` records by estimate, then by key, and the ceiling of the others. */
export function bestOf(
  keys: Uint32Array,
  estimates: Float64Array,
  margins: Float64Array,
  depth: number,
  lateCeiling: number,
) {
  const order = Array.from(keys, (_, place) => place).sort(
    (a, b) => estimates[b]! - estimates[a]! || keys[a]! - keys[b]!,
  )
  const ceiling = order
    .slice(depth)
    .reduce((most, place) => Math.max(most, estimates[place]! + margins[place]!), lateCeiling)
  const best = order.slice(0, depth)
  return {
    keys: Uint32Array.from(best, (place) => keys[place]!),
    estimates: Float64Array.from(best, (place) => estimates[place]!),
    margins: Float64Array.from(best, (place) => margins[place]!),
    tied: new Uint32Array(),
    tiedEstimate: Number.NEGATIVE_INFINITY,
    tiedMargin: 0,
    ceiling,
  }
}

export function spreadOf(estimates: Float64Array): { readonly mean: number; readonly deviation: number } {
  if (estimates.length === 0) return { mean: 0, deviation: 0 }
  const mean = estimates.reduce((sum, estimate) => sum + estimate, 0) / estimates.length
  const squares = estimates.reduce((sum, estimate) => sum + (estimate - mean) * (estimate - mean), 0)
  return { mean, deviation: Math.sqrt(squares / estimates.length) }
}

export function restrict(keys: Uint32Array, scopeKeys: Uint32Array | null): Uint32Array {
  return scopeKeys === null ? keys : keys.filter((key) => includes(scopeKeys, key))
}

/** Binary search in ascending keys. */
export function includes(ascending: Uint32Array, key: number): boolean {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < key) low = middle + 1
    else high = middle
  }
  return ascending[low] === key
}
