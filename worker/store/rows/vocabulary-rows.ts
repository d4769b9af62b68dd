/**
 * Writes the vocabulary: each word as it is written, with the number of records that hold it; and each part of a word in the same way, as a row of
 * `forms`. Triggers note the words of records as they change; the sums are written once in a transaction, because its records share most
 * of their words.
 */
import { hasInnerCapital, partsOf } from '../../../src/core/query/joined-words.ts'
import { writtenWords } from '../../../src/core/text/tokenise/written-words.ts'
import { costOfText, costs, createPace, type Steps } from '../../scheduling/steps.ts'
import { above } from '../../scheduling/stored-order.ts'
import { all, countRows, type Database, first, type Row } from '../../sqlite/database.ts'
import { defineFunction } from '../../sqlite/define-function.ts'
import type { SqliteDatabase } from '../../sqlite/sqlite-database.ts'
import { addForms, areFormsRight, dropForms, type FormKeys, refillForms } from '../../languages/form-rows.ts'
import { textColumns } from '../migrations/0007-vocabulary.ts'

export interface WordCounts {
  /** To be called at the start of each transaction, because the one before may have been rolled back. */
  begin(): void
  /** To be called at the end of each transaction. */
  end(): Steps<void>
}

/** Registers the SQL function that the triggers call: a sign, and the texts of a record. */
export function createWordCounts(writer: SqliteDatabase, database: Database, forms: FormKeys): WordCounts {
  let noted = new Map<string, number>()
  defineFunction(writer, { name: 'note_words', length: 1 + textColumns.length }, (sign, ...texts) => {
    const words = entriesOf(
      texts.filter((text) => typeof text === 'string'),
      forms,
    )
    for (const word of words) noted.set(word, (noted.get(word) ?? 0) + Number(sign))
    return null
  })
  return {
    begin() {
      noted = new Map()
    },
    *end() {
      const changes = noted
      noted = new Map()
      const lost: string[] = []
      const gained: string[] = []
      for (const [word, change] of changes) {
        if (change === 0) changes.delete(word)
        else if (!isPart(word)) (change < 0 ? lost : gained).push(word)
      }
      yield* addCounts(database, changes)
      if (lost.length > 0) database.execute(dropSql, [JSON.stringify(lost)])
      addForms(database, forms, gained)
      dropForms(database, forms, lost)
    },
  }
}

/** Those of the words that the vocabulary has. */
export function heldWords(database: Database, words: readonly string[]): readonly string[] {
  return all(database, heldSql, [JSON.stringify(words)], (row) => row.text(0))
}

const heldSql = `SELECT word FROM vocabulary WHERE word IN (SELECT value FROM json_each(?))`

/** The distinct words of a record, and an entry for each part of a word: the key of the part, a space, the word. */
function entriesOf(texts: Iterable<string | null>, { neutralKeyOf }: FormKeys): ReadonlySet<string> {
  const parts = new Set<string>()
  const words = writtenWords(texts, hasInnerCapital, (word, written) => {
    for (const part of partsOf(written)) parts.add(`${neutralKeyOf(part)} ${word}`)
  })
  for (const part of parts) words.add(part)
  return words
}

/** Adds counts in the order of the words. One statement takes many, because a call of SQLite costs as much as its work. */
function* addCounts(database: Database, counts: ReadonlyMap<string, number>): Steps<void> {
  const words = [...counts.keys()].sort()
  for (let from = 0; from < words.length; from += wordsAtOnce) {
    if (from > 0) yield 0
    // Written by hand, because objects with many names are slow to build.
    const some = words.slice(from, from + wordsAtOnce)
    const rows = some.map((word) => `${JSON.stringify(word)}:${counts.get(word)}`).join()
    database.execute(addSql, [`{${rows}}`])
    // Parts come first in the order, and most stores have none.
    if (isPart(some[0]!)) for (const sql of partsSqls) database.execute(sql, [`{${rows}}`])
  }
}

const wordsAtOnce = 1000

/** Their keys begin with a space. */
function isPart(entry: string): boolean {
  return entry.startsWith(' ')
}

const addSql = `INSERT INTO vocabulary SELECT key, value FROM json_each(?) WHERE key > '!'
  ON CONFLICT (word) DO UPDATE SET records = records + excluded.records`
const dropSql = `DELETE FROM vocabulary WHERE records <= 0 AND word IN (SELECT value FROM json_each(?))`

const partRows = `SELECT substr(key, 1, space) AS part, substr(key, space + 2) AS word, value AS records
  FROM (SELECT key, value, instr(substr(key, 2), ' ') AS space FROM json_each(?) WHERE key < '!')`
const partsSqls = [
  `INSERT INTO forms ${partRows} WHERE true ON CONFLICT (key, word) DO UPDATE SET records = records + excluded.records`,
  `DELETE FROM forms WHERE records <= 0 AND (key, word) IN (SELECT part, word FROM (${partRows}) WHERE records < 0)`,
]

/** Writes the vocabulary of all records, and its forms. To be called inside a transaction. */
export function* refillVocabulary(database: Database, forms: FormKeys): Steps<void> {
  yield* refillCounts(database, forms)
  refillForms(database, forms)
}

export function* refillCounts(database: Database, forms: FormKeys): Steps<void> {
  const counts = yield* countWords(database, forms)
  database.execute(`DELETE FROM vocabulary`)
  database.execute(`DELETE FROM forms WHERE records IS NOT NULL`)
  yield* addCounts(database, counts)
}

/**
 * Empty, or one problem. Yields the number of records, because they have been checked before. Counts again when a write comes between two steps; after two such writes, in one step.
 */
export function* checkVocabulary(database: Database, forms: FormKeys): Steps<readonly string[]> {
  const revision = () =>
    first(database, `SELECT value FROM settings WHERE name = 'revision'`, [], (row) => row.number(0))
  const records = countRows(database, 'records')
  for (let round = 0; ; round++) {
    const before = revision()
    const steps = countWords(database, forms)
    let step = steps.next()
    for (; !step.done; step = steps.next()) if (round < 2) yield records
    if (revision() !== before) continue
    if (!isEqual(database, step.value)) return ['the vocabulary is not that of the records']
    return areFormsRight(database, forms) ? [] : ['the word forms are not those of the vocabulary']
  }
}

/** Yields the number of records counted. */
function* countWords(database: Database, forms: FormKeys): Steps<Map<string, number>> {
  const counts = new Map<string, number>()
  const pace = createPace()
  let records = 0
  for (let after = 0; ; ) {
    const texts = first(database, nextSql, [after], (row) => ({ key: row.number(0), texts: textsOf(row) }))
    if (texts === undefined) return counts
    after = above(after, texts.key)
    records++
    for (const word of entriesOf(texts.texts, forms)) counts.set(word, (counts.get(word) ?? 0) + 1)
    const characters = texts.texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    if (pace.isDue(costOfText(costs.read, characters))) yield records
  }
}

const nextSql = `SELECT key, ${textColumns.join(', ')} FROM records WHERE key > ? ORDER BY key LIMIT 1`

/** The texts of a record whose words count, by its key. */
export function textsOfRecord(database: Database, key: number): readonly (string | null)[] {
  return first(database, `SELECT key, ${textColumns.join(', ')} FROM records WHERE key = ?`, [key], textsOf) ?? []
}

/** The words of these texts. */
export function wordsOf(database: Database, key: number): ReadonlySet<string> {
  return writtenWords(textsOfRecord(database, key))
}

function textsOf(row: Row): readonly (string | null)[] {
  return textColumns.map((_, i) => row.textOrNull(i + 1))
}

const countsSql = `SELECT word, records FROM vocabulary
  UNION ALL SELECT key || ' ' || word, records FROM forms WHERE records IS NOT NULL`

function isEqual(database: Database, counts: ReadonlyMap<string, number>): boolean {
  const rows = all(database, countsSql, [], (row) => [row.text(0), row.number(1)] as const)
  return rows.length === counts.size && rows.every(([word, records]) => counts.get(word) === records)
}
