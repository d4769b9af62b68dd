/** Writes the child rows of a record inside the caller's transaction: tags, files, terms, cycles and the other lists. */

import type { ParsedRecord } from '../../../src/core/ingest/parse-record.ts'
import { portableStamp } from '../../../src/core/merge/portable-stamp.ts'
import type { Cycle } from '../../../src/core/model/record.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { foldForRuns } from '../../../src/core/text/tokenise/path-tokens.ts'
import { all, type Database } from '../../sqlite/database.ts'
import type { CycleRow, CycleStart } from './learned/learned-rows.ts'
import { childBits } from './read-records.ts'
import type { WriteTarget } from './write-target.ts'

const childLists = ['tags', 'files', 'terms', 'anchors', 'reasons', 'risks', 'relations', 'cycles'] as const

export function childrenOf(record: ParsedRecord): number {
  return childLists.reduce((bits, name) => (record[name].length > 0 ? bits | childBits[name] : bits), 0)
}

export function removeChildren(database: Database, key: number, children: number): void {
  for (const name of childLists) {
    if ((children & childBits[name]) !== 0) database.execute(`DELETE FROM ${name} WHERE key = ?`, [key])
  }
  database.execute(`DELETE FROM metadata_values WHERE key = ?`, [key])
}

/** Where the outcomes of a cycle begin that was not set before; null: with those of the record. */
export type CycleStarts = (position: number, cycle: Cycle) => CycleStart | null

/** `learned`: the record's cycles before the write. A cycle that is set again keeps its learned amplitude. */
export function insertChildren(
  { database, metadataKeys }: Pick<WriteTarget, 'database' | 'metadataKeys'>,
  key: number,
  record: ParsedRecord,
  learned: readonly CycleRow[],
  starts: CycleStarts = () => null,
): void {
  for (const [i, tag] of record.tags.entries()) database.execute(`INSERT INTO tags VALUES (?, ?, ?)`, [tag, key, i])
  for (const [i, file] of record.files.entries()) {
    const row = [
      key,
      i,
      file.path,
      fileName(file.path),
      file.sha256,
      file.mtime,
      file.existed ? 1 : 0,
      file.git,
      file.declared ? 1 : 0,
    ]
    database.execute(`INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, row)
  }
  for (const [i, entry] of record.terms.entries()) {
    database.execute(`INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?)`, [
      key,
      i,
      entry.term,
      foldForRuns(entry.term),
      entry.kind,
      entry.declared ? 1 : 0,
    ])
  }
  for (const [i, anchor] of record.anchors.entries()) {
    database.execute(`INSERT INTO anchors VALUES (?, ?, ?, ?, ?)`, [key, i, anchor.id, anchor.path, anchor.kind])
  }
  for (const [i, reason] of record.reasons.entries())
    database.execute(`INSERT INTO reasons VALUES (?, ?, ?, ?)`, [key, i, reason.code, reason.weight])
  for (const [i, risk] of record.risks.entries())
    database.execute(`INSERT INTO risks VALUES (?, ?, ?)`, [key, i, risk.flag])
  for (const [i, relation] of record.relations.entries()) {
    database.execute(`INSERT INTO relations VALUES (?, ?, ?, ?)`, [key, i, relation.kind, relation.target])
  }
  for (const [i, cycle] of record.cycles.entries()) {
    const old = learned.find((row) => isSameCycle(row, cycle))
    const start = old === undefined ? starts(i, cycle) : old.start
    database.execute(`INSERT INTO cycles VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, [
      key,
      i,
      cycle.periodSeconds,
      cycle.phaseSeconds,
      cycle.amplitude,
      old?.amplitude ?? start?.amplitude ?? cycle.amplitude,
      start?.amplitude ?? null,
      start === null ? null : JSON.stringify(portableStamp(start.stamp)),
    ])
  }
  insertMetadataValues(database, key, record.metadata, metadataKeys)
}

/** Values of the declared metadata keys, by which scopes can filter. */
export function insertMetadataValues(
  database: Database,
  key: number,
  metadata: ParsedRecord['metadata'],
  metadataKeys: readonly string[],
): void {
  for (const name of metadataKeys) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined
    if (value === undefined || value === null || typeof value === 'object') continue
    const row = [key, name, canonicalJson(value), plainOf(value)]
    database.execute(`INSERT INTO metadata_values (key, name, value, plain) VALUES (?, ?, ?, ?)`, row)
  }
}

/** The value by which ranges are compared; booleans have none. */
export function plainOf(value: string | number | boolean): string | number | null {
  return typeof value === 'boolean' ? null : value
}

/** Fills the column `plain` of a store that was made without it. */
export function fillPlainValues(database: Database): void {
  const rows = all(
    database,
    `SELECT key, name, value FROM metadata_values`,
    [],
    (row) => [row.number(0), row.text(1), row.text(2)] as const,
  )
  for (const [key, name, value] of rows) {
    const plain = plainOf(JSON.parse(value))
    if (plain !== null)
      database.execute(`UPDATE metadata_values SET plain = ? WHERE name = ? AND value = ? AND key = ?`, [
        plain,
        name,
        value,
        key,
      ])
  }
}

function isSameCycle({ periodSeconds, phaseSeconds, given }: CycleRow, cycle: Cycle): boolean {
  return periodSeconds === cycle.periodSeconds && phaseSeconds === cycle.phaseSeconds && given === cycle.amplitude
}

/** The last segment of a path in lower case, by which the paths channel looks up files. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}
