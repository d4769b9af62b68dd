/**
 * Applies options that differ from those the store was made with: what follows from them is built again, in one transaction,
 * before anything is read. Cut off, the store is as it was. One entry a setting: `languages` would be another.
 */
import { RecallError } from '../../src/core/model/errors.ts'
import { all, type Database, first } from '../sqlite/database.ts'
import { fillTextIndex, textIndex } from './migrations/0001-foundation.ts'
import type { StoreSettings } from './migrations/migration.ts'
import { insertMetadataValues } from './rows/write-records.ts'

/** What an opener asks for; undefined: as the store has it. */
export interface SettingsWish extends Partial<StoreSettings> {
  /** Why they could not be applied before: they are left as they are, and `degraded` says so. */
  readonly refused?: string | undefined
  /** Told while derived rows are built: so many of so many. */
  readonly tell?: ((done: number, total: number) => void) | undefined
}

export interface AppliedSettings {
  readonly settings: StoreSettings
  /** Whether anything was built again. */
  readonly isRebuilt: boolean
  /** What could not be applied, in words; null: nothing. */
  readonly refused: string | null
}

/** Steps in which records are read and told of. */
const recordsAtOnce = 1_000

interface Setting<K extends keyof StoreSettings> {
  readonly name: K
  readonly isSame: (a: StoreSettings[K], b: StoreSettings[K]) => boolean
  /** Builds what follows from the value. `eachStep` visits all keys in steps: above the first, up to the second. */
  readonly rebuild: (
    database: Database,
    value: StoreSettings[K],
    eachStep: (visit: (above: number, upTo: number) => void) => void,
  ) => void
}

const stemmer: Setting<'stemmer'> = {
  name: 'stemmer',
  isSame: (a, b) => a === b,
  rebuild(database, value, eachStep) {
    database.execute(`DROP TABLE record_fts`)
    for (const statement of textIndex(value)) database.execute(statement)
    eachStep((above, upTo) => database.execute(fillTextIndex, [above, upTo]))
  },
}

const metadataKeys: Setting<'metadataKeys'> = {
  name: 'metadataKeys',
  isSame: isSameSet,
  rebuild(database, keys, eachStep) {
    database.execute(`DELETE FROM metadata_values`)
    eachStep((above, upTo) => {
      const rows = all(
        database,
        `SELECT key, metadata FROM records WHERE key > ? AND key <= ? AND metadata <> '{}'`,
        [above, upTo],
        (row) => [row.number(0), row.text(1)] as const,
      )
      for (const [key, metadata] of rows) insertMetadataValues(database, key, JSON.parse(metadata), keys)
    })
  },
}

/** The settings of the store from now on. A full disk leaves the old ones, and says so; every other failure is thrown. */
export function applySettings(database: Database, stored: StoreSettings, wish: SettingsWish): AppliedSettings {
  const settings = { ...stored }
  const rebuilds = [...change(stemmer, settings, wish), ...change(metadataKeys, settings, wish)]
  const untouched = { settings: stored, isRebuilt: false }
  if (rebuilds.length === 0) return { ...untouched, refused: null }
  const names = rebuilds.map(({ name }) => name).join(', ')
  if (wish.refused !== undefined) return { ...untouched, refused: refusal(names, wish.refused) }
  try {
    rebuildAll(database, rebuilds, wish.tell)
    return { settings, isRebuilt: true, refused: null }
  } catch (error) {
    if (!(error instanceof RecallError) || error.code !== 'QUOTA_EXCEEDED') throw error
    return { ...untouched, refused: refusal(names, error.message) }
  }
}

interface Rebuild {
  readonly name: string
  readonly value: string
  run(database: Database, eachStep: (visit: (above: number, upTo: number) => void) => void): void
}

/** Takes a wished value over into `settings`, and says what follows from it; nothing where it is the same. */
function change<K extends keyof StoreSettings>(
  { name, isSame, rebuild }: Setting<K>,
  settings: { -readonly [P in keyof StoreSettings]: StoreSettings[P] },
  wish: SettingsWish,
): readonly Rebuild[] {
  const value = wish[name] as StoreSettings[K] | undefined
  if (value === undefined || isSame(value, settings[name])) return []
  settings[name] = value
  const spelled = typeof value === 'string' ? value : JSON.stringify(value)
  return [{ name, value: spelled, run: (database, eachStep) => rebuild(database, value, eachStep) }]
}

function rebuildAll(database: Database, rebuilds: readonly Rebuild[], tell: SettingsWish['tell']): void {
  const records = first(database, `SELECT count(*) FROM records`, [], (row) => row.number(0)) ?? 0
  const total = records * rebuilds.length
  database.transaction(() => {
    let done = 0
    tell?.(0, total)
    for (const { name, value, run } of rebuilds) {
      run(database, (visit) => {
        for (let above = 0; ; ) {
          const keys = all(
            database,
            `SELECT key FROM records WHERE key > ? ORDER BY key LIMIT ?`,
            [above, recordsAtOnce],
            (row) => row.number(0),
          )
          const upTo = keys.at(-1)
          if (upTo === undefined) return
          visit(above, upTo)
          above = upTo
          done += keys.length
          tell?.(done, total)
        }
      })
      database.execute(`UPDATE settings SET value = ? WHERE name = ?`, [value, name])
    }
    // Answers may be others now.
    database.execute(`UPDATE settings SET value = value + 1 WHERE name = 'revision'`)
  })
}

function refusal(names: string, problem: string): string {
  return `${names}: the store keeps the values it was made with, for the new ones could not be applied: ${problem}`
}

/** The order of metadata keys means nothing. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key) => b.includes(key))
}
