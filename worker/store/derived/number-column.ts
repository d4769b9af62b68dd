/** Reads a numeric fact of the records: one column of all records by key, or the values of a few records. */

import type { NumberFact } from '../../../src/core/model/fact-needs.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { type Database, first } from '../../sqlite/database.ts'

interface NumberSource {
  /** Selects key and value of the records whose value is not the default. */
  readonly sql: string
  readonly usual: number
}

const numberSources: Readonly<Record<NumberFact, NumberSource>> = {
  // An index covers both statements.
  createdAt: { sql: `SELECT key, created_at FROM records`, usual: 0 },
  updatedAt: { sql: `SELECT key, updated_at FROM records`, usual: 0 },
  importance: { sql: `SELECT key, importance FROM records WHERE importance <> 1`, usual: 1 },
  accesses: { sql: `SELECT key, access_count FROM learned WHERE access_count > 0`, usual: 0 },
  // The decay clock starts when the content changed; an outcome moves it.
  touchedAt: {
    sql: `SELECT key, coalesce(touched_at, changed_at, updated_at) FROM records LEFT JOIN learned USING (key)`,
    usual: 0,
  },
  confidence: {
    sql: `SELECT key, confidence FROM learned WHERE confidence <> ${tuning.startConfidence}`,
    usual: tuning.startConfidence,
  },
  writeScore: { sql: `SELECT key, write_score FROM records WHERE write_score IS NOT NULL`, usual: 0 },
}

export interface NumberColumn {
  values(): Float64Array
  isUsual(): boolean
  forget(key: number): void
  read(key: number): void
  bytes(): number
}

export function createNumberColumn(database: Database, name: NumberFact): NumberColumn {
  const { sql, usual } = numberSources[name]
  const one = ofOne(sql)
  let values = new Float64Array(1024).fill(usual)
  let unusual = 0
  const set = (key: number, value: number) => {
    if (key >= values.length) {
      const larger = new Float64Array(Math.max(values.length * 2, key + 1)).fill(usual)
      larger.set(values)
      values = larger
    }
    unusual += Number(value !== usual) - Number(values[key] !== usual)
    values[key] = value
  }
  // The array must cover the largest key in use, even if that record has the default value.
  database.each(`SELECT max(key) FROM records`, [], (row) => set(row.numberOrNull(0) ?? 0, usual))
  database.each(sql, [], (row) => set(row.number(0), row.number(1)))
  return {
    values: () => values,
    isUsual: () => unusual === 0,
    forget: (key) => set(key, usual),
    read: (key) => database.each(one, [key], (row) => set(key, row.number(1))),
    bytes: () => values.byteLength,
  }
}

/** Reads the values of these records alone, without a column in memory. */
export function readNumbers(database: Database, name: NumberFact, keys: Uint32Array): Float64Array {
  const { sql, usual } = numberSources[name]
  const one = ofOne(sql)
  return Float64Array.from(keys, (key) => first(database, one, [key], (row) => row.number(1)) ?? usual)
}

function ofOne(sql: string): string {
  return `${sql} ${sql.includes('WHERE') ? 'AND' : 'WHERE'} key = ?`
}
