/** What a store with `history` knows of its past: the versions of a record, and all records as they were before a write. */
import type { StoredVersion } from '../../../src/core/model/record.ts'
import type { Stamp } from '../../../src/core/merge/stamp.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { parseRecordFrames } from '../../export-format/parse-frames.ts'
import { type Database, first } from '../../sqlite/database.ts'
import type { SharedRows } from '../port/shared-rows.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'
import type { StoreHistory } from '../port/history.ts'
import { type HistoryKeeper, keepHistory } from './keep-history.ts'
import { readFrames } from '../rows/read-block.ts'
import { countVersions, firstAfter, readVersions, recordOf, statesBefore } from '../rows/versions/version-rows.ts'

export interface OpenHistory {
  readonly keeper: HistoryKeeper | null
  readonly known: StoreHistory | null
  /** To be called when records were forgotten. */
  erased(): void
}

/** `keeps`: false opens a history of nothing. `clock`: the last stamp of the store. */
export function openHistory(
  writer: SqliteDatabase,
  database: Database,
  clock: () => Stamp,
  keeps: boolean,
): OpenHistory {
  if (!keeps) return { keeper: null, known: null, erased: () => undefined }
  const keeper = keepHistory(writer, database, clock)
  let erasures = 0
  return { keeper, known: known(database, keeper.since, () => erasures), erased: () => void erasures++ }
}

function known(database: Database, since: number, erasures: () => number): StoreHistory {
  return {
    since,
    erasures,
    counts: () => countVersions(database),
    versions: (id) => versionsOf(database, id),
    writeAfter: (at) => firstAfter(database, at),
    rowsBefore({ seq, revision }) {
      const states = statesBefore(database, seq)
      const records = states.flatMap(({ content }) => (content === null ? [] : [parseRecordFrames(content)]))
      return {
        ...nothing,
        revision: revision - 1,
        records: records.sort((a, b) => compareCodePoints(a.record.id, b.record.id)),
        removed: { ...nothing.removed, records: states.flatMap(({ id, content }) => (content === null ? [id] : [])) },
      }
    },
  }
}

function versionsOf(database: Database, id: string): readonly StoredVersion[] {
  const key = first(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))
  if (key === undefined) return []
  const rows = readVersions(database, id)
  const present = { untilAt: null, content: readFrames(database, key) }
  const versions: StoredVersion[] = []
  for (const [i, { untilAt, content }] of [present, ...rows].entries()) {
    if (content === null) continue
    const version = { from: rows[i]?.untilAt ?? null, until: untilAt, record: recordOf(content) }
    const later = versions.at(-1)
    if (later !== undefined && canonicalJson(later.record) === canonicalJson(version.record))
      versions[versions.length - 1] = { ...later, from: version.from }
    else versions.push(version)
  }
  return versions
}

const nothing: SharedRows = {
  revision: 0,
  records: [],
  files: [],
  tombstones: [],
  operations: [],
  removed: { records: [], files: [], tombstones: [], operations: [] },
}
