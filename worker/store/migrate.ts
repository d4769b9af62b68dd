/**
 * Migrates a database to the newest schema: numbered migrations, forward only, each in one transaction.
 * Refuses a database that is not a Scrubjay store or has a newer schema, and leaves it unchanged.
 */
import { recallError } from '../../src/core/model/errors.ts'
import { defaultLanguages } from '../../src/core/model/languages.ts'
import { indexForm, needsIndexForm } from '../../src/core/text/tokenise/index-form.ts'
import { fillForms } from '../languages/form-rows.ts'
import { createWordForms } from '../languages/word-forms.ts'
import { atOnce } from '../scheduling/steps.ts'
import { above } from '../scheduling/stored-order.ts'
import { applicationId } from '../sqlite/application-id.ts'
import { all, countRows, type Database, first } from '../sqlite/database.ts'
import { defineFunction } from '../sqlite/define-function.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { fillTextIndex, foundation, textIndex } from './migrations/0001-foundation.ts'
import { pressing } from './migrations/0002-pressing.ts'
import { vectorGraph } from './migrations/0003-vector-graph.ts'
import { eventTimes } from './migrations/0004-event-times.ts'
import { browsing } from './migrations/0005-browsing.ts'
import { merging } from './migrations/0006-merge.ts'
import { textColumns, vocabulary } from './migrations/0007-vocabulary.ts'
import { chatMemory } from './migrations/0008-chat-memory.ts'
import { languages } from './migrations/0009-languages.ts'
import { learnedReports } from './migrations/0010-reports.ts'
import { parts } from './migrations/0011-parts.ts'
import { fieldStamps } from './migrations/0012-fields.ts'
import { repeatedTimes } from './migrations/0013-repeated-times.ts'
import { words } from './migrations/0014-words.ts'
import { passages } from './migrations/0015-passages.ts'
import { versions } from './migrations/0016-versions.ts'
import { isSameSet, type Migration, type StoreSettings } from './migrations/migration.ts'
import { fillPlainValues } from './rows/child-rows.ts'
import { refillEventTimes } from './rows/event-time-rows.ts'
import { bringIntoReports } from './rows/learned/earlier-rows.ts'
import { refillPassages } from './rows/passage-rows.ts'
import { refillStanding } from './rows/standing-rows.ts'
import { parseStoredList } from './rows/stored-json.ts'
import { refillCounts, refillVocabulary } from './rows/vocabulary-rows.ts'

/** In order; the first is version 1. A released migration never changes: test/fixtures/stores has a store of each version. */
export const migrations: readonly Migration[] = [
  foundation,
  pressing,
  vectorGraph,
  eventTimes,
  browsing,
  merging,
  vocabulary,
  chatMemory,
  languages,
  learnedReports,
  parts,
  fieldStamps,
  repeatedTimes,
  words,
  passages,
  versions,
]

/**
 * Migrates and returns the settings of the store; `requested` applies only to a new store. An interrupted migration leaves the
 * previous version, from which the next opening continues. Throws STORE_NEWER, STORE_CORRUPT.
 */
export function migrate(
  database: SqliteDatabase,
  requested: Partial<StoreSettings> & { readonly tell?: Tell | undefined },
  steps: readonly Migration[] = migrations,
): StoreSettings {
  registerIndexForm(database)
  const version = pragma(database, 'user_version')
  const application = pragma(database, 'application_id')
  const tables = first(database, `SELECT count(*) FROM sqlite_schema`, [], (row) => row.number(0)) ?? 0
  if (tables > 0 && application !== applicationId) {
    throw recallError('STORE_CORRUPT', 'The file is a SQLite database, but not a Scrubjay store', {
      hint: 'Open another name.',
    })
  }
  const newest = steps.length
  if (version > newest) {
    throw recallError('STORE_NEWER', 'A newer Scrubjay wrote the store', {
      value: version,
      hint: `Reload the page to get the newer build. This build reads schema ${newest}.`,
    })
  }
  if (tables === 0) database.execute(`PRAGMA application_id=${applicationId}`)
  for (const migration of steps) {
    if (migration.version > version) apply(database, migration, settingsOfNew(requested), requested.tell)
  }
  return readSettings(database)
}

/** The settings of a new store whose opener gives none. */
export const defaultSettings: StoreSettings = {
  stemmer: 'porter',
  metadataKeys: [],
  languages: defaultLanguages,
}

/** The settings of a new store; those that are undefined get their default. */
export function settingsOfNew(requested: Partial<StoreSettings>): StoreSettings {
  const given = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined))
  return { ...defaultSettings, ...given }
}

function apply(
  database: SqliteDatabase,
  migration: Migration,
  settings: StoreSettings,
  tell: Tell = () => undefined,
): void {
  database.transaction(() => {
    for (const statement of migration.statements(settings)) database.execute(statement)
    if (migration === repeatedTimes) refillEventTimes(database)
    if (migration === passages) refillPassages(database)
    if (migration === browsing) fillPlainValues(database)
    if (migration === words) refillStanding(database)
    if (migration === learnedReports) bringIntoReports(database)
    if (migration === parts) {
      const forms = createWordForms(defaultLanguages, readSettings(database).stemmer)
      // The words of stores before version 7, too.
      atOnce(refillCounts(database, forms))
      fillForms(database, forms)
    }
    if (migration === words) refillWords(database, tell)
    if (migration.version === 1) {
      database.execute(`INSERT INTO settings VALUES ('stemmer', ?), ('metadataKeys', ?)`, [
        settings.stemmer,
        JSON.stringify(settings.metadataKeys),
      ])
      if (!isSameSet(settings.languages, defaultLanguages))
        database.execute(`INSERT INTO settings VALUES ('languages', ?)`, [JSON.stringify(settings.languages)])
    }
    database.execute(`PRAGMA user_version=${migration.version}`)
  })
}

/** Writes the text index, the vocabulary and the word forms again, in slices. */
function refillWords(database: SqliteDatabase, tell: Tell): void {
  const { stemmer, languages } = readSettings(database)
  for (const statement of textIndex(stemmer)) database.execute(statement)
  const total = countRows(database, 'records')
  if (total === 0) return
  const shape = { name: 'needs_index_form', length: textColumns.length, isDeterministic: true }
  defineFunction(database, shape, (...texts) =>
    texts.some((text) => typeof text === 'string' && needsIndexForm(text)) ? '1' : '',
  )
  let done = 0
  for (let from = 0; ; ) {
    tell(done, total)
    const keys = all(database, nextKeysSql, [from, recordsAtOnce], (row) => row.number(0))
    if (keys.length === 0) break
    const upTo = keys.reduce((before, key) => above(before, key), from)
    database.execute(markIndexedSql, [from, upTo])
    database.execute(fillTextIndex, [from, upTo])
    from = upTo
    done += keys.length
  }
  atOnce(refillVocabulary(database, createWordForms(languages, stemmer)))
}

type Tell = (done: number, total: number) => void

const recordsAtOnce = 1_000
const nextKeysSql = `SELECT key FROM records WHERE key > ? ORDER BY key LIMIT ?`
const markIndexedSql = `UPDATE records SET indexed = needs_index_form(${textColumns.join(', ')}) <> '' WHERE key > ? AND key <= ?`

export function readSettings(database: Database): StoreSettings {
  const read = (name: string) =>
    first(database, `SELECT value FROM settings WHERE name = ?`, [name], (row) => row.text(0)) ?? ''
  const languages = read('languages')
  return {
    stemmer: read('stemmer') === 'none' ? 'none' : 'porter',
    metadataKeys: parseStoredList('metadataKeys', read('metadataKeys') || '[]', 'string'),
    // A store in English has no such row.
    languages: languages === '' ? defaultLanguages : parseStoredList('languages', languages, 'string'),
  }
}

function pragma(database: Database, name: string): number {
  return first(database, `PRAGMA ${name}`, [], (row) => row.number(0)) ?? 0
}

/** Registers the SQL function that triggers call. It is pure, so it is safe in a schema that is not trusted. */
function registerIndexForm(database: SqliteDatabase): void {
  const shape = { name: 'index_form', length: 1, isDeterministic: true }
  defineFunction(database, shape, (text) => (typeof text === 'string' ? indexForm(text) : null))
}
