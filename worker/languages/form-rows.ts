/** Writes the word forms that follow from the vocabulary: each word under each of its keys in the languages of the store. */
import type { WordForms } from './word-forms.ts'
import { all, type Database } from '../sqlite/database.ts'

/** How words are reduced to keys. */
export type FormKeys = Pick<WordForms, 'keysOf' | 'neutralKeyOf'>

/** Words that are stored already stay as they are. */
export function addForms(database: Database, forms: FormKeys, words: readonly string[]): void {
  eachSlice(rowsOf(forms, words), (rows) => database.execute(addSql, [rows]))
}

/** Removes the forms of words that have left the vocabulary. */
export function dropForms(database: Database, forms: FormKeys, words: readonly string[]): void {
  eachSlice(rowsOf(forms, words), (rows) => database.execute(dropSql, [rows]))
}

/** Writes the forms of the whole vocabulary. To be called inside a transaction. */
export function refillForms(database: Database, forms: FormKeys): void {
  database.execute(`DELETE FROM forms WHERE records IS NULL`)
  fillForms(database, forms)
}

/** `refillForms` without removing rows first. */
export function fillForms(database: Database, forms: FormKeys): void {
  addForms(database, forms, vocabularyOf(database))
}

/** Whether the rows are those of the vocabulary. */
export function areFormsRight(database: Database, forms: FormKeys): boolean {
  const stored = all(database, `SELECT key, word FROM forms WHERE records IS NULL`, [], (row) =>
    JSON.stringify([row.text(0), row.text(1)]),
  )
  const right = new Set(rowsOf(forms, vocabularyOf(database)).map((row) => JSON.stringify(row)))
  return stored.length === right.size && stored.every((row) => right.has(row))
}

function vocabularyOf(database: Database): readonly string[] {
  return all(database, `SELECT word FROM vocabulary ORDER BY word`, [], (row) => row.text(0))
}

function rowsOf({ keysOf }: FormKeys, words: readonly string[]): readonly (readonly [string, string])[] {
  return words.flatMap((word) => keysOf(word).map((key) => [key, word] as const))
}

/** One statement takes many rows, because a call of SQLite costs as much as its work. */
function eachSlice(rows: readonly (readonly [string, string])[], visit: (rows: string) => void): void {
  for (let from = 0; from < rows.length; from += rowsAtOnce) visit(JSON.stringify(rows.slice(from, from + rowsAtOnce)))
}

const rowsAtOnce = 1000

const addSql = `INSERT OR IGNORE INTO forms (key, word) SELECT value ->> 0, value ->> 1 FROM json_each(?)`
const dropSql = `DELETE FROM forms WHERE (key, word) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
  AND NOT EXISTS (SELECT 1 FROM vocabulary WHERE vocabulary.word = forms.word)`
