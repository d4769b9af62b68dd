/**
 * Authority at put: a record's tier by its profile, its bank or its caller; one that is `derived_from` others never stands
 * above the lowest of theirs (law A2), as they stand when it is put.
 */
import { combineTiers, tierOf } from '../../src/core/ingest/authority-tier.ts'
import { type ParsedRecord, withTier } from '../../src/core/ingest/parse-record.ts'
import { isFiltered, type Prepared } from '../../src/core/ingest/plan-write.ts'
import type { Ports } from '../ports.ts'

/** Takes records as far as they are settled: one that is rejected or filtered will not be stored, and gives no tier. */
export function assignTiers(prepared: readonly Prepared[], { store, authority }: Ports): readonly Prepared[] {
  const inBatch = new Map<string, string | null>()
  const tierOfSource = (id: string) => {
    const tier = inBatch.get(id)
    return tier === undefined ? (store.get([id])[0]?.authorityTier ?? null) : tier
  }
  return prepared.map((entry) => {
    if ('rejected' in entry) return entry
    const { record } = entry
    const own = authority === null ? record.authorityTier : tierOf(record, authority)
    const sources = sourcesOf(record)
    const lowest = [...sources.map(tierOfSource), ...(own === null ? [] : [own])]
    const tier = sources.length === 0 ? own : combineTiers(lowest, authority ?? {})
    if (!isFiltered(record)) inBatch.set(record.id, tier)
    return tier === record.authorityTier ? entry : { ...entry, record: withTier(record, tier) }
  })
}

function sourcesOf({ relations }: ParsedRecord): readonly string[] {
  return relations.filter(({ kind }) => kind === 'derived_from').map(({ target }) => target)
}
