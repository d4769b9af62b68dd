/** Checks and rebuilds the columns and rows that derive from a record's text. */
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import type { MetadataScalar } from '../../../src/core/model/query.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { foldForRuns } from '../../../src/core/text/tokenise/path-tokens.ts'
import { costOfText, costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { above } from '../../scheduling/stored-order.ts'
import { all, type BindValue, type Database, first, type Row } from '../../sqlite/database.ts'
import { childrenOf, fileName, insertChildren, plainOf, removeChildren } from '../rows/child-rows.ts'
import { eventKinds } from '../../../src/core/time/event-time.ts'
import { derivedEventTimes, rebuildEventTimes } from '../rows/event-time-rows.ts'
import { readCycleRows } from '../rows/learned/learned-rows.ts'
import type { FormKeys } from '../../languages/form-rows.ts'
import { inputOf } from '../rows/read-block.ts'
import { childBits, readRecord } from '../rows/read-records.ts'
import { checkVocabulary, refillVocabulary } from '../rows/vocabulary-rows.ts'
import { derivedPassages, rebuildPassages } from '../rows/passage-rows.ts'
import { derivedStanding, rebuildStanding } from '../rows/standing-rows.ts'
import type { WriteTarget } from '../rows/write-target.ts'
import { attempt, type Problems } from './integrity.ts'
import { learnedProblems, rebuildLearned } from './learned-state.ts'

/** The problems of records' derived rows and of the vocabulary. */
export function* checkDerived(database: Database, metadataKeys: readonly string[], forms: FormKeys): Steps<Problems> {
  const wrong = yield* checkDerivedRows(database, metadataKeys)
  return [...Array.from(wrong, ([key, what]) => `record ${key}: ${what}`), ...(yield* checkVocabulary(database, forms))]
}

/** Rewrites wrong rows, and the whole vocabulary with its forms. */
export function* repairDerived(target: WriteTarget, forms: FormKeys): Steps<void> {
  const wrong = yield* checkDerivedRows(target.database, target.metadataKeys)
  yield* rebuildDerivedRows(target, wrong.keys())
  yield* refillVocabulary(target.database, forms)
}

/**
 * Returns the keys of records whose derived columns or rows do not match their text, each with a description. Yields the number
 * of records checked. Throws STORE_CORRUPT if keys do not ascend. Skips records that are added or moved to a new key during the check: their rows were just written.
 */
export function* checkDerivedRows(
  database: Database,
  metadataKeys: readonly string[],
): Steps<ReadonlyMap<number, string>> {
  const wrong = new Map<number, string>()
  const last = first(database, `SELECT max(key) FROM records`, [], (row) => row.numberOrNull(0)) ?? 0
  const pace = createPace()
  let seen = 0
  for (let after = 0; after < last; ) {
    const page = all(
      database,
      `SELECT key, children <> ${childMask}, length(body) FROM records WHERE key > ? AND key <= ? ORDER BY key LIMIT ${recordsAtOnce}`,
      [after, last],
      (row) => ({ key: row.number(0), isMasked: row.number(1) === 1, characters: row.number(2) }),
    )
    if (page.length === 0) break
    for (const { key, isMasked, characters } of page) {
      after = above(after, key)
      seen++
      const problem = isMasked ? ['the bit mask of its child tables'] : problemsOf(database, key, metadataKeys)
      if (problem.length > 0) wrong.set(key, problem.join(', '))
      if (!pace.isDue(costOfText(costs.check, characters))) continue
      yield seen
      // The rest of the page may have changed by now.
      break
    }
  }
  yield seen
  return wrong
}

/** Enough for one step; the next step reads the rest of the page again. */
const recordsAtOnce = 50

/** Throws STORE_CORRUPT if a table of the record has no end, because it would have none for each record. */
function problemsOf(database: Database, key: number, metadataKeys: readonly string[]): Problems {
  return attempt('record', () => {
    const stored = storedLines(database, key)
    const derived = derivedLines(database, key, metadataKeys)
    const differing = stored.flatMap((line, i) => (line === derived[i] ? [] : [derivedNames[i]!]))
    return [...differing, ...learnedProblems(database, key)]
  })
}

/** Rewrites what derives from the texts of these records. */
export function* rebuildDerivedRows(
  { database, metadataKeys, textDeleted }: Pick<WriteTarget, 'database' | 'metadataKeys' | 'textDeleted'>,
  keys: Iterable<number>,
): Steps<void> {
  const pace = createPace()
  for (const key of keys) {
    if (pace.isDue(costs.replace)) yield 0
    // First, because the mask decides which child rows are read.
    database.execute(`UPDATE records SET children = ${childMask} WHERE key = ?`, [key])
    const record = parsedOf(database, key)
    const cycles = readCycleRows(database, key)
    removeChildren(database, key, allChildren)
    insertChildren({ database, metadataKeys }, key, record, cycles)
    rebuildEventTimes(database, key)
    rebuildStanding(database, key)
    rebuildPassages(database, key)
    rebuildLearned(database, key)
    database.execute(
      `UPDATE records SET content_hash = ?, text_hash = ?, paths = ?, terms = ?, indexed = ?, children = ? WHERE key = ?`,
      [...derivedColumns(record), key],
    )
    textDeleted()
  }
}

const allChildren = 255
const childMask = Object.entries(childBits)
  .map(([table, bit]) => `${bit} * EXISTS (SELECT 1 FROM ${table} WHERE ${table}.key = records.key)`)
  .join(' + ')
function parsedOf(database: Database, key: number) {
  const stored = readRecord(database, key)
  if (stored === undefined) throw new RangeError('The record is gone.')
  const { contentHash: _hash, ...fields } = inputOf(database, key, stored)
  return parseRecord(fields)
}

const derivedNames = [
  'digests and joined references',
  'files',
  'terms',
  'metadata values',
  'event time',
  'standing request',
  'passages',
]

function derivedColumns(record: ReturnType<typeof parseRecord>): BindValue[] {
  const { contentHash, textHash, pathsText, termsText, indexed } = record
  return [contentHash, textHash, pathsText, termsText, indexed ? 1 : 0, childrenOf(record)]
}

function storedLines(database: Database, key: number): readonly string[] {
  const rows = (sql: string, cells: (row: Row) => readonly unknown[]) =>
    all(database, sql, [key], (row) => JSON.stringify(cells(row))).join('\n')
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
    rows(`SELECT name, value, typeof(plain), plain FROM metadata_values WHERE key = ? ORDER BY name`, (row) => [
      row.text(0),
      row.text(1),
      row.text(2) === 'text' ? row.text(3) : row.numberOrNull(3),
    ]),
    rows(`SELECT kind, time_from, time_before, rule FROM event_times WHERE key = ? ORDER BY place`, (row) => [
      row.number(0),
      row.number(1),
      row.number(2),
      row.textOrNull(3),
    ]),
    rows(`SELECT kind FROM standing WHERE key = ?`, (row) => [row.text(0)]),
    rows(`SELECT borders FROM passages WHERE key = ?`, (row) => Array.from(row.bytes(0))),
  ]
}

/** The same lines, computed from the text. */
function derivedLines(database: Database, key: number, metadataKeys: readonly string[]): readonly string[] {
  const record = parsedOf(database, key)
  const files = record.files.map(({ path, declared }) => [path, fileName(path), declared ? 1 : 0])
  const terms = record.terms.map(({ term, kind, declared }) => [term, foldForRuns(term), kind, declared ? 1 : 0])
  const values = metadataKeys
    .filter((name) => record.metadata[name] !== undefined && record.metadata[name] !== null)
    .filter((name) => typeof record.metadata[name] !== 'object')
    .toSorted(compareCodePoints)
    .map((name) => [name, canonicalJson(record.metadata[name]), plainOf(record.metadata[name] as MetadataScalar)])
  const lines = (list: readonly unknown[]) => list.map((entry) => JSON.stringify(entry)).join('\n')
  const times = derivedEventTimes(database, key).map(({ kind, from, before, rule }) => [
    eventKinds.indexOf(kind),
    from,
    before,
    rule,
  ])
  const request = derivedStanding(database, key)
  const requests = request === null ? [] : [[request]]
  const borders = derivedPassages(database, key)
  const passages = borders === null ? [] : [Array.from(borders)]
  return [derivedColumns(record), files, terms, values, times, requests, passages].map((list, i) =>
    i === 0 ? JSON.stringify(list) : lines(list),
  )
}
