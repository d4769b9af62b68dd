/**
 * The tier a record has now [A2]: the lowest of its own and of all records it is `derived_from`, through any number of
 * steps. Rows keep a record's own tier; this table works out the rest when a record is read and remembers it until a commit
 * changes one of the records it depends on.
 *
 * A source that is not stored has no tier. A record that derives from itself, directly or through others, has none either:
 * nothing vouches for it. So the same records give the same tiers, in whatever order they were written.
 */
import { lowestTier } from '../../../src/core/ingest/authority-tier.ts'
import type { ResolvedAuthority } from '../../../src/core/model/authority.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { Landing } from '../export/land-import.ts'
import { childBits } from '../rows/read-records.ts'

export interface AuthorityTiers {
  /** The record with the tier it has now. */
  effective(record: StoredRecord): StoredRecord
  /** After a commit that changed or removed these records. */
  applied(changed: readonly string[]): void
  clear(): void
  bytes(): number
}

/** A record whose sources are being looked at. */
interface Step {
  readonly id: string
  readonly sources: readonly string[]
  next: number
  tier: string | null
}

/** Bytes of a remembered tier or dependant: two entries of maps and an id. */
const bytesPerEntry = 150

export function createAuthorityTiers(database: Database, authority: ResolvedAuthority | null): AuthorityTiers {
  const highestFirst = authority?.tiers.map(({ id }) => id) ?? []
  const tiers = new Map<string, string | null>()
  /** By source: the records whose remembered tier depends on it. */
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
    const known = dependants.get(source)
    if (known === undefined) dependants.set(source, new Set([id]))
    else known.add(id)
    links++
  }

  /** Without recursion: a chain of records may be as long as the store. */
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
      const known = tiers.get(source)
      if (known !== undefined) {
        step.tier = lowestTier([step.tier, known], highestFirst)
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
      const known = tiers.get(record.id)
      const authorityTier = known === undefined ? tierOf(record.id) : known
      return authorityTier === record.authorityTier ? record : { ...record, authorityTier }
    },
    applied(changed) {
      if (tiers.size === 0) return
      const waiting = [...changed]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        tiers.delete(id)
        const known = dependants.get(id)
        if (known === undefined) continue
        dependants.delete(id)
        links -= known.size
        waiting.push(...known)
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

/** Whether an import's bound holds tiers of this store down: its exports say so. */
export function tiersAreHeld(database: Database): boolean {
  return first(database, `SELECT value FROM settings WHERE name = 'tiersAreHeld'`, [], (row) => row.number(0)) === 1
}

/** Inside the transaction that lands an import. */
export function noteHeldTiers(database: Database, { mode, staged }: Pick<Landing, 'mode' | 'staged'>): void {
  if (staged.header.tiersAreHeld) database.execute(`INSERT OR REPLACE INTO settings VALUES ('tiersAreHeld', 1)`)
  else if (mode === 'replace') database.execute(`DELETE FROM settings WHERE name = 'tiersAreHeld'`)
}
