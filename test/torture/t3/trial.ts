/**
 * One trial: a random script of transactions over one to three sessions, a power loss at a random I/O call, perhaps
 * another one during recovery; then every acknowledged transaction must be there, complete, and the file sound.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { all, type Database, first } from '../../../worker/sqlite/database.ts'
import { reclaimPages } from '../../../worker/storage/common/incremental-vacuum.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openFile } from '../../../worker/storage/file/file.ts'
import { openOpfs } from '../../../worker/storage/opfs/opfs.ts'
import { createFakeOpfs, type FakeOpfs, type LossModel } from './fake-opfs.ts'
import { createRandom, type Random } from './random.ts'
import { withoutJournal } from './without-journal.ts'

/** `shipped`, or a control that must fail: no journal on disk, or no syncing. */
export type Mode = 'shipped' | 'journal_mode=MEMORY' | 'synchronous=OFF'

/** What the store is kept in: OPFS, or a file of a server. */
export type Place = 'opfs' | 'file'

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

interface Progress {
  acknowledged: Rows
  inFlight: Rows | null
  /** A schema was acknowledged. */
  isMade: boolean
  count: number
  returnedPages: number
}

/** The range of I/O calls for the loss: many scripts make more, so it hits opening, writing and closing alike. */
const longestScriptCalls = 300
const longestRecoveryCalls = 40

export async function runTrial(
  sqlite3: Sqlite3Static,
  seed: number,
  model: LossModel,
  mode: Mode,
  place: Place = 'opfs',
): Promise<TrialResult> {
  const random = createRandom(Math.imul(seed, 2_654_435_761))
  const disk = createFakeOpfs()
  if (place === 'opfs')
    Object.defineProperty(navigator.storage, 'getDirectory', { configurable: true, value: () => disk.getDirectory() })
  const openIn = {
    opfs: () => openOpfs(sqlite3, `trial ${seed}`),
    file: () => openFile(sqlite3, disk.files(), 'store.sqlite'),
  }
  const open = () => openInMode(openIn[place], mode)
  const progress: Progress = { acknowledged: new Map(), inFlight: null, isMade: false, count: 0, returnedPages: 0 }

  disk.armCrash(random.between(1, longestScriptCalls), random.chance(0.4) ? 'flush' : 'any')
  try {
    await runScript(open, disk, random, progress)
  } catch (error) {
    // Without syncing, a kill between two sessions already loses buffered commits. `judge` finds that loss.
    if (!disk.hasCrashed() && mode !== 'synchronous=OFF') throw error
  }
  const isCutShort = disk.hasCrashed()
  disk.losePower(model, random)

  let recoveryLosses = 0
  while (recoveryLosses < 3 && random.chance(0.3)) {
    recoveryLosses += 1
    disk.armCrash(random.between(1, longestRecoveryCalls), random.chance(0.4) ? 'flush' : 'any')
    await attempt(disk, open)
    disk.losePower(model, random)
  }

  const { verdict, reason, isInFlightKept } = await judge(open, random, progress)
  const { count: acknowledged, returnedPages } = progress
  return { seed, verdict, reason, isCutShort, recoveryLosses, acknowledged, returnedPages, isInFlightKept }
}

async function openInMode(open: () => Promise<OpenStorage>, mode: Mode): Promise<OpenStorage> {
  const storage = await open()
  if (mode === 'shipped') return storage
  try {
    if (mode === 'journal_mode=MEMORY') return withoutJournal(storage)
    storage.database.execute(`PRAGMA ${mode}`)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function runScript(
  open: () => Promise<OpenStorage>,
  disk: FakeOpfs,
  random: Random,
  progress: Progress,
): Promise<void> {
  for (let session = random.between(1, 3); session > 0; session--) {
    const storage = await open()
    try {
      // Small journals make automatic checkpoints happen within a short script.
      if (random.chance(0.5)) storage.database.execute(`PRAGMA wal_autocheckpoint=${random.between(4, 60)}`)
      if (!progress.isMade) makeSchema(storage.database, progress)
      for (let left = random.between(1, 10); left > 0; left--) {
        runTransaction(storage.database, random, progress)
        if (random.chance(0.3)) reclaimSome(storage.database, random, progress)
        if (random.chance(0.1)) storage.checkpoint()
      }
      if (random.chance(0.4)) disk.kill()
    } finally {
      // After a kill or a crash this only frees memory: the handles are dead.
      await storage.close()
    }
  }
}

function makeSchema(database: Database, progress: Progress): void {
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

function runTransaction(database: Database, random: Random, progress: Progress): void {
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

/**
 * Reclaims all free pages, since stores are small here; this acknowledges nothing. A slice that fails is undone
 * silently.
 */
function reclaimSome(database: Database, random: Random, progress: Progress): void {
  const pages = () => first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
  const before = pages()
  reclaimPages(database, { freeShare: 0, freePages: 0, slicePages: random.between(1, 8) })
  progress.returnedPages += before - pages()
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

/** Opens, and drops the connection at once when the power fails meanwhile. */
async function attempt(disk: FakeOpfs, open: () => Promise<OpenStorage>): Promise<void> {
  try {
    const storage = await open()
    disk.disarmCrash()
    disk.kill()
    await storage.close()
  } catch {
    // Without a power loss the error is the store's own; `judge` will get it again and report it.
    if (disk.hasCrashed()) return
  }
}

type Judgement = Pick<TrialResult, 'verdict' | 'reason' | 'isInFlightKept'>

async function judge(open: () => Promise<OpenStorage>, random: Random, progress: Progress): Promise<Judgement> {
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
