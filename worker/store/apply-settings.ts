/**
 * Applies options that differ from the stored ones. Rebuilds the rows that depend on them in one transaction, before any read;
 * an interrupted rebuild leaves the store as it was. Each setting has one entry.
 */
import type { ResolvedAuthority } from '../../src/core/model/authority.ts'
import { RecallError } from '../../src/core/model/errors.ts'
import { builtInSpace, needsLanguagesTable } from '../../src/protocol/embedder.ts'
import { atOnce } from '../scheduling/steps.ts'
import { above } from '../scheduling/stored-order.ts'
import { all, countRows, type Database } from '../sqlite/database.ts'
import { readSettings } from './migrate.ts'
import { fillTextIndex, textIndex } from './migrations/0001-foundation.ts'
import { isSameSet, type StoreSettings } from './migrations/migration.ts'
import { createWordForms } from '../languages/word-forms.ts'
import { insertMetadataValues } from './rows/child-rows.ts'
import { refillForms } from '../languages/form-rows.ts'
import { makeVectorsAgain } from './rows/embed-rows.ts'
import { refillVocabulary } from './rows/vocabulary-rows.ts'

/** The options of an opener; undefined keeps the stored value. */
export interface RequestedSettings extends Partial<StoreSettings> {
  /** Whether earlier versions of records are kept. Default false. */
  readonly history?: boolean | undefined
  /** Why an earlier attempt to apply them failed. The store keeps its values, and `degraded` reports the reason. */
  readonly refused?: string | undefined
  /** Called with progress while derived rows are rebuilt. */
  readonly tell?: ((done: number, total: number) => void) | undefined
}

export interface AppliedSettings {
  readonly settings: StoreSettings
  /** Whether any rows were rebuilt. */
  readonly isRebuilt: boolean
  /** Why options were not applied; null if all were. */
  readonly refused: string | null
}

/** With what else a store is opened with. */
export interface OpenedSettings extends AppliedSettings {
  readonly authority: ResolvedAuthority | null
  readonly file: string | null
  /** Whether it keeps earlier versions. */
  readonly keeps: boolean
}

/** Records read in one step; progress is reported after each step. */
const recordsAtOnce = 1_000

interface Setting<K extends keyof StoreSettings> {
  readonly name: K
  readonly isSame: (a: StoreSettings[K], b: StoreSettings[K]) => boolean
  /** Rebuilds the rows that depend on the value. `eachStep` visits all keys in ranges: `from` exclusive, `upTo` inclusive. */
  readonly rebuild: (
    database: Database,
    value: StoreSettings[K],
    eachStep: (visit: (from: number, upTo: number) => void) => void,
  ) => void
}

const stemmer: Setting<'stemmer'> = {
  name: 'stemmer',
  isSame: (a, b) => a === b,
  rebuild(database, value, eachStep) {
    database.execute(`DROP TABLE record_fts`)
    for (const statement of textIndex(value)) database.execute(statement)
    eachStep((from, upTo) => database.execute(fillTextIndex, [from, upTo]))
    atOnce(refillVocabulary(database, createWordForms(readSettings(database).languages, value)))
  },
}

const metadataKeys: Setting<'metadataKeys'> = {
  name: 'metadataKeys',
  isSame: isSameSet,
  rebuild(database, keys, eachStep) {
    database.execute(`DELETE FROM metadata_values`)
    eachStep((from, upTo) => {
      const rows = all(
        database,
        `SELECT key, metadata FROM records WHERE key > ? AND key <= ? AND metadata <> '{}'`,
        [from, upTo],
        (row) => [row.number(0), row.text(1)] as const,
      )
      for (const [key, metadata] of rows) insertMetadataValues(database, key, JSON.parse(metadata), keys)
    })
  },
}

const languages: Setting<'languages'> = {
  name: 'languages',
  isSame: isSameSet,
  rebuild(database, value, eachStep) {
    const stored = readSettings(database)
    refillForms(database, createWordForms(value, stored.stemmer))
    // The vocabulary is read at once; the steps only report.
    eachStep(() => undefined)
    // Vectors of the English table stay right for English texts alone, and only the other table says which texts these are.
    if (needsLanguagesTable(value) && !needsLanguagesTable(stored.languages))
      makeVectorsAgain(database, builtInSpace.name)
  },
}

/** Returns the settings that now apply. A full disk keeps the old ones and reports why; other errors are thrown. */
export function applySettings(
  database: Database,
  stored: StoreSettings,
  requested: RequestedSettings,
): AppliedSettings {
  const settings = { ...stored }
  const rebuilds = [
    ...change(stemmer, settings, requested),
    ...change(metadataKeys, settings, requested),
    ...change(languages, settings, requested),
  ]
  const untouched = { settings: stored, isRebuilt: false }
  if (rebuilds.length === 0) return { ...untouched, refused: null }
  const names = rebuilds.map(({ name }) => name).join(', ')
  if (requested.refused !== undefined) return { ...untouched, refused: refusal(names, requested.refused) }
  try {
    rebuildAll(database, rebuilds, requested.tell)
    return { settings, isRebuilt: true, refused: null }
  } catch (error) {
    if (!(error instanceof RecallError) || error.code !== 'QUOTA_EXCEEDED') throw error
    return { ...untouched, refused: refusal(names, error.message) }
  }
}

interface Rebuild {
  readonly name: string
  readonly value: string
  run(database: Database, eachStep: (visit: (from: number, upTo: number) => void) => void): void
}

/** Copies a requested value into `settings` and returns the rebuilds it needs; none if the value is the same. */
function change<K extends keyof StoreSettings>(
  { name, isSame, rebuild }: Setting<K>,
  settings: { -readonly [P in keyof StoreSettings]: StoreSettings[P] },
  requested: RequestedSettings,
): readonly Rebuild[] {
  const value = requested[name] as StoreSettings[K] | undefined
  if (value === undefined || isSame(value, settings[name])) return []
  settings[name] = value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [{ name, value: text, run: (database, eachStep) => rebuild(database, value, eachStep) }]
}

function rebuildAll(database: Database, rebuilds: readonly Rebuild[], tell: RequestedSettings['tell']): void {
  const records = countRows(database, 'records')
  const total = records * rebuilds.length
  database.transaction(() => {
    let done = 0
    tell?.(0, total)
    for (const { name, value, run } of rebuilds) {
      run(database, (visit) => {
        for (let from = 0; ; ) {
          const keys = all(
            database,
            `SELECT key FROM records WHERE key > ? ORDER BY key LIMIT ?`,
            [from, recordsAtOnce],
            (row) => row.number(0),
          )
          if (keys.length === 0) return
          const upTo = keys.reduce((before, key) => above(before, key), from)
          visit(from, upTo)
          from = upTo
          done += keys.length
          tell?.(done, total)
        }
      })
      database.execute(`INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)`, [name, value])
    }
    // Answers may differ now.
    database.execute(`UPDATE settings SET value = value + 1 WHERE name = 'revision'`)
  })
}

function refusal(names: string, problem: string): string {
  return `${names}: the store keeps its previous values, because the new ones could not be applied: ${problem}`
}

/** What is missing in an open store, in words. */
export function problemsOf(postings: string | null, refused: string | null): readonly string[] {
  return [
    ...(postings === null ? [] : [`posting lists are read by plain statements: ${postings}`]),
    ...(refused === null ? [] : [refused]),
  ]
}
