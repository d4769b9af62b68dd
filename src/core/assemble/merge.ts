/**
 * What the question brought and what surfaced unasked, as one list: pulled records first, each record once, the first
 * `maxItems` of them going on (SPEC §10).
 */

export interface Merged<Entry> {
  /** In the order of the answer. */
  readonly entries: readonly Entry[]
  /** Indexes into `entries`, in the order in which they are given room: those with a reserved place right after the first. */
  readonly order: readonly number[]
  /** What lost its place to `maxItems`. */
  readonly beyond: readonly Entry[]
}

/** `reserve`: places of the last ones kept for pushed records, as many of them as there are. */
export function merge<Entry extends { readonly id: string }>(
  pulled: readonly Entry[],
  pushed: readonly Entry[],
  maxItems: number,
  reserve: number,
): Merged<Entry> {
  const known = new Set(pulled.map(({ id }) => id))
  const surfaced = pushed.filter(({ id }) => !known.has(id))
  const reserved = Math.min(reserve, surfaced.length, maxItems)
  const first = pulled.slice(0, maxItems - reserved)
  const all = [...first, ...surfaced, ...pulled.slice(maxItems - reserved)]
  const entries = all.slice(0, maxItems)
  const indexes = entries.map((_, i) => i)
  const kept = indexes.slice(first.length, first.length + reserved)
  const order = [...indexes.slice(0, 1), ...kept, ...indexes.slice(1)].filter((i, at, list) => list.indexOf(i) === at)
  return { entries, order, beyond: all.slice(maxItems) }
}
