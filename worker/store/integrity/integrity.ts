/**
 * Checks the stored data: the file by SQLite, the text index by FTS5, vector codes against vectors. Rows derived from a record's
 * text are checked in `derived-rows.ts`. Repairs only what can be rebuilt from other rows.
 */
import { pendingVectors } from '../../../src/core/ingest/plan-write.ts'
import { type ErrorCode, RecallError, recallError } from '../../../src/core/model/errors.ts'
import { costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { above, isContradiction } from '../../scheduling/stored-order.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import { encodeVector } from '../../vector/quantise.ts'
import { removeVectors } from '../rows/vector-rows.ts'

/** Descriptions of problems; empty if there are none. */
export type Problems = readonly string[]

const mostProblems = 100

/** Whether an error means that stored data is damaged. Failing or full storage is not damage. */
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

/**
 * Yields between its parts: first the pages and rows of the whole file, then the indexes of one table at a time. Together they
 * cover `PRAGMA integrity_check`. Throws STORAGE_UNAVAILABLE if pages could not be read, because that does not prove damage.
 */
export function* checkFile(database: Database): Steps<Problems> {
  const problems = new Set(runCheck(database, 'quick_check'))
  for (const table of attempt('database', () => all(database, storedTables, [], (row) => row.text(0)))) {
    yield 0
    for (const line of runCheck(database, 'integrity_check', table)) problems.add(line)
  }
  yield 0
  const broken = attempt('database', () =>
    all(database, `SELECT "table", rowid, parent FROM pragma_foreign_key_check`, [], (row) => {
      return `a row of ${row.text(0)} has no parent row in ${row.text(2)}`
    }),
  )
  // FTS5 has its own check (`checkTextIndex`).
  return limited([...problems, ...broken].filter((line) => line !== 'ok' && !/fts5/i.test(line)))
}

/** Virtual tables have no pages. */
const storedTables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name`

function runCheck(database: Database, check: 'quick_check' | 'integrity_check', table?: string): Problems {
  const argument = table === undefined ? mostProblems : `"${table}"`
  const look = () => attempt('database', () => all(database, `PRAGMA ${check}(${argument})`, [], (row) => row.text(0)))
  const lines = look()
  // SQLite reports a failed read as a line, sometimes without its code. A line that a second run does not repeat was no damage.
  if (lines.some(saysReadFailed) || (lines.some(saysNoPage) && !look().some(saysNoPage))) throw readFailure()
  return lines
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

/** Yields between its parts. A write between two of them neither repairs nor causes a problem. */
export function* checkVectorRows(database: Database): Steps<Problems> {
  const problems: string[] = []
  const counted = [
    [`vectors v WHERE ${orphan('v')}`, 'vectors have no record'],
    [`vector_codes v WHERE ${orphan('v')}`, 'codes have no record'],
    [`vector_codes c WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.slot = c.slot)`, 'codes have no vector'],
    [`records r WHERE ${hasWrongDigest}`, 'records have a vector digest but no vectors, or vectors but no digest'],
  ] as const
  for (const [sql, text] of counted) {
    const count = first(database, `SELECT count(*) FROM ${sql}`, [], (row) => row.number(0)) ?? 0
    if (count > 0) problems.push(`${count} ${text}`)
    yield 0
  }
  let wrong = 0
  yield* eachVector(database, (vector, code) => {
    if (vector === null || code === null || !isSame(encodeVector(vector), code)) wrong++
  })
  if (wrong > 0) problems.push(`${wrong} vectors are damaged or have another code`)
  return problems
}

/** Rebuilds all codes from the vectors. A record with a damaged vector loses its vectors; `reembed` computes them again. */
export function* rebuildVectorRows(database: Database): Steps<void> {
  const damaged = new Set<number>()
  yield* eachVector(database, (vector, _code, slot) => {
    if (vector === null) damaged.add(Math.floor(slot / slotsPerRecord))
  })
  for (const key of damaged) removeVectors(database, key)
  database.execute(`DELETE FROM vectors WHERE ${orphan('vectors')}`)
  database.execute(`DELETE FROM vector_codes`)
  const slots = all(database, `SELECT slot FROM vectors ORDER BY slot`, [], (row) => row.number(0))
  const pace = createPace()
  for (const slot of slots) {
    if (pace.isDue(costs.read)) yield slot
    const read = first(database, `SELECT space, vector FROM vectors WHERE slot = ?`, [slot], (row) => ({
      space: row.number(0),
      vector: floats(row.bytes(1)),
    }))
    if (read === undefined) continue
    database.execute(`INSERT INTO vector_codes VALUES (?, ?, ?)`, [slot, read.space, encodeVector(read.vector)])
  }
  database.execute(`UPDATE records AS r SET vectors_hash = NULL WHERE ${hasWrongDigest}`)
}

const slotsPerRecord = 4096
const orphan = (table: string) => `${table}.slot / ${slotsPerRecord} NOT IN (SELECT key FROM records)`
const ownSlots = `BETWEEN r.key * ${slotsPerRecord} AND r.key * ${slotsPerRecord} + ${slotsPerRecord - 1}`
const hasWrongDigest = `(r.vectors_hash IS NOT NULL AND r.vectors_hash <> '${pendingVectors}') <> EXISTS (SELECT 1 FROM vectors v WHERE v.slot ${ownSlots})`

/** Visits null for a vector that is not one of its space's finite numbers. Yields between vectors. */
function* eachVector(
  database: Database,
  visit: (vector: Float32Array | null, code: Uint8Array | null, slot: number) => void,
): Steps<void> {
  const last = first(database, `SELECT max(slot) FROM vectors`, [], (row) => row.numberOrNull(0)) ?? -1
  for (let after = -1; after < last; ) {
    let next = after
    database.each(
      `SELECT v.slot, v.vector, c.code, s.dimensions, c.space = v.space FROM vectors v JOIN spaces s ON s.space = v.space
        LEFT JOIN vector_codes c ON c.slot = v.slot WHERE v.slot > ? AND v.slot <= ? ORDER BY v.slot LIMIT ${vectorsAtOnce}`,
      [after, last],
      (row) => {
        next = above(next, row.number(0))
        const bytes = row.bytes(1)
        const vector = bytes.length === row.number(3) * 4 ? floats(bytes) : null
        visit(vector?.every(Number.isFinite) ? vector : null, row.number(4) === 1 ? row.bytes(2) : null, next)
      },
    )
    if (next === after) return
    after = next
    if (after < last) yield 0
  }
}

const vectorsAtOnce = 256

function floats(bytes: Uint8Array<ArrayBuffer>): Float32Array {
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2)
}

export function attempt(what: string, work: () => readonly string[]): readonly string[] {
  try {
    return work()
  } catch (error) {
    if (isDamage(error) && !isContradiction(error)) return [`${what}: ${error.message}`]
    throw error
  }
}

/** Whether a line of the check reports SQLITE_IOERR or SQLITE_NOMEM. */
function saysReadFailed(line: string): boolean {
  const code = Number(/error code=(\d+)/.exec(line)?.[1] ?? 0)
  return code !== damagedPage && [7, 10].includes(code & 0xff)
}

/** SQLITE_IOERR_DATA: the read succeeded, but the page's checksum is wrong. */
const damagedPage = 8202

function saysNoPage(line: string): boolean {
  return line.includes('failed to get page')
}

function readFailure(): RecallError {
  return recallError('STORAGE_UNAVAILABLE', 'Storage failed during the check', {
    hint: 'Try again. Nothing was changed, and no damage is known.',
  })
}

function limited(problems: readonly string[]): Problems {
  return problems.slice(0, mostProblems)
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
