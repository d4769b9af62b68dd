/**
 * Computes the effective authority tier of a record [A2]: the lowest of its own tier and of the tiers of all records that it is
 * `derived_from`, directly or through others. Rows store only a record's own tier. An effective tier is computed when the record is
 * read, and cached until a commit changes a record that it depends on.
 *
 * A source that is not stored has no tier. Nor has a record that derives from itself, directly or through others. So the same
 * records have the same tiers, in whatever order they were written.
 */
import { lowestTier } from '../../../src/core/ingest/authority-tier.ts'
import type { ResolvedAuthority } from '../../../src/core/model/authority.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import { childBits } from '../rows/read-records.ts'

export interface AuthorityTiers {
  /** The record with its effective tier. */
  effective(record: StoredRecord): StoredRecord
  /** To be called after a commit that changed or removed these records. */
  applied(changed: readonly string[]): void
  clear(): void
  bytes(): number
}

/** A record on the path from the requested record to its sources. */
interface Step {
  readonly id: string
  readonly sources: readonly string[]
  next: number
  tier: string | null
}

/** Approximate bytes of a cached tier or dependant: two map entries and an id. */
const bytesPerEntry = 150

export function createAuthorityTiers(database: Database, authority: ResolvedAuthority | null): AuthorityTiers {
  const highestFirst = authority?.tiers.map(({ id }) => id) ?? []
  const tiers = new Map<string, string | null>()
  /** By source: the records whose cached tier depends on it. */
  const dependants = new Map<string, Set<string>>()
  let links = 0

  const open = (id: string): Step => {
    const own = first(database, ownSql, [id], (row) => ({
      key: row.number(0),
      tier: row.textOrNull(1),
      isDerived: (row.number(2) & childBits.relations) !== 0,
    }))
    if (own === undefined || own.tier === null) return { id, sources: [], next: 0, tier: null }
    const sources = own.isDerived ? all(database, sourcesSql, [own.key], (row) => row.text(0)) : []
    for (const source of sources) depend(source, id)
    return { id, sources, next: 0, tier: own.tier }
  }

  const depend = (source: string, id: string) => {
    const cached = dependants.get(source)
    if (cached === undefined) dependants.set(source, new Set([id]))
    else cached.add(id)
    links++
  }

  /** Iterative, because a chain of records can be as long as the store. */
  const tierOf = (id: string): string | null => {
    const path = [open(id)]
    const onPath = new Set([id])
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const source = step.tier === null ? undefined : step.sources[step.next]
      if (source === undefined) {
        tiers.set(step.id, step.tier)
        onPath.delete(step.id)
        path.pop()
        continue
      }
      const cached = tiers.get(source)
      if (cached !== undefined) {
        step.tier = lowestTier([step.tier, cached], highestFirst)
        step.next++
      } else if (onPath.has(source)) step.tier = null
      else {
        path.push(open(source))
        onPath.add(source)
      }
    }
    return tiers.get(id) ?? null
  }

  return {
    effective(record) {
      if (record.authorityTier === null || !record.relations.some(isDerivation)) return record
      const cached = tiers.get(record.id)
      const authorityTier = cached === undefined ? tierOf(record.id) : cached
      return authorityTier === record.authorityTier ? record : { ...record, authorityTier }
    },
    applied(changed) {
      if (tiers.size === 0) return
      const waiting = [...changed]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        tiers.delete(id)
        const cached = dependants.get(id)
        if (cached === undefined) continue
        dependants.delete(id)
        links -= cached.size
        waiting.push(...cached)
      }
    },
    clear() {
      tiers.clear()
      dependants.clear()
      links = 0
    },
    bytes: () => (tiers.size + links) * bytesPerEntry,
  }
}

function isDerivation({ kind }: StoredRecord['relations'][number]): boolean {
  return kind === 'derived_from'
}

const ownSql = `SELECT key, authority_tier, children FROM records WHERE id = ?`
const sourcesSql = `SELECT DISTINCT target FROM relations WHERE key = ? AND kind = 'derived_from' ORDER BY target`
