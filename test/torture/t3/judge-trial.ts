/** Judges the database that a loss of power left: only whole transactions, and every one that was promised. */
import { all, type Database, first } from '../../../worker/sqlite/database.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import type { Random } from './random.ts'

export interface TrialResult {
  readonly seed: number
  readonly verdict: 'sound' | 'lost' | 'corrupt' | 'not opened'
  readonly reason: string
  /** The loss came in the middle of a call, not after the script. */
  readonly isCutShort: boolean
  readonly recoveryLosses: number
  readonly acknowledged: number
  /** Pages that slices reclaimed. */
  readonly returnedPages: number
  /** The transaction in flight turned out to be durable: allowed if complete. */
  readonly isInFlightKept: boolean
}

type Rows = ReadonlyMap<number, Row>
interface Row {
  readonly text: string
  readonly bytes: Uint8Array | null
}

export interface Progress {
  acknowledged: Rows
  inFlight: Rows | null
  /** A schema was acknowledged. */
  isMade: boolean
  count: number
  returnedPages: number
}

export function makeSchema(database: Database, progress: Progress): void {
  database.transaction(() => {
    for (const sql of schema) database.execute(sql)
  })
  progress.isMade = true
}

const schema = [
  'CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL, bytes BLOB)',
  'CREATE INDEX rows_text ON rows (text)',
  `CREATE VIRTUAL TABLE search USING fts5(text, content='rows', content_rowid='id', tokenize='porter unicode61')`,
  `INSERT INTO search (search, rank) VALUES ('secure-delete', 1)`,
  'CREATE TRIGGER rows_in AFTER INSERT ON rows BEGIN INSERT INTO search (rowid, text) VALUES (new.id, new.text); END',
  `CREATE TRIGGER rows_out BEFORE DELETE ON rows BEGIN INSERT INTO search (search, rowid, text) VALUES ('delete', old.id, old.text); END`,
  `CREATE TRIGGER rows_over AFTER UPDATE ON rows BEGIN INSERT INTO search (search, rowid, text) VALUES ('delete', old.id, old.text);
    INSERT INTO search (rowid, text) VALUES (new.id, new.text); END`,
]

export function runTransaction(database: Database, random: Random, progress: Progress): void {
  const rows = new Map(progress.acknowledged)
  progress.inFlight = rows
  database.transaction(() => {
    for (let left = random.between(1, 8); left > 0; left--) {
      const ids = [...rows.keys()]
      const known = ids.length > 0 && random.chance(0.4) ? ids[random.between(0, ids.length - 1)] : undefined
      if (known !== undefined && random.chance(0.4)) {
        database.execute('DELETE FROM rows WHERE id = ?', [known])
        rows.delete(known)
        continue
      }
      const row = { text: randomText(random), bytes: random.chance(0.3) ? null : randomBytes(random) }
      if (known === undefined) {
        const id = Math.max(0, ...ids) + 1
        database.execute('INSERT INTO rows VALUES (?, ?, ?)', [id, row.text, row.bytes])
        rows.set(id, row)
      } else {
        database.execute('UPDATE rows SET text = ?, bytes = ? WHERE id = ?', [row.text, row.bytes, known])
        rows.set(known, row)
      }
    }
  })
  // The commit returned: from here on the rows are acknowledged.
  progress.acknowledged = rows
  progress.inFlight = null
  progress.count += 1
}

const words = [
  'jay',
  'acorn',
  'cache',
  'recall',
  'oak',
  'winter',
  'ledger',
  'token',
  'budget',
  'scrub',
  'nest',
  'store',
] as const

function randomText(random: Random): string {
  const length = random.pick([3, 20, 20, 120, 900])
  return Array.from({ length: random.between(1, length) }, () => random.pick(words) + random.between(0, 99)).join(' ')
}

function randomBytes(random: Random): Uint8Array {
  const length = random.pick([16, 512, 1536, 1536, 20_000])
  const start = random.between(0, 255)
  return Uint8Array.from({ length }, (_, i) => (start + i * 7) & 0xff)
}

type Judgement = Pick<TrialResult, 'verdict' | 'reason' | 'isInFlightKept'>

export async function judge(open: () => Promise<OpenStorage>, random: Random, progress: Progress): Promise<Judgement> {
  let storage: OpenStorage
  try {
    storage = await open()
  } catch (error) {
    return { verdict: 'not opened', reason: String(error), isInFlightKept: false }
  }
  try {
    const found = judgeContents(storage.database, progress)
    if (found.verdict !== 'sound') return found
    // A recovered store must also accept new writes.
    if (!progress.isMade) makeSchema(storage.database, progress)
    runTransaction(storage.database, random, progress)
    storage.checkpoint()
    const after = judgeContents(storage.database, progress)
    return after.verdict === 'sound' ? found : after
  } catch (error) {
    return { verdict: 'corrupt', reason: String(error), isInFlightKept: false }
  } finally {
    await storage.close()
  }
}

function judgeContents(database: Database, progress: Progress): Judgement {
  const answer = (verdict: TrialResult['verdict'], reason: string): Judgement => ({
    verdict,
    reason,
    isInFlightKept: false,
  })
  const integrity = all(database, 'PRAGMA integrity_check', [], (row) => row.text(0)).join('; ')
  if (integrity !== 'ok') return answer('corrupt', integrity)
  const tables = first(
    database,
    `SELECT count(*) FROM sqlite_schema WHERE name IN ('rows', 'search', 'rows_over')`,
    [],
    (row) => row.number(0),
  )
  if (tables === 0) return progress.isMade ? answer('lost', 'the schema is gone') : answer('sound', '')
  if (tables !== 3) return answer('corrupt', 'half a schema')
  progress.isMade = true
  try {
    database.execute(`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`)
  } catch (error) {
    return answer('corrupt', `FTS5: ${String(error)}`)
  }
  const rows = new Map(all(database, 'SELECT id, text, bytes FROM rows', [], readRow))
  if (isSame(rows, progress.acknowledged)) return answer('sound', '')
  if (progress.inFlight && isSame(rows, progress.inFlight)) {
    progress.acknowledged = progress.inFlight
    return { verdict: 'sound', reason: '', isInFlightKept: true }
  }
  return answer(
    'lost',
    `${rows.size} rows are neither the ${progress.acknowledged.size} acknowledged nor those in flight`,
  )
}

function readRow(row: Parameters<Parameters<Database['each']>[2]>[0]): [number, Row] {
  const bytes = row.bytes(2)
  return [row.number(0), { text: row.text(1), bytes: bytes.length === 0 ? null : bytes }]
}

function isSame(left: Rows, right: Rows): boolean {
  if (left.size !== right.size) return false
  for (const [id, a] of left) {
    const b = right.get(id)
    if (!b || a.text !== b.text || a.bytes?.length !== b.bytes?.length) return false
    if (a.bytes?.some((byte, i) => byte !== b.bytes?.[i])) return false
  }
  return true
}
