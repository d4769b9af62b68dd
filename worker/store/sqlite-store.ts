/**
 * The store over SQLite: composes the SQL by subject with the derived tables that make reads cheap
 * (ids and token counts by key, posting lists, scope members). Each derived table follows a commit, never leads it.
 */
import type { ExistingRecord, Write } from '../../src/core/ingest/plan-write.ts'
import { recallError } from '../../src/core/model/errors.ts'
import { canonicalJson } from '../../src/core/text/canonical.ts'
import { foldForRuns } from '../../src/core/text/runs.ts'
import { all, first } from './database.ts'
import { compactDatabase, databaseFileBytes } from './compact-database.ts'
import { countUnembedded, readUnembedded, writeNewVectors } from './embed-rows.ts'
import { appendEvents, type NewEvent } from './event-rows.ts'
import { forgetKeys, proofOf } from './forget-records.ts'
import { createFileStates } from './file-states.ts'
import { readGraph, writeGraph } from './graph-rows.ts'
import { createIdTable } from './id-table.ts'
import { createLexicalIndex } from './lexical-index.ts'
import { createLearning, openChanges } from './learning.ts'
import { migrate } from './migrate.ts'
import type { StoreSettings } from './migrations/migration.ts'
import { doneWrite, rememberWrites } from './operation-rows.ts'
import type { Committed, DoneOperation, EmbeddingSpace, ScopeAt, Store } from './port.ts'
import { createExports } from './portable/export.ts'
import { landImport, type LandedChanges } from './portable/land-import.ts'
import { createPostingsReader, type PostingsReader } from './postings.ts'
import { hydrate } from './read-records.ts'
import {
  checkDerivedRows,
  checkFile,
  checkTextIndex,
  checkVectorRows,
  rebuildDerivedRows,
  rebuildTextIndex,
  rebuildVectorRows,
} from './integrity.ts'
import { createRecordColumns } from './record-columns.ts'
import { keysByFile, keysByTerm } from './references-sql.ts'
import { readRetentionRows } from './retention-rows.ts'
import { createScopeMembers } from './scope-members.ts'
import { conditionOf, keysQuery } from './scope-sql.ts'
import { eachText } from './searched-texts.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { createSubstringIndex, type SubstringIndex } from './substring-index.ts'
import { eachCode, spaceRow, vectorsOf } from './vector-rows.ts'
import { applyWrites, type WriteTarget } from './write-records.ts'

export interface SqliteStore extends Store {
  /** Frees what the store holds beside the database. */
  close(): void
}

export function createSqliteStore(database: SqliteDatabase, wanted: StoreSettings): SqliteStore {
  const settings = migrate(database, wanted)
  const reader = createPostingsReader(database.sqlite3, database.pointer, 'record_fts')
  try {
    return createStoreOver(database, settings, reader)
  } catch (error) {
    // A statement that is left keeps the connection's files open, and nobody could open the store in this thread again.
    reader.close()
    throw error
  }
}

function createStoreOver(database: SqliteDatabase, settings: StoreSettings, reader: PostingsReader): SqliteStore {
  const openIds = () => {
    const table = createIdTable()
    database.each(`SELECT key, id FROM records`, [], (row) => table.add(row.number(0), row.bytesInPlace(1)))
    return table
  }
  let lexical = createLexicalIndex(database, reader)
  let idTable = openIds()

  // Contents that more than one record has, or had: nearly all have one, and then there is nothing to look up.
  let repeated: Set<string> | null = null
  const repeatedContents = () => {
    repeated ??= new Set(all(database, repeatedSql, [], (row) => row.text(0)))
    return repeated
  }

  const setting = (name: string) =>
    first(database, `SELECT value FROM settings WHERE name = ?`, [name], (row) => row.number(0)) ?? 0
  let revision = setting('revision')
  let nextKey = setting('nextKey')
  let space: (EmbeddingSpace & { readonly row: number }) | null = null
  let scratch = new Float32Array(0)
  const scopes = createScopeMembers(database)
  let columns = createRecordColumns(
    database,
    (id) => keyOf(id),
    (key) => idTable.idOf(key),
  )
  const files = createFileStates(database)
  // Only one policy asks for it: its room is taken when it does.
  let substrings: SubstringIndex | null = null
  // Counting reads every code: once a revision is enough.
  let counts: (ReturnType<Store['vectorCounts']> & { readonly revision: number }) | null = null

  const learning = createLearning(database)
  const exporting = createExports(database, settings)

  /** One transaction: what `work` does, the lines it logs, and the revision, if anything changed. */
  const transact = <T extends Logged>(work: () => T, noted: (made: T) => readonly DoneOperation[]): T => {
    const key = nextKey
    try {
      const made = database.transaction(() => {
        const done = work()
        if (!isChanged(done)) return done
        appendEvents(database, revision + 1, done.events)
        database.execute(`UPDATE settings SET value = ? WHERE name = 'revision'`, [revision + 1])
        if (nextKey !== key) database.execute(`UPDATE settings SET value = ? WHERE name = 'nextKey'`, [nextKey])
        rememberWrites(database, revision + 1, noted(done))
        return done
      })
      if (isChanged(made)) revision++
      return made
    } catch (error) {
      nextKey = key
      throw error
    }
  }

  /** Runs the writes of one transaction, then lets the derived tables follow. */
  const commit = (done: readonly DoneOperation[], work: () => Omit<Committed, 'revision'> & Logged): Committed => {
    const { events: _logged, ...changes } = transact(work, () => done)
    if (changes.changed.length === 0) return { ...changes, revision }
    try {
      follow(changes)
      return { ...changes, revision }
    } catch {
      // For want of memory or of the disk. The rows are committed, so the write must not seem to have failed.
      return { ...changes, revision, isBehind: true }
    }
  }

  const follow = (changes: Omit<Committed, 'revision'>): void => {
    const addedKeys = changes.added.map((entry) => entry.key)
    lexical.applied(addedKeys, changes.removed)
    try {
      substrings?.applied(addedKeys, changes.removed)
    } catch {
      // Half applied it is worth nothing: the next search makes it anew, and meets what went wrong here.
      substrings = null
    }
    for (const removed of changes.removed) idTable.remove(removed)
    for (const { key: added } of changes.added) {
      database.each(addedSql, [added], (row) => {
        idTable.add(added, row.bytesInPlace(0))
        if (row.number(2) === 1) repeated?.add(row.text(1))
      })
    }
    scopes.clear()
    columns.applied(changes.changed, changes.removed)
    files.applied()
  }

  /** What memory holds of the rows, against the rows. */
  const checkMemory = (): readonly string[] => {
    const fresh = createLexicalIndex(database, reader)
    const [own, real] = [lexical.lengths(), fresh.lengths()]
    const keys = all(database, `SELECT key, id FROM records`, [], (row) => [row.number(0), row.text(1)] as const)
    const isOff = keys.some(([key]) => own[key] !== real[key])
    const counted = [lexical, fresh].map((index) => canonicalJson(index.statistics(null)))
    return [
      ...(isOff || counted[0] !== counted[1] ? ['token counts in memory are not those of the text index'] : []),
      ...(keys.some(([key, id]) => idTable.idOf(key) !== id) ? ['ids in memory are not those of the records'] : []),
    ]
  }

  const target = (): WriteTarget => ({
    database,
    metadataKeys: settings.metadataKeys,
    space: space?.row ?? null,
    takeKey: () => nextKey++,
  })

  const keyOf = (id: string) => first(database, `SELECT key FROM records WHERE id = ?`, [id], (row) => row.number(0))

  return {
    settings,
    revision: () => revision,
    lastKey: () => nextKey - 1,

    reading: database.reading,
    existing(ids) {
      const found = new Map<string, ExistingRecord>()
      for (const id of ids) {
        database.each(existingSql, [id], (row) =>
          found.set(id, {
            contentHash: row.text(0),
            fieldsHash: row.text(1),
            textHash: row.text(2),
            vectorsHash: digestIn(space, row.textOrNull(3)),
            createdAt: row.number(4),
            updatedAt: row.number(5),
          }),
        )
      }
      return found
    },
    get(ids) {
      return ids.map((id) => {
        const key = keyOf(id)
        return key === undefined ? undefined : hydrate(database, [key])[0]
      })
    },
    hydrate: (keys) => hydrate(database, keys),
    list(filter, after, limit) {
      const condition = conditionOf(filter)
      const parts = condition.sql === '' ? [] : [condition.sql]
      if (after !== null) parts.push(`(r.updated_at, r.id) < (?, ?)`)
      const where = parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`
      const bind = after === null ? condition.bind : [...condition.bind, after.updatedAt, after.id]
      const keys = all(
        database,
        `SELECT r.key FROM records r ${where} ORDER BY r.updated_at DESC, r.id DESC LIMIT ?`,
        [...bind, limit],
        (row) => row.number(0),
      )
      return hydrate(database, keys)
    },
    count(scope) {
      const { sql, bind } = conditionOf(scope)
      return (
        first(database, `SELECT count(*) FROM records r ${sql === '' ? '' : `WHERE ${sql}`}`, bind, (row) =>
          row.number(0),
        ) ?? 0
      )
    },
    tags(scope) {
      const { sql, bind } = conditionOf(scope)
      const from = sql === '' ? 'tags t' : `tags t JOIN records r ON r.key = t.key WHERE ${sql}`
      return all(
        database,
        `SELECT t.tag, count(*) AS uses FROM ${from} GROUP BY t.tag ORDER BY uses DESC, t.tag`,
        bind,
        (row) => ({
          tag: row.text(0),
          count: row.number(1),
        }),
      )
    },
    ids(scope) {
      const { sql, bind } = conditionOf(scope)
      return all(
        database,
        `SELECT r.id FROM records r ${sql === '' ? '' : `WHERE ${sql}`} ORDER BY r.id`,
        bind,
        (row) => row.text(0),
      )
    },

    members: (scope) =>
      conditionOf(scope).sql === '' ? null : scopes.read(canonicalJson(scope), () => keysQuery(scope), nextKey),
    everyKey: () => scopes.read('', () => ({ sql: `SELECT key FROM records ORDER BY key`, bind: [] }), nextKey),
    keysById: () => Uint32Array.from(all(database, `SELECT key FROM records ORDER BY id`, [], (row) => row.number(0))),
    idOf: (key) => idTable.idOf(key),
    keyOf,
    postings: (phrases) => lexical.postings(phrases),
    lengths: () => lexical.lengths(),
    statistics: (members) => lexical.statistics(members),
    wholeStatistics: () => lexical.wholeStatistics(),
    keysByTerm: (folded) => keysByTerm(database, folded),
    keysByFile: (paths) => keysByFile(database, paths),
    substrings(query, terms, members) {
      substrings ??= createSubstringIndex((keys, visit) => eachText(database, keys, visit))
      return substrings.search({ query, terms, members })
    },
    keysByContent: (hash) =>
      repeatedContents().has(hash)
        ? all(database, `SELECT key FROM records WHERE content_hash = ?`, [hash], (row) => row.number(0))
        : [],
    recent(scope: ScopeAt, limit) {
      const { sql, bind } = conditionOf(scope)
      const where = sql === '' ? '' : `WHERE ${sql}`
      return all(
        database,
        `SELECT r.key FROM records r ${where} ORDER BY r.updated_at DESC, r.id DESC LIMIT ?`,
        [...bind, limit],
        (row) => row.number(0),
      )
    },
    gated: () => columns.gates(),
    reasons: () => columns.reasons(),
    numbers: (name) => columns.numbers(name),
    unusual: (name) => columns.unusual(name),
    newestFirst: (name) => columns.newestFirst(name),
    sessions: () => columns.sessions(),
    due: () => columns.due(),
    freshness: files.freshness,
    keysOfFiles(parts) {
      const passes = new Map<string, boolean>()
      const keys = new Set<number>()
      database.each(`SELECT key, path FROM files`, [], (row) => {
        const path = row.text(1)
        let pass = passes.get(path)
        if (pass === undefined) {
          const folded = foldForRuns(path)
          pass = parts.some((part) => folded.includes(part))
          passes.set(path, pass)
        }
        if (pass) keys.add(row.number(0))
      })
      return keys
    },
    vectorsOf(key, visit) {
      if (space !== null) vectorsOf(database, key, space.row, scratch, visit)
    },
    eachCode(visit) {
      if (space !== null) eachCode(database, space.row, visit)
    },
    readGraph: () => readGraph(database),
    writeGraph: (sealed) => writeGraph(database, sealed),

    space: () => (space === null ? null : { name: space.name, dimensions: space.dimensions }),
    chooseSpace(chosen) {
      const { row, dimensions } = database.transaction(() => spaceRow(database, chosen))
      if (dimensions !== chosen.dimensions) {
        throw recallError(
          'DIMENSION_MISMATCH',
          `the store holds vectors of space ${chosen.name} with ${dimensions} dimensions`,
          {
            field: 'embedder.dimensions',
            value: chosen.dimensions,
            cure: 'Give the embedder another space name: vectors of two models are never mixed.',
          },
        )
      }
      space = { ...chosen, row }
      counts = null
      scratch = new Float32Array(chosen.dimensions)
    },
    vectorCounts() {
      if (counts?.revision === revision) return counts
      const row = space?.row ?? -1
      const [current = 0, otherSpaces = 0] =
        first(database, `SELECT total(space = ?1), total(space <> ?1) FROM vector_codes`, [row], (found) => [
          found.number(0),
          found.number(1),
        ]) ?? []
      counts = { revision, current, otherSpaces }
      return counts
    },

    commit(writes: readonly Write[], done = []) {
      return commit(done, () => applyWrites(target(), writes))
    },
    commitFileStates(states, now, done = []) {
      const changed = database.transaction(() => {
        const paths = files.write(states, now)
        if (paths === 0) return paths
        database.execute(`UPDATE settings SET value = ? WHERE name = 'revision'`, [revision + 1])
        rememberWrites(database, revision + 1, done)
        return paths
      })
      if (changed > 0) {
        revision++
        files.applied()
      }
      return revision
    },
    forget(ids, at, done = []) {
      // Not even a hash of what is forgotten stays.
      repeated = null
      return commit(done, () => forgetKeys(database, ids, at))
    },
    learning,
    learn(at, work, operation) {
      const note = ({ answer }: { readonly answer: unknown }) =>
        operation === undefined ? [] : [{ operation, at, answer: JSON.stringify(answer) }]
      const { answer, changed } = transact(() => {
        const open = openChanges(database, learning, at, revision + 1)
        return { answer: work(open.changes), events: open.events, changed: [...open.changed] }
      }, note)
      columns.applied(changed, [])
      return { answer, committed: { added: [], removed: [], changed, revision } }
    },
    unembedded: (after, limit) => (space === null ? [] : readUnembedded(database, space.row, after, limit)),
    countUnembedded: () => (space === null ? 0 : countUnembedded(database, space.row)),
    attachVectors: (given) => commit([], () => ({ ...writeNewVectors(target(), given), events: [] })),
    fileBytes: () => databaseFileBytes(database),
    compact: () => compactDatabase(database),
    retentionRows: (config) => readRetentionRows(database, config),
    check(part) {
      if (part === 'sqlite') return checkFile(database)
      if (part === 'fts') return checkTextIndex(database)
      if (part === 'vectors') return checkVectorRows(database)
      const rows = [...checkDerivedRows(database, settings.metadataKeys)].map(([key, what]) => `record ${key}: ${what}`)
      return [...rows, ...checkMemory()]
    },
    repair(part) {
      database.transaction(() => {
        if (part === 'fts') rebuildTextIndex(database)
        else if (part === 'vectors') rebuildVectorRows(database)
        else {
          const { metadataKeys } = settings
          rebuildDerivedRows(database, metadataKeys, checkDerivedRows(database, metadataKeys).keys())
        }
      })
      lexical = createLexicalIndex(database, reader)
      idTable = openIds()
      columns = createRecordColumns(database, keyOf, (key) => idTable.idOf(key))
      repeated = substrings = counts = null
      scopes.clear()
      files.applied()
    },
    openExport: exporting.begin,
    land(landing, note = () => []) {
      repeated = null
      let landed: LandedChanges['landed'] | undefined
      const done: DoneOperation[] = []
      const committed = commit(done, () => {
        const made = landImport(target(), landing)
        landed = made.landed
        done.push(...note(landed))
        return made
      })
      files.applied()
      counts = null
      return { landed: landed as LandedChanges['landed'], committed }
    },
    done: (operation) => doneWrite(database, operation),
    proof(id) {
      return { ...proofOf(database, id), bytes: idTable.bytesHeld(id) + exporting.bytesHeld(id) }
    },
    postingsMode: () => reader.mode,
    degraded: () =>
      reader.fallbackReason === null ? [] : [`posting lists are read by plain statements: ${reader.fallbackReason}`],
    databaseBytes: () => database.sqlite3.wasm.heap8u().byteLength,
    cacheBytes: () => lexical.cacheBytes() + idTable.bytes() + columns.bytes() + (substrings?.bytes() ?? 0),
    close() {
      exporting.close()
      reader.close()
    },
  }
}

/** What a transaction changed, for the log. */
interface Logged {
  readonly changed: readonly string[]
  readonly events: readonly NewEvent[]
}

function isChanged({ changed, events }: Logged): boolean {
  return changed.length > 0 || events.length > 0
}

const repeatedSql = `SELECT content_hash FROM records GROUP BY content_hash HAVING count(*) > 1`

const addedSql = `SELECT id, content_hash, EXISTS (SELECT 1 FROM records AS other WHERE other.content_hash = records.content_hash AND other.key <> records.key)
  FROM records WHERE key = ?`

const existingSql = `SELECT content_hash, fields_hash, text_hash, vectors_hash, created_at, updated_at FROM records WHERE id = ?`

/** Digests are stored with their space in front: vectors of another space are none at all here (law V4). */
function digestIn(space: { readonly row: number } | null, stored: string | null): string | null {
  const prefix = `${space?.row ?? 0}:`
  return stored?.startsWith(prefix) ? stored.slice(prefix.length) : null
}
