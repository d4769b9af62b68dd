/**
 * Salvages what can still be read and proven from a damaged store: reads it once to know what that is, and again for each export. The
 * result is an ordinary export; the receipt lists what is missing. Nothing is written to the store.
 */
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import type { PortableLink } from '../../src/core/merge/portable-links.ts'
import { tuning } from '../../src/core/model/tuning.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { createContainerWriter } from '../../src/protocol/export-format/container.ts'
import { encodeJsonFrame, frameKinds, type Header } from '../../src/protocol/export-format/frames.ts'
import type { SalvageReceipt } from '../../src/protocol/salvage.ts'
import type { PortableFile } from '../export-format/block.ts'
import { parseLinks } from '../export-format/learned.ts'
import type { PortableTombstone } from '../export-format/versions.ts'
import { isContradiction } from '../scheduling/stored-order.ts'
import { applicationId } from '../sqlite/application-id.ts'
import { type Database, first } from '../sqlite/database.ts'
import { isDamage } from '../store/integrity/integrity.ts'
import { defaultSettings, migrations, readSettings } from '../store/migrate.ts'
import { headerSettings, type StoreSettings } from '../store/migrations/migration.ts'
import { tiersAreHeld } from '../store/rows/held-tiers.ts'
import { readPortableLinks } from '../store/rows/learned/link-states.ts'
import { readEarlierFiles } from '../store/rows/earlier-blocks.ts'
import { readFileStates } from '../store/rows/file-states.ts'
import { framesOf } from '../store/rows/read-block.ts'
import { readTombstones } from '../store/rows/tombstone-rows.ts'
import { findRecords, isRead, readTagsAside } from './known-records.ts'
import { hasReports, hasVersions, readLinkRows, readSalvageable, type TagsAside } from './read-salvageable.ts'

export interface Salvage {
  readonly receipt: Omit<SalvageReceipt, 'storage' | 'missingChanges'>
  /** The store's revision; null if it cannot be read. */
  readonly revision: number | null
  /** All parts of an export, each about 256 KiB. Can be called again. */
  exportParts(): Generator<Uint8Array<ArrayBuffer>, void, undefined>
}

interface Kept {
  readonly key: number
  readonly id: string
}

/** Throws STORE_CORRUPT if nothing can be read, STORE_NEWER if a newer release wrote the store. */
export function salvageFrom(damagedDatabase: Database): Salvage {
  const database = withoutEndless(damagedDatabase)
  checkKind(database)
  const { ids, isComplete } = findRecords(database)
  const tagsAside = lazily(() => readTagsAside(database))
  const tagsOf: TagsAside = (key) => {
    const tags = tagsAside()
    return tags === null ? null : (tags.get(key) ?? [])
  }
  const salvaged = new Map<string, Kept>()
  const unreadable: (string | null)[] = []
  const incomplete = new Map<string, number>()
  const lose = (part: string) => incomplete.set(part, (incomplete.get(part) ?? 0) + 1)

  for (const [key, id] of ids) {
    const found = readOrNothing(() => readSalvageable(database, key, tagsOf))
    // A key without an id in any list may be unused, so it does not count as unreadable.
    if (id === null && (found === null || found === damaged)) continue
    if (found === null || found === damaged || salvaged.has(found.id) || (id !== null && id !== found.id)) {
      unreadable.push(id)
      continue
    }
    salvaged.set(found.id, { key, id: found.id })
    for (const part of found.lost) lose(part)
  }
  if (salvaged.size === 0 && !(isComplete && unreadable.length === 0)) throw nothing('none of its records can be read')

  const order = [...salvaged.values()].toSorted((a, b) => compareCodePoints(a.id, b.id))
  const links = (hasReports(database) ? readLinkStates : readWeights)(database, order, () => lose('links'))
  const settings = readOr<StoreSettings>(defaultSettings, () => readSettings(database))
  let files: readonly PortableFile[] = []
  if (!isRead(() => void (files = (hasReports(database) ? readFileStates : readEarlierFiles)(database))))
    lose('fileStates')
  // If that cannot be read, tiers count as limited, so that none rises.
  const isHeld = readOr(true, () => tiersAreHeld(database))
  let tombstones: readonly PortableTombstone[] = []
  if (hasVersions(database) && !isRead(() => void (tombstones = readTombstones(database)))) lose('tombstones')
  const counts = { records: order.length, files: files.length, tombstones: tombstones.length }
  const header: Header = {
    format: 3,
    ...headerSettings(settings),
    ...counts,
    ...(isHeld ? { tiersAreHeld: true } : {}),
  }
  const unreadableIds = unreadable.filter((id) => id !== null)

  return {
    revision: readOr(null, () => readNumber(database, `SELECT value FROM settings WHERE name = 'revision'`)),
    receipt: {
      records: order.length,
      unreadable: unreadable.length,
      unreadableIds: [...new Set(unreadableIds)].toSorted(compareCodePoints),
      isCountExact: isComplete,
      incomplete: Object.fromEntries([...incomplete].toSorted(([a], [b]) => compareCodePoints(a, b))),
    },
    *exportParts() {
      const writer = createContainerWriter()
      writer.write(encodeJsonFrame(frameKinds.header, header))
      for (const { key, id } of order) {
        const read = readSalvageable(database, key, tagsOf)
        // The record was readable before, and no other connection writes.
        if (read === null) throw nothing('it changed while it was read')
        const own = links.get(id) ?? []
        writer.write(framesOf(own.length === 0 ? read : { ...read, block: { ...read.block, links: own } }))
        if (writer.size() >= partBytes) yield writer.take()
      }
      for (const file of files) writer.write(encodeJsonFrame(frameKinds.file, file))
      for (const tombstone of tombstones) writer.write(encodeJsonFrame(frameKinds.tombstone, tombstone))
      writer.end()
      yield writer.take()
    },
  }
}

const partBytes = 256 * 1024

/** Links between salvaged records, to the smaller id. */
function readLinkStates(
  database: Database,
  salvaged: readonly Kept[],
  lose: () => void,
): ReadonlyMap<string, readonly PortableLink[]> {
  const ids = new Set(salvaged.map(({ id }) => id))
  return new Map(
    salvaged.map(({ key, id }) => {
      const links = readOr(null, () => readPortableLinks(database, key))
      if (links === null) lose()
      // Leaves out links that an import would refuse.
      const valid = (links ?? []).filter((link) => ids.has(link.id) && compareCodePoints(link.id, id) < 0)
      return [id, isRead(() => void parseLinks(valid, id)) ? valid : []] as const
    }),
  )
}

/** The same in a store of an older version. A link is stored at both ends; either end suffices. */
function readWeights(
  database: Database,
  salvaged: readonly Kept[],
  lose: () => void,
): ReadonlyMap<string, readonly PortableLink[]> {
  const ids = new Map(salvaged.map(({ key, id }) => [key, id]))
  const links = new Map<string, Map<string, number>>()
  for (const { key, id } of salvaged) {
    const rows = readLinkRows(database, key)
    if (rows === null) lose()
    for (const [other, weight] of rows ?? []) {
      const otherId = ids.get(other)
      // Leaves out links that an import would refuse.
      if (otherId === undefined || otherId === id || !(weight >= tuning.minLinkWeight && weight <= 1)) continue
      const [small, large] = compareCodePoints(id, otherId) < 0 ? [id, otherId] : [otherId, id]
      links.set(large, (links.get(large) ?? new Map<string, number>()).set(small, weight))
    }
  }
  return new Map(
    [...links].map(([id, own]) => {
      const ordered = [...own].toSorted(([a], [b]) => compareCodePoints(a, b))
      return [id, ordered.map(([other, weight]) => ({ id: other, weight }))] as const
    }),
  )
}

/** The database without tables that have no end: each of them is tried once, and not again for each record. */
function withoutEndless(database: Database): Database {
  const endless = new Map<string, unknown>()
  return {
    ...database,
    each(sql, bind, visit) {
      const table = /\bFROM (\w+)/.exec(sql)?.[1] ?? ''
      if (endless.has(table)) throw endless.get(table)
      try {
        database.each(sql, bind, visit)
      } catch (error) {
        if (isContradiction(error)) endless.set(table, error)
        throw error
      }
    },
  }
}

const damaged = Symbol('damaged')

function readOrNothing<T>(work: () => T): T | typeof damaged {
  return readOr<T | typeof damaged>(damaged, work)
}

function readOr<T>(otherwise: T, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isDamage(error)) return otherwise
    throw error
  }
}

function lazily<T>(make: () => T): () => T {
  let cached: { readonly value: T } | null = null
  return () => (cached ??= { value: make() }).value
}

function readNumber(database: Database, sql: string): number | null {
  return first(database, sql, [], (row) => row.number(0)) ?? null
}

/** Checks that this is a Scrubjay store with a known schema. */
function checkKind(database: Database): void {
  const header = readOr(null, () => ({
    application: readNumber(database, 'PRAGMA application_id'),
    version: readNumber(database, 'PRAGMA user_version') ?? 0,
    // If the schema is damaged, SQLite knows the part before the damage.
    any: readNumber(database, `SELECT key FROM records WHERE 0`),
  }))
  if (header === null) throw nothing('its head or its schema cannot be read')
  if (header.application !== applicationId) throw nothing('it is not a Scrubjay store')
  if (header.version <= migrations.length) return
  throw recallError('STORE_NEWER', 'A newer Scrubjay wrote the store', {
    value: header.version,
    hint: `Reload the page to get the newer build. This build reads schema ${migrations.length}.`,
  })
}

/** The error if nothing can be salvaged. */
export function nothing(problem: string): RecallError {
  return recallError('STORE_CORRUPT', `Nothing can be salvaged: ${problem}`, {
    hint: 'Import the latest export into a new store. Nothing was changed.',
  })
}
