/**
 * What memory holds of the rows so that reads are cheap: ids and token counts by key, posting lists, scope members, columns.
 * Each table follows a commit, never leads it, and can be made anew from the rows at any time.
 */
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { all, type Database } from '../../sqlite/database.ts'
import type { PostingsReader } from '../../sqlite/fts5/postings.ts'
import type { Committed } from '../port/committed.ts'
import type { Store } from '../port/store.ts'
import { type AddedRow } from '../rows/added-rows.ts'
import { createFileStates } from '../rows/file-states.ts'
import { conditionOf, keysQuery } from '../rows/scope-sql.ts'
import type { AuthorityTiers } from './authority-tiers.ts'
import { createIdTable } from './id-table.ts'
import { createLexicalIndex } from './lexical-index.ts'
import { createRecordColumns } from './record-columns.ts'
import { createScopeMembers } from './scope-members.ts'
import { eachText } from './searched-texts.ts'
import { createSubstringIndex, type SubstringIndex } from './substring-index.ts'

export interface DerivedTables {
  readonly answers: Pick<
    Store,
    | 'members'
    | 'everyKey'
    | 'idOf'
    | 'postings'
    | 'lengths'
    | 'statistics'
    | 'wholeStatistics'
    | 'substrings'
    | 'keysByContent'
    | 'gated'
    | 'reasons'
    | 'numbers'
    | 'unusual'
    | 'newestFirst'
    | 'sessions'
    | 'due'
    | 'freshness'
  >
  /** Inside the caller's transaction. */
  readonly writeFileStates: ReturnType<typeof createFileStates>['write']
  /** After a commit of records, with what was read of those it added: so that nothing is read in one long piece. */
  follow(changes: Omit<Committed, 'revision'>, rows: readonly AddedRow[]): void
  /** After a commit that changed columns alone. */
  followColumns(changed: readonly string[]): void
  /** After a commit of file states. */
  followFiles(): void
  /** Keeps no hash of a content. */
  dropContents(): void
  /** Everything anew, from the rows. */
  renew(): void
  /** What memory holds against the rows, in words; empty: they agree. */
  check(): readonly string[]
  /** Bytes in which the id stands. */
  bytesHeld(id: string): number
  bytes(): number
}

/** `size` is above every key in use. */
export function createDerivedTables(
  database: Database,
  reader: PostingsReader,
  tiers: AuthorityTiers,
  keyOf: (id: string) => number | undefined,
  size: () => number,
): DerivedTables {
  const openIds = () => {
    const table = createIdTable()
    database.each(`SELECT key, id FROM records`, [], (row) => table.add(row.number(0), row.bytesInPlace(1)))
    return table
  }
  let lexical = createLexicalIndex(database, reader)
  let ids = openIds()
  const openColumns = () => createRecordColumns(database, keyOf, (key) => ids.idOf(key))
  let columns = openColumns()
  const scopes = createScopeMembers(database)
  const files = createFileStates(database)
  // Only one policy asks for it: its room is taken when it does.
  let substrings: SubstringIndex | null = null
  // Contents that more than one record has, or had: nearly all have one, and then there is nothing to look up.
  let repeated: Set<string> | null = null
  const repeatedContents = () => {
    repeated ??= new Set(all(database, repeatedSql, [], (row) => row.text(0)))
    return repeated
  }

  return {
    answers: {
      members: (scope) =>
        conditionOf(scope).sql === '' ? null : scopes.read(canonicalJson(scope), () => keysQuery(scope), size()),
      everyKey: () => scopes.read('', () => ({ sql: `SELECT key FROM records ORDER BY key`, bind: [] }), size()),
      idOf: (key) => ids.idOf(key),
      postings: (phrases) => lexical.postings(phrases),
      lengths: () => lexical.lengths(),
      statistics: (members) => lexical.statistics(members),
      wholeStatistics: () => lexical.wholeStatistics(),
      substrings(query, terms, members) {
        substrings ??= createSubstringIndex((keys, visit) => eachText(database, keys, visit))
        return substrings.search({ query, terms, members })
      },
      keysByContent: (hash) =>
        repeatedContents().has(hash)
          ? all(database, `SELECT key FROM records WHERE content_hash = ?`, [hash], (row) => row.number(0))
          : [],
      gated: () => columns.gates(),
      reasons: () => columns.reasons(),
      numbers: (name) => columns.numbers(name),
      unusual: (name) => columns.unusual(name),
      newestFirst: (name) => columns.newestFirst(name),
      sessions: () => columns.sessions(),
      due: () => columns.due(),
      freshness: files.freshness,
    },
    writeFileStates: files.write,
    follow(changes, rows) {
      const addedKeys = changes.added.map((entry) => entry.key)
      lexical.applied(rows, changes.removed)
      try {
        substrings?.applied(addedKeys, changes.removed)
      } catch {
        // Half applied it is worth nothing: the next search makes it anew, and meets what went wrong here.
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
      tiers.clear()
      scopes.clear()
      files.applied()
    },
    check() {
      const fresh = createLexicalIndex(database, reader)
      const [own, real] = [lexical.lengths(), fresh.lengths()]
      const rows = all(database, `SELECT key, id FROM records`, [], (row) => [row.number(0), row.text(1)] as const)
      const isOff = rows.some(([key]) => own[key] !== real[key])
      const counted = [lexical, fresh].map((index) => canonicalJson(index.statistics(null)))
      return [
        ...(isOff || counted[0] !== counted[1] ? ['token counts in memory are not those of the text index'] : []),
        ...(rows.some(([key, id]) => ids.idOf(key) !== id) ? ['ids in memory are not those of the records'] : []),
      ]
    },
    bytesHeld: (id) => ids.bytesHeld(id),
    bytes: () =>
      [lexical.cacheBytes(), ids.bytes(), columns.bytes(), tiers.bytes(), scopes.bytes(), files.bytes()].reduce(
        (sum, bytes) => sum + bytes,
        substrings?.bytes() ?? 0,
      ),
  }
}

const repeatedSql = `SELECT content_hash FROM records GROUP BY content_hash HAVING count(*) > 1`
