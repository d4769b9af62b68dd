/**
 * Reads and writes rows of vectors: float32 values, and the int8 codes that fill the kernel at open.
 * A record owns the slots from key × 4096 to key × 4096 + 4095, one for each chunk.
 */

import type { PreparedRecord } from '../../../src/core/ingest/plan-write.ts'
import { above, contradictory } from '../../scheduling/stored-order.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import { encodeVector } from '../../vector/quantise.ts'
import type { EmbeddingSpace } from '../port/vectors.ts'
import type { WriteTarget } from './write-target.ts'

const slotsPerRecord = 4096

/** An index of vectors knows no larger keys. */
const largestKey = 2 ** 32 - 2

export function firstSlot(key: number): number {
  return key * slotsPerRecord
}

export function lastSlot(key: number): number {
  return key * slotsPerRecord + slotsPerRecord - 1
}

export function removeVectors(database: Database, key: number): void {
  for (const table of ['vectors', 'vector_codes']) {
    database.execute(`DELETE FROM ${table} WHERE slot BETWEEN ? AND ?`, [firstSlot(key), lastSlot(key)])
  }
}

/** `keys`: of many records, as JSON. */
export function removeVectorsOf(database: Database, keys: string): void {
  for (const table of ['vectors', 'vector_codes'])
    database.execute(
      `DELETE FROM ${table} WHERE slot IN (SELECT slot FROM json_each(?) CROSS JOIN ${table} ON slot BETWEEN value * ${slotsPerRecord} AND value * ${slotsPerRecord} + ${slotsPerRecord - 1})`,
      [keys],
    )
}

export function moveVectors(database: Database, from: number, to: number): void {
  for (const table of ['vectors', 'vector_codes']) {
    database.execute(`UPDATE ${table} SET slot = slot + ? WHERE slot BETWEEN ? AND ?`, [
      (to - from) * slotsPerRecord,
      firstSlot(from),
      lastSlot(from),
    ])
  }
}

export function readCodes(database: Database, key: number, space: number): readonly Uint8Array[] {
  return all(
    database,
    `SELECT code FROM vector_codes WHERE slot BETWEEN ? AND ? AND space = ? ORDER BY slot`,
    [firstSlot(key), lastSlot(key), space],
    (row) => row.bytes(0),
  )
}

export function eachCode(database: Database, space: number, visit: (key: number, code: Uint8Array) => void): void {
  let slot = -1
  database.each(`SELECT slot, code FROM vector_codes WHERE space = ? ORDER BY slot`, [space], (row) => {
    slot = above(slot, row.number(0))
    const key = Math.floor(slot / slotsPerRecord)
    if (key > largestKey) throw contradictory()
    visit(key, row.bytesInPlace(1))
  })
}

/** Visits the float32 vectors of one record. The array is reused between visits. */
export function vectorsOf(
  database: Database,
  key: number,
  space: number,
  scratch: Float32Array,
  visit: (vector: Float32Array) => void,
): void {
  const bytes = new Uint8Array(scratch.buffer, scratch.byteOffset, scratch.byteLength)
  database.each(
    `SELECT vector FROM vectors WHERE slot BETWEEN ? AND ? AND space = ?`,
    [firstSlot(key), lastSlot(key), space],
    (row) => {
      bytes.set(row.bytesInPlace(0))
      visit(scratch)
    },
  )
}

/** Where the vectors of one record are from, in the order of `vectorsOf`. */
export function spansOf(database: Database, key: number, space: number): readonly (readonly [number, number] | null)[] {
  const sql = `SELECT text_from, text_to FROM vectors WHERE slot BETWEEN ? AND ? AND space = ?`
  return all(database, sql, [firstSlot(key), lastSlot(key), space], (row) => {
    const [from, to] = [row.numberOrNull(0), row.numberOrNull(1)]
    return from === null || to === null ? null : [from, to]
  })
}

/** Returns the row of a space; inserts it if it is new. */
export function spaceRow(
  database: Database,
  space: EmbeddingSpace,
): { readonly row: number; readonly dimensions: number } {
  const stored = first(database, `SELECT space, dimensions FROM spaces WHERE name = ?`, [space.name], (row) => ({
    row: row.number(0),
    dimensions: row.number(1),
  }))
  if (stored !== undefined) return stored
  database.transaction(() =>
    database.execute(`INSERT INTO spaces (name, dimensions) VALUES (?, ?)`, [space.name, space.dimensions]),
  )
  const row =
    first(database, `SELECT space FROM spaces WHERE name = ?`, [space.name], (inserted) => inserted.number(0)) ?? 0
  return { row, dimensions: space.dimensions }
}

export function insertVectors(
  { database, space: own, standIn }: WriteTarget,
  key: number,
  prepared: Pick<PreparedRecord, 'vectors' | 'spans' | 'isStandIn'>,
): readonly Uint8Array[] {
  const space = prepared.isStandIn === true ? standIn : own
  if (space === null) return []
  return prepared.vectors.map((vector, i) => {
    const [from, to] = prepared.spans[i] ?? [null, null]
    const slot = firstSlot(key) + i
    if (slot > lastSlot(key)) throw new RangeError('more chunks than slots')
    const code = encodeVector(vector)
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    database.execute(`INSERT INTO vectors VALUES (?, ?, ?, ?, ?)`, [slot, space, from, to, bytes])
    database.execute(`INSERT INTO vector_codes VALUES (?, ?, ?)`, [slot, space, code])
    return code
  })
}
