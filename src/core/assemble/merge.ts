/**
 * Merges pulled and surfaced records into one list: pulled ones first, each record once, no source above its quota, at most
 * `maxItems` records (docs/spec/contexts.md#context-packages).
 */

export interface Merged<Entry> {
  /** In the order of the package. */
  readonly entries: readonly Entry[]
  /** Indexes into `entries` in the order in which they get tokens: those with a reserved place come right after the first. */
  readonly order: readonly number[]
  /** Entries beyond `maxItems`. */
  readonly beyond: readonly Entry[]
  /** Skipped entries, with reasons. */
  readonly skipped: readonly { readonly entry: Entry; readonly reason: string }[]
}

/** Counts an entry and returns null, or returns why it must not be selected. */
type Admit<Entry> = (entry: Entry) => string | null

/**
 * `reserve`: how many of the last places are reserved for surfaced records, if there are as many. `startQuota` starts a new
 * count; pulled records are already within the quota.
 */
export function merge<Entry extends { readonly id: string }>(
  pulled: readonly Entry[],
  pushed: readonly Entry[],
  maxItems: number,
  reserve: number,
  startQuota: () => Admit<Entry> = () => () => null,
): Merged<Entry> {
  const known = new Set(pulled.map(({ id }) => id))
  const surfaced = pushed.filter(({ id }) => !known.has(id))
  let reserved = Math.min(reserve, surfaced.length, maxItems)
  let mixed = mix(pulled, surfaced, maxItems, reserved, startQuota())
  // Reserves only as many places as are used. The more records are pulled, the fewer surfaced ones the quota admits.
  while (mixed.admitted < reserved) {
    reserved = mixed.admitted
    mixed = mix(pulled, surfaced, maxItems, reserved, startQuota())
  }
  const { entries, first, beyond, skipped } = mixed
  const indexes = entries.map((_, i) => i)
  const kept = indexes.slice(first, first + reserved)
  const order = [...indexes.slice(0, 1), ...kept, ...indexes.slice(1)].filter((i, at, list) => list.indexOf(i) === at)
  return { entries, order, beyond, skipped }
}

function mix<Entry>(
  pulled: readonly Entry[],
  surfaced: readonly Entry[],
  maxItems: number,
  reserved: number,
  admit: Admit<Entry>,
) {
  const entries = pulled.slice(0, maxItems - reserved)
  const first = entries.length
  for (const entry of entries) admit(entry)
  const beyond: Entry[] = []
  const skipped: { readonly entry: Entry; readonly reason: string }[] = []
  for (const entry of surfaced) {
    const reason = entries.length < maxItems ? admit(entry) : null
    if (reason !== null) skipped.push({ entry, reason })
    else if (entries.length < maxItems) entries.push(entry)
    else beyond.push(entry)
  }
  return { entries, first, admitted: entries.length - first, beyond: [...beyond, ...pulled.slice(first)], skipped }
}
