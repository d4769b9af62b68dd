/** Finds versions of a record that two stores wrote without knowledge of each other. */
import { knows } from '../../../src/core/merge/lives.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { StagedRecord } from '../../export-format/staging.ts'
import type { Database } from '../../sqlite/database.ts'
import type { ImportConflict } from '../port/transfer.ts'
import { inputOf } from '../rows/read-block.ts'
import { readRecord } from '../rows/read-records.ts'
import { stampOf, type StoredVersion } from './stored-version.ts'

/** To be called before the import writes the record. Null: one version was written with knowledge of the other, or both are equal. */
export function conflictOf(
  database: Database,
  staging: StagedRecord,
  stored: StoredVersion | undefined,
  outcome: string,
): ImportConflict | null {
  if (stored === undefined || stored.life !== staging.life) return null
  const imported = { stamp: stampOf(staging), after: staging.after }
  if (knows(stored, imported.stamp) || knows(imported, stored.stamp)) return null
  const record = readRecord(database, stored.key)
  if (record === undefined) return null
  const mine = plain(inputOf(database, stored.key, record))
  const theirs = plain(staging.given.record)
  if (canonicalJson(untimed(mine)) === canonicalJson(untimed(theirs))) return null
  return { mine, theirs, kept: outcome === 'updated' ? 'theirs' : 'mine' }
}

/** The fields that a caller could put. */
function plain(record: RecordInput): RecordInput {
  const { contentHash: _hash, updatedAt: _updated, ...fields } = record
  return fields
}

function untimed({ createdAt: _created, ...fields }: RecordInput): object {
  return fields
}
