/**
 * Authority at put: a record's tier by its profile, its bank or its caller; one that is `derived_from` others never stands
 * above the lowest of theirs (law A2), as they stand when it is put.
 */
import { combineTiers, tierOf } from '../../src/core/ingest/authority-tier.ts'
import { type ParsedRecord, withTier } from '../../src/core/ingest/parse-record.ts'
import type { Ports } from '../ports.ts'
import type { Parsed } from './prepare.ts'

export function assignTiers(parsed: readonly Parsed[], { store, authority }: Ports): readonly Parsed[] {
  const inBatch = new Map<string, string | null>()
  const tierOfSource = (id: string) => {
    const tier = inBatch.get(id)
    return tier === undefined ? (store.get([id])[0]?.authorityTier ?? null) : tier
  }
  return parsed.map((entry) => {
    if ('rejected' in entry) return entry
    const own = authority === null ? entry.authorityTier : tierOf(entry, authority)
    const sources = sourcesOf(entry)
    const lowest = [...sources.map(tierOfSource), ...(own === null ? [] : [own])]
    const tier = sources.length === 0 ? own : combineTiers(lowest, authority ?? {})
    inBatch.set(entry.id, tier)
    return tier === entry.authorityTier ? entry : withTier(entry, tier)
  })
}

function sourcesOf({ relations }: ParsedRecord): readonly string[] {
  return relations.filter(({ kind }) => kind === 'derived_from').map(({ target }) => target)
}
