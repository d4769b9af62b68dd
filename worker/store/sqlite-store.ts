/**
 * The store over SQLite: combines the SQL of each subject with the derived tables that make reads fast. Every write is one
 * transaction that raises the revision; the derived tables in memory are updated after it.
 */
import type { Write } from '../../src/core/ingest/plan-write.ts'
import type { ResolvedAuthority } from '../../src/core/model/authority.ts'
import { createWordForms } from '../languages/word-forms.ts'
import { atOnce, costs, isLong, oneStep, type Steps } from '../scheduling/steps.ts'
import { first } from '../sqlite/database.ts'
import { createTextDeletions } from '../sqlite/fts5/delete-texts.ts'
import type { PostingsReader } from '../sqlite/fts5/postings.ts'
import { createStepwisePostings } from '../sqlite/fts5/stepwise-postings.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { createStepwiseDatabase, type StepwiseDatabase } from '../sqlite/stepwise-database.ts'
import { applySettings, type OpenedSettings, problemsOf, type RequestedSettings } from './apply-settings.ts'
import { compactSteps, databaseFileBytes } from './compact-database.ts'
import { createCounters } from './counters.ts'
import { createAuthorityTiers } from './derived/authority-tiers.ts'
import { createCachedRows } from './derived/cached-rows.ts'
import { createDerivedTables } from './derived/derived-tables.ts'
import { createLackingVectors } from './derived/lacking-vectors.ts'
import { applyImport, costOfImport, type ImportedChanges } from './export/apply-import.ts'
import { createExports } from './export/export.ts'
import { openHistory } from './history/store-history.ts'
import { inHalves } from './in-halves.ts'
import { checkDerived, repairDerived } from './integrity/derived-rows.ts'
import {
  checkFile,
  checkTextIndex,
  checkVectorRows,
  rebuildTextIndex,
  rebuildVectorRows,
} from './integrity/integrity.ts'
import { migrate } from './migrate.ts'
import type { Committed, DoneOperation } from './port/committed.ts'
import type { Store } from './port/store.ts'
import { createRecordQueries } from './queries/record-queries.ts'
import { type AddedRow, readAddedRows } from './rows/added-rows.ts'
import { keepStandIn, writeNewVectors } from './rows/embed-rows.ts'
import type { Logged } from './rows/event-rows.ts'
import { forgetKeys, proofOf } from './rows/forget-records.ts'
import { readGraph, writeGraph } from './rows/graph-rows.ts'
import { noteHeldTiers } from './rows/held-tiers.ts'
import { createLearning, openChanges } from './rows/learning.ts'
import { doneWrite } from './rows/operation-rows.ts'
import { unmarkPending } from './rows/pending-mark.ts'
import { readRetentionRows } from './rows/retention-rows.ts'
import { createWordCounts } from './rows/vocabulary-rows.ts'
import { applyWrites, costOf } from './rows/write-records.ts'
import type { WriteTarget } from './rows/write-target.ts'
import { createTransactions, type How } from './transactions.ts'
import { createVectorSpace } from './vector-space.ts'

export interface SqliteStore extends Store {
  /** Whether opening rebuilt rows because options changed. */
  readonly isRebuilt: boolean
  /** One transaction after which the store has this revision, whatever `work` changed. `cost`: as in `scheduling/steps.ts`. */
  follow(
    revision: number,
    cost: number,
    work: (target: WriteTarget) => Steps<Omit<Committed, 'revision'> & Logged>,
  ): Steps<Committed>
  /** Frees prepared statements and temporary triggers; the database stays open. */
  close(): void
}

/** `openReader`: see `OpenStorage`. Without it, transactions do not pause. `file`: see `createCounters`. */
export function createSqliteStore(
  writer: SqliteDatabase,
  requested: RequestedSettings,
  authority: ResolvedAuthority | null = null,
  openReader?: () => SqliteDatabase,
  file: string | null = null,
): SqliteStore {
  writer.boundWork()
  const applied = applySettings(writer, migrate(writer, requested), requested)
  const database = createStepwiseDatabase(writer, openReader, (ended) => reader.closeOf(ended.pointer))
  const reader = createStepwisePostings(database, 'record_fts')
  try {
    return createStoreOver(database, writer, { ...applied, authority, file, keeps: requested.history === true }, reader)
  } catch (error) {
    // An unfinished statement keeps the connection's files open; then this thread could not open the store again.
    reader.close()
    throw error
  }
}

function createStoreOver(
  database: StepwiseDatabase,
  writer: SqliteDatabase,
  { settings, isRebuilt, refused, authority, file, keeps }: OpenedSettings,
  reader: PostingsReader,
): SqliteStore {
  let revision = first(database, `SELECT value FROM settings WHERE name = 'revision'`, [], (row) => row.number(0)) ?? 0
  const forms = createWordForms(settings.languages, settings.stemmer)
  const counters = createCounters(database, file)
  const vectors = createVectorSpace(database, () => revision)
  const lacking = createLackingVectors(database, vectors.row, vectors.standInRow)
  const tiers = createAuthorityTiers(database, authority)
  const queries = createRecordQueries(database, () => [vectors.row(), vectors.standInRow()], tiers.effective)
  const cached = createCachedRows({ hydrate: queries.hydrate, vectorsOf: vectors.answers.vectorsOf })
  const derived = createDerivedTables(database, reader, tiers, queries.keyOf, () => counters.now().nextKey, forms)
  const learning = createLearning(database, () => revision)
  // The writing connection has the triggers that keep records before they change, so an export reads one revision.
  const exporting = createExports(writer, settings)
  const deletions = createTextDeletions(database)
  const words = createWordCounts(writer, database, forms)
  const history = openHistory(writer, database, () => counters.now().clock, keeps)

  const transact = createTransactions({
    database,
    counters,
    deletions,
    words,
    history: history.keeper,
    revision: () => revision,
    setRevision(next) {
      revision = next
      cached.clear()
    },
  })

  /** Runs the writes of one transaction, then updates the derived tables. */
  function* commit(
    done: readonly DoneOperation[],
    how: How,
    work: () => Steps<Omit<Committed, 'revision'> & Logged>,
  ): Steps<Committed> {
    let rows: readonly AddedRow[] = []
    const gathering = function* () {
      const written = yield* work()
      rows = yield* readAddedRows(database, written.added)
      return written
    }
    const { events: _logged, ...changes } = yield* transact(gathering, () => done, how)
    if (changes.changed.length === 0) return { ...changes, revision }
    try {
      derived.follow(changes, rows)
      lacking.follow(changes, rows)
      return { ...changes, revision }
    } catch {
      // Out of memory or disk. The rows are committed, so the write must not be reported as failed.
      return { ...changes, revision, isStale: true }
    }
  }

  const target = (): WriteTarget => ({
    database,
    metadataKeys: settings.metadataKeys,
    space: vectors.row(),
    standIn: vectors.standInRow(),
    takeKey: counters.takeKey,
    takeStamp: counters.takeStamp,
    seeStamp: counters.seeStamp,
    textsToDelete: deletions.expect,
    textDeleted: deletions.deleted,
  })

  return {
    settings,
    isRebuilt,
    history: history.known,
    revision: () => revision,
    lastKey: () => counters.now().nextKey - 1,
    reading: database.reading,
    ...queries,
    ...derived.answers,
    cached,
    ...vectors.answers,
    readGraph: () => readGraph(database),
    writeGraph: (graph) => writeGraph(database, graph),
    chooseSpace(chosen, standIn) {
      vectors.choose(chosen, standIn)
      cached.clear()
      lacking.renew()
    },
    vectorCounts: vectors.counts,
    commit(writes: readonly Write[], done = []) {
      const cost = writes.reduce((sum, write) => sum + costOf(write), 0)
      return commit(done, { pauses: isLong(cost) }, () => applyWrites(target(), writes))
    },
    commitFileStates(states, now, done = []) {
      const isDeletion = states.every(({ exists }) => exists === null)
      const write = () => ({ changed: derived.writeFileStates(states, now, counters.takeStamp), events: [] })
      const { changed } = atOnce(
        transact(
          () => oneStep(write),
          () => done,
          { isDeletion },
        ),
      )
      if (changed.length > 0) derived.followFiles()
      return revision
    },
    forget(ids, at, done = []) {
      const pauses = isLong(ids.length * costs.remove)
      return inHalves(ids, done, (part, noted) =>
        commit(noted, { pauses, isDeletion: true }, function* () {
          const changes = yield* forgetKeys(target(), part, at)
          // Forgetting must leave not even a hash. Only now, because a read between two steps may have loaded the hashes again.
          derived.dropContents()
          history.erased()
          return changes
        }),
      )
    },
    learning,
    learn(at, work, operation) {
      const note = ({ answer }: { readonly answer: unknown }) =>
        operation === undefined ? [] : [{ operation, at, answer: JSON.stringify(answer) }]
      const change = () => {
        const open = openChanges(database, learning, { at, revision: revision + 1, takeStamp: counters.takeStamp })
        return { answer: work(open.changes), events: open.events, changed: [...open.changed] }
      }
      const { answer, changed } = atOnce(transact(() => oneStep(change), note))
      derived.followColumns(changed)
      return { answer, committed: { added: [], removed: [], changed, revision } }
    },
    lacking: lacking.counts,
    pendingVectors: lacking.pending,
    attachVectors: (given, as = 'own') =>
      commit([], { pauses: isLong(given.length * costs.replace) }, function* () {
        const before = lacking.pending()
        const written = yield* writeNewVectors(target(), given, as)
        if (before > 0 && before === written.waited) unmarkPending(database)
        return { ...written, events: [] }
      }),
    *keepStandIn(records) {
      const changes = yield* commit([], {}, () => oneStep(() => ({ ...keepStandIn(target(), records), events: [] })))
      lacking.renew()
      return changes
    },
    fileBytes: () => databaseFileBytes(database),
    compactSteps: () => compactSteps(database),
    retentionRows: (config) => readRetentionRows(database, config),
    *check(part) {
      if (part === 'sqlite') return yield* checkFile(database)
      if (part === 'fts') return checkTextIndex(database)
      if (part === 'vectors') return yield* checkVectorRows(database)
      return [...(yield* checkDerived(database, settings.metadataKeys, forms)), ...derived.check()]
    },
    *repair(part) {
      yield* database.inSteps({ pauses: true }, function* () {
        if (part === 'fts') rebuildTextIndex(database)
        else if (part === 'vectors') yield* rebuildVectorRows(database)
        else {
          deletions.begin()
          yield* repairDerived(target(), forms)
          yield* deletions.end()
        }
      })
      derived.renew()
      cached.clear()
      lacking.renew()
      vectors.recount()
    },
    openExport: exporting.begin,
    *applyImport(request, note = () => []) {
      let imported: ImportedChanges | undefined
      const done: DoneOperation[] = []
      const committed = yield* commit(done, { pauses: isLong(costOfImport(request)) }, function* () {
        done.length = 0
        const changes = yield* applyImport(target(), request)
        derived.dropContents()
        history.erased()
        noteHeldTiers(database, request)
        imported = changes
        done.push(...note(changes.counts))
        return changes
      })
      derived.followFiles()
      vectors.recount()
      const { counts, conflicts } = imported!
      return { counts, conflicts, committed }
    },
    *follow(to, cost, work) {
      const committed = yield* commit([], { pauses: isLong(cost), revision: to }, function* () {
        const changes = yield* work(target())
        derived.dropContents()
        return changes
      })
      derived.followFiles()
      vectors.recount()
      return committed
    },
    done: (operation) => doneWrite(database, operation),
    proof(id) {
      return { ...proofOf(database, id), bytes: derived.bytesHeld(id) + exporting.bytesHeld(id) }
    },
    clock: () => counters.now().clock.at,
    postingsMode: () => reader.mode,
    degraded: () => problemsOf(reader.fallbackReason, refused),
    databaseBytes: () => database.sqlite3.wasm.heap8u().byteLength,
    cacheBytes: () => derived.bytes() + cached.bytes(),
    close() {
      exporting.close()
      reader.close()
    },
  }
}
