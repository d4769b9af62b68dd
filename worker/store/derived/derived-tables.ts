/**
 * Combines the tables that memory derives from the rows to make reads fast: ids and token counts by key, posting lists,
 * scope keys, columns. Each is updated after a commit and can be rebuilt from the rows at any time.
 */
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { all, type Database } from '../../sqlite/database.ts'
import type { PostingsReader } from '../../sqlite/fts5/postings.ts'
import type { Committed } from '../port/committed.ts'
import type { Store } from '../port/store.ts'
import { conditionOf, keysQuery } from '../queries/scope-sql.ts'
import { type AddedRow } from '../rows/added-rows.ts'
import { createFileStates } from '../rows/file-states.ts'
import type { AuthorityTiers } from './authority-tiers.ts'
import { createIdTable } from './id-table.ts'
import { createLexicalIndex } from './lexical-index.ts'
import { createRecordColumns } from './record-columns.ts'
import { createScopeKeys } from './scope-keys.ts'
import { eachText } from './searched-texts.ts'
import { createSubstringIndex, type SubstringIndex } from './substring-index.ts'
import { createTitles } from './titles.ts'
import type { WordForms } from '../../languages/word-forms.ts'
import { createForms } from './forms.ts'
import { createVocabulary } from './vocabulary.ts'

export interface DerivedTables {
  readonly answers: Pick<
    Store,
    | 'scopeKeys'
    | 'everyKey'
    | 'idOf'
    | 'postings'
    | 'lengths'
    | 'statistics'
    | 'wholeStatistics'
    | 'passages'
    | 'passageStatistics'
    | 'substrings'
    | 'keysByContent'
    | 'gated'
    | 'excluded'
    | 'reasons'
    | 'numbers'
    | 'numbersOf'
    | 'unusual'
    | 'newestFirst'
    | 'sessions'
    | 'due'
    | 'eventTimes'
    | 'standing'
    | 'freshness'
    | 'countValues'
    | 'titles'
    | 'vocabulary'
    | 'forms'
  >
  /** To be called inside the caller's transaction. */
  readonly writeFileStates: ReturnType<typeof createFileStates>['write']
  /** Updates after a commit of records. `rows`: what was read of the added records before the commit, so that nothing is read now. */
  follow(changes: Omit<Committed, 'revision'>, rows: readonly AddedRow[]): void
  /** Updates after a commit that changed only columns. */
  followColumns(changed: readonly string[]): void
  /** Updates after a commit of file states. */
  followFiles(): void
  /** Drops all content hashes from memory. */
  dropContents(): void
  /** Rebuilds everything from the rows. */
  renew(): void
  /** Compares memory with the rows; returns the differences as text, empty if there are none. */
  check(): readonly string[]
  /** Bytes in memory that contain the id. */
  bytesHeld(id: string): number
  bytes(): number
}

/** `size` is larger than every key in use. */
export function createDerivedTables(
  database: Database,
  reader: PostingsReader,
  tiers: AuthorityTiers,
  keyOf: (id: string) => number | undefined,
  size: () => number,
  wordForms: WordForms,
): DerivedTables {
  const openIds = () => {
    const table = createIdTable()
    // In the order of the unique index, so that the planner reads no other one.
    database.each(`SELECT key, id FROM records ORDER BY id`, [], (row) => table.add(row.number(0), row.bytesInPlace(1)))
    return table
  }
  let lexical = createLexicalIndex(database, reader)
  let ids = openIds()
  const openColumns = () =>
    createRecordColumns(
      database,
      keyOf,
      (key) => ids.idOf(key),
      () => lexical.lengths(),
    )
  let columns = openColumns()
  const scopes = createScopeKeys(database)
  const files = createFileStates(database)
  const vocabulary = createVocabulary(database)
  const titles = createTitles(database)
  const forms = createForms(database, wordForms)
  // Built at its first use, because only one policy needs it.
  let substrings: SubstringIndex | null = null
  // Hashes of contents that several records have or had. Nearly all contents are unique, and need no query. The first few are looked up
  // without the hashes, which take longer to read than an answer.
  let fewContents = fewLookups
  let repeated: Set<string> | null = null
  const repeatedContents = () => {
    repeated ??= new Set(all(database, repeatedSql, [], (row) => row.text(0)))
    return repeated
  }

  return {
    answers: {
      scopeKeys: (scope) =>
        conditionOf(scope).sql === '' ? null : scopes.read(canonicalJson(scope), () => keysQuery(scope), size()),
      everyKey: () => scopes.read('', () => ({ sql: `SELECT key FROM records ORDER BY key`, bind: [] }), size()),
      idOf: (key) => ids.idOf(key),
      postings: (phrases) => lexical.postings(phrases),
      lengths: () => lexical.lengths(),
      statistics: (scopeKeys) => lexical.statistics(scopeKeys),
      wholeStatistics: () => lexical.wholeStatistics(),
      passages: () => lexical.passages(),
      passageStatistics: (scopeKeys, by) => lexical.passageStatistics(scopeKeys, by),
      substrings(query, terms, scopeKeys) {
        substrings ??= createSubstringIndex((keys, visit) => eachText(database, keys, visit))
        return substrings.search({ query, terms, scopeKeys })
      },
      keysByContent(hash) {
        const isFew = repeated === null && fewContents-- > 0
        if (!isFew && !repeatedContents().has(hash)) return []
        const keys = all(database, `SELECT key FROM records WHERE content_hash = ?`, [hash], (row) => row.number(0))
        return keys.length > 1 ? keys : []
      },
      gated: () => columns.gates().entries,
      excluded: (rule) => columns.gates().excluded(rule),
      reasons: () => columns.reasons(),
      numbers: (name) => columns.numbers(name),
      numbersOf: (name, keys) => columns.numbersOf(name, keys),
      unusual: (name) => columns.unusual(name),
      newestFirst: (name) => columns.newestFirst(name),
      sessions: () => columns.sessions(),
      due: () => columns.due(),
      eventTimes: () => columns.eventTimes(),
      standing: () => columns.standing(),
      freshness: files.freshness,
      countValues: (key, among) => columns.facet(key).count(among),
      vocabulary,
      titles,
      forms,
    },
    writeFileStates: files.write,
    follow(changes, rows) {
      const addedKeys = changes.added.map((entry) => entry.key)
      vocabulary.clear()
      titles.clear()
      forms.clear()
      lexical.applied(rows, changes.removed)
      try {
        substrings?.applied(addedKeys, changes.removed)
      } catch {
        // A partly updated index is useless. The next search rebuilds it, and reports the error if it happens again.
        substrings = null
      }
      for (const removed of changes.removed) ids.remove(removed)
      for (const { key, id, contentHash, isRepeated } of rows) {
        ids.add(key, id)
        if (isRepeated) repeated?.add(contentHash)
      }
      scopes.clear()
      columns.applied(changes.changed, changes.removed)
      tiers.applied(changes.changed)
      files.applied()
    },
    followColumns: (changed) => columns.applied(changed, []),
    followFiles: files.applied,
    dropContents() {
      repeated = null
    },
    renew() {
      lexical = createLexicalIndex(database, reader)
      ids = openIds()
      columns = openColumns()
      repeated = substrings = null
      vocabulary.clear()
      titles.clear()
      forms.clear()
      tiers.clear()
      scopes.clear()
      files.applied()
    },
    check() {
      const fresh = createLexicalIndex(database, reader)
      const [own, real] = [lexical.lengths(), fresh.lengths()]
      const rows = all(database, `SELECT key, id FROM records`, [], (row) => [row.number(0), row.text(1)] as const)
      const isOff = rows.some(([key]) => own[key] !== real[key])
      const counted = [lexical, fresh].map((index) =>
        canonicalJson([index.statistics(null), index.passageStatistics(null, everyPassage)]),
      )
      return [
        ...(isOff || counted[0] !== counted[1] ? ['token counts in memory are not those of the text index'] : []),
        ...(rows.some(([key, id]) => ids.idOf(key) !== id) ? ['ids in memory are not those of the records'] : []),
      ]
    },
    bytesHeld: (id) => ids.bytesHeld(id),
    bytes: () =>
      [
        lexical.cacheBytes(),
        ids.bytes(),
        columns.bytes(),
        tiers.bytes(),
        scopes.bytes(),
        files.bytes(),
        vocabulary.bytes(),
        titles.bytes(),
        forms.bytes(),
      ].reduce((sum, bytes) => sum + bytes, substrings?.bytes() ?? 0),
  }
}

const everyPassage = { lengths: 0, most: 0, title: 0, rest: 0 }

/** Contents that are looked up before the repeated ones are known. */
const fewLookups = 64

const repeatedSql = `SELECT content_hash FROM records GROUP BY content_hash HAVING count(*) > 1`
