/**
 * Looks at what is stored: SQLite's own opinion of the file, FTS5's of its index, codes against vectors, and everything
 * that follows from a record's text against what follows from it now. Repairs only what can be made anew from the rest.
 */
import { parseRecord } from '../../src/core/ingest/parse-record.ts'
import { pendingVectors } from '../../src/core/ingest/plan-write.ts'
import { type ErrorCode, RecallError, recallError } from '../../src/core/model/errors.ts'
import { canonicalJson } from '../../src/core/text/canonical.ts'
import { compareCodePoints } from '../../src/core/text/order.ts'
import { foldForRuns } from '../../src/core/text/runs.ts'
import { encodeVector } from '../vector/quantise.ts'
import { all, type BindValue, type Database, first, type Row } from './database.ts'
import { readCycleRows } from './learned-rows.ts'
import { inputOf } from './portable/read-block.ts'
import { childBits, readRecord } from './read-records.ts'
import { removeVectors } from './vector-rows.ts'
import { childrenOf, fileName, insertChildren, removeChildren, type WriteTarget } from './write-records.ts'

/** What is wrong, in words; empty: nothing. */
export type Problems = readonly string[]

const mostProblems = 100

/** Whether an error says that what is stored is damaged. A machine that fails, or is full, says nothing of it. */
export function isDamage(error: unknown): error is Error {
  if (error instanceof RecallError) return !passing.has(error.code)
  return error instanceof RangeError || error instanceof SyntaxError
}

const passing: ReadonlySet<ErrorCode> = new Set([
  'STORAGE_UNAVAILABLE',
  'QUOTA_EXCEEDED',
  'STORE_BUSY',
  'DEADLINE_EXCEEDED',
  'CLOSED',
  'ABORTED',
])

/** Throws STORAGE_UNAVAILABLE when pages could not be read: that is no damage. */
export function checkFile(database: Database): Problems {
  const look = () =>
    attempt('database', () => all(database, `PRAGMA integrity_check(${mostProblems})`, [], (row) => row.text(0)))
  const told = look()
  // SQLite makes a line of a failed read, at times without its code: then one that is gone the next time was none of damage.
  if (told.some(saysReadFailed) || (told.some(saysNoPage) && !look().some(saysNoPage))) throw readFailure()
  const broken = attempt('database', () =>
    all(database, `SELECT "table", rowid, parent FROM pragma_foreign_key_check`, [], (row) => {
      return `a row of ${row.text(0)} belongs to no row of ${row.text(2)}`
    }),
  )
  // The text index has a check of its own.
  return limited([...told, ...broken].filter((line) => line !== 'ok' && !/fts5/i.test(line)))
}

export function checkTextIndex(database: Database): Problems {
  return attempt('text index', () => {
    database.execute(`INSERT INTO record_fts (record_fts, rank) VALUES ('integrity-check', 1)`)
    return []
  })
}

export function rebuildTextIndex(database: Database): void {
  database.execute(`INSERT INTO record_fts (record_fts) VALUES ('rebuild')`)
}

export function checkVectorRows(database: Database): Problems {
  const problems: string[] = []
  const tell = (sql: string, text: string) => {
    const count = first(database, `SELECT count(*) FROM ${sql}`, [], (row) => row.number(0)) ?? 0
    if (count > 0) problems.push(`${count} ${text}`)
  }
  tell(`vectors v WHERE ${orphan('v')}`, 'vectors belong to no record')
  tell(`vector_codes v WHERE ${orphan('v')}`, 'codes belong to no record')
  tell(`vector_codes c WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.slot = c.slot)`, 'codes have no vector')
  tell(`records r WHERE ${unkept}`, 'records say of vectors what is not so')
  let wrong = 0
  eachVector(database, (vector, code) => {
    if (vector === null || code === null || !isSame(encodeVector(vector), code)) wrong++
  })
  if (wrong > 0) problems.push(`${wrong} vectors are damaged or have another code`)
  return problems
}

/** Makes all codes from the vectors. Records with a damaged vector lose theirs: `reembed` makes them anew. */
export function rebuildVectorRows(database: Database): void {
  const damaged = new Set<number>()
  eachVector(database, (vector, _code, slot) => {
    if (vector === null) damaged.add(Math.floor(slot / slotsPerRecord))
  })
  for (const key of damaged) removeVectors(database, key)
  database.execute(`DELETE FROM vectors WHERE ${orphan('vectors')}`)
  database.execute(`DELETE FROM vector_codes`)
  const slots = all(database, `SELECT slot FROM vectors ORDER BY slot`, [], (row) => row.number(0))
  for (const slot of slots) {
    const read = first(database, `SELECT space, vector FROM vectors WHERE slot = ?`, [slot], (row) => ({
      space: row.number(0),
      vector: floats(row.bytes(1)),
    }))
    if (read === undefined) continue
    database.execute(`INSERT INTO vector_codes VALUES (?, ?, ?)`, [slot, read.space, encodeVector(read.vector)])
  }
  database.execute(`UPDATE records AS r SET vectors_hash = NULL WHERE ${unkept}`)
}

/** Keys of the records whose derived columns or rows are not what their text says, and what is wrong with them. */
export function checkDerivedRows(database: Database, metadataKeys: readonly string[]): ReadonlyMap<number, string> {
  const wrong = new Map<number, string>()
  const masked = `SELECT key FROM records WHERE children <> ${childMask}`
  for (const key of all(database, masked, [], (row) => row.number(0))) wrong.set(key, 'the mark of what rows it has')
  for (const key of all(database, `SELECT key FROM records ORDER BY key`, [], (row) => row.number(0))) {
    const problem = attempt('record', () => {
      const stored = spellStored(database, key)
      const derived = spellDerived(database, key, metadataKeys)
      return stored.flatMap((line, i) => (line === derived[i] ? [] : [derivedNames[i] as string]))
    })
    if (problem.length > 0 && !wrong.has(key)) wrong.set(key, problem.join(', '))
  }
  return wrong
}

/** Writes what follows from these records' texts again. */
export function rebuildDerivedRows(
  { database, metadataKeys, textDeleted }: Pick<WriteTarget, 'database' | 'metadataKeys' | 'textDeleted'>,
  keys: Iterable<number>,
): void {
  for (const key of keys) {
    // First, or rows that are there would be taken for none.
    database.execute(`UPDATE records SET children = ${childMask} WHERE key = ?`, [key])
    const record = parsedOf(database, key)
    const cycles = readCycleRows(database, key)
    removeChildren(database, key, allChildren)
    insertChildren({ database, metadataKeys }, key, record, cycles)
    database.execute(
      `UPDATE records SET content_hash = ?, text_hash = ?, paths = ?, terms = ?, indexed = ?, children = ? WHERE key = ?`,
      [...derivedColumns(record), key],
    )
    textDeleted()
  }
}

const slotsPerRecord = 4096
const allChildren = 255
const childMask = Object.entries(childBits)
  .map(([table, bit]) => `${bit} * EXISTS (SELECT 1 FROM ${table} WHERE ${table}.key = records.key)`)
  .join(' + ')
const orphan = (table: string) => `${table}.slot / ${slotsPerRecord} NOT IN (SELECT key FROM records)`
const ownSlots = `BETWEEN r.key * ${slotsPerRecord} AND r.key * ${slotsPerRecord} + ${slotsPerRecord - 1}`
const unkept = `(r.vectors_hash IS NOT NULL AND r.vectors_hash <> '${pendingVectors}') <> EXISTS (SELECT 1 FROM vectors v WHERE v.slot ${ownSlots})`

/** Null stands for what cannot be read as the space's numbers. */
function eachVector(
  database: Database,
  visit: (vector: Float32Array | null, code: Uint8Array | null, slot: number) => void,
): void {
  database.each(
    `SELECT v.slot, v.vector, c.code, s.dimensions, c.space = v.space FROM vectors v JOIN spaces s ON s.space = v.space
      LEFT JOIN vector_codes c ON c.slot = v.slot`,
    [],
    (row) => {
      const bytes = row.bytes(1)
      const vector = bytes.length === row.number(3) * 4 ? floats(bytes) : null
      visit(vector?.every(Number.isFinite) ? vector : null, row.number(4) === 1 ? row.bytes(2) : null, row.number(0))
    },
  )
}

function floats(bytes: Uint8Array<ArrayBuffer>): Float32Array {
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2)
}

function parsedOf(database: Database, key: number) {
  const stored = readRecord(database, key)
  if (stored === undefined) throw new RangeError('the record is gone')
  const { contentHash: _hash, ...fields } = inputOf(database, key, stored)
  return parseRecord(fields)
}

const derivedNames = ['digests and joined references', 'files', 'terms', 'metadata values']

function derivedColumns(record: ReturnType<typeof parseRecord>): BindValue[] {
  const { contentHash, textHash, pathsText, termsText, indexed } = record
  return [contentHash, textHash, pathsText, termsText, indexed ? 1 : 0, childrenOf(record)]
}

function spellStored(database: Database, key: number): readonly string[] {
  const rows = (sql: string, spell: (row: Row) => readonly unknown[]) =>
    all(database, sql, [key], (row) => JSON.stringify(spell(row))).join('\n')
  return [
    first(
      database,
      `SELECT content_hash, text_hash, paths, terms, indexed, children FROM records WHERE key = ?`,
      [key],
      (row) =>
        JSON.stringify([row.text(0), row.text(1), row.textOrNull(2), row.textOrNull(3), row.number(4), row.number(5)]),
    ) ?? '',
    rows(`SELECT path, name, declared FROM files WHERE key = ? ORDER BY position`, (row) => [
      row.text(0),
      row.text(1),
      row.number(2),
    ]),
    rows(`SELECT term, folded, kind, declared FROM terms WHERE key = ? ORDER BY position`, (row) => [
      row.text(0),
      row.text(1),
      row.text(2),
      row.number(3),
    ]),
    rows(`SELECT name, value FROM metadata_values WHERE key = ? ORDER BY name`, (row) => [row.text(0), row.text(1)]),
  ]
}

/** The same lines as they must be. */
function spellDerived(database: Database, key: number, metadataKeys: readonly string[]): readonly string[] {
  const record = parsedOf(database, key)
  const files = record.files.map(({ path, declared }) => [path, fileName(path), declared ? 1 : 0])
  const terms = record.terms.map(({ term, kind, declared }) => [term, foldForRuns(term), kind, declared ? 1 : 0])
  const values = metadataKeys
    .filter((name) => record.metadata[name] !== undefined && record.metadata[name] !== null)
    .filter((name) => typeof record.metadata[name] !== 'object')
    .toSorted(compareCodePoints)
    .map((name) => [name, canonicalJson(record.metadata[name])])
  const lines = (list: readonly unknown[]) => list.map((entry) => JSON.stringify(entry)).join('\n')
  return [JSON.stringify(derivedColumns(record)), lines(files), lines(terms), lines(values)]
}

function attempt(what: string, work: () => readonly string[]): readonly string[] {
  try {
    return work()
  } catch (error) {
    if (isDamage(error)) return [`${what}: ${error.message}`]
    throw error
  }
}

/** SQLITE_IOERR and SQLITE_NOMEM in a line of the check. */
function saysReadFailed(line: string): boolean {
  const code = Number(/error code=(\d+)/.exec(line)?.[1] ?? 0)
  return code !== damagedPage && [7, 10].includes(code & 0xff)
}

/** SQLITE_IOERR_DATA: read well, and not what was written. */
const damagedPage = 8202

function saysNoPage(line: string): boolean {
  return line.includes('failed to get page')
}

function readFailure(): RecallError {
  return recallError('STORAGE_UNAVAILABLE', 'storage failed while the database was looked at', {
    cure: 'Try again; nothing was changed, and nothing is known to be damaged.',
  })
}

function limited(problems: readonly string[]): Problems {
  return problems.slice(0, mostProblems)
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
