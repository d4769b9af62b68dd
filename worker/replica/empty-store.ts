/** Gives the empty database of a node the schema. Migrating takes some 14 ms, so all but the first database of a thread are copies. */
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { migrate, settingsOfNew } from '../store/migrate.ts'
import { randomDevice } from '../store/migrations/0006-merge.ts'
import type { StoreSettings } from '../store/migrations/migration.ts'
import { bytesOf, fillFrom } from './kept-store.ts'

/** Smaller than in files: most tables of a small store have one page, and a server has many small stores. */
const pageBytes = 2048

/** The last database that was migrated, before anything was written to it. */
let migrated: { readonly settings: string; readonly bytes: Uint8Array } | null = null

/** `requested`: as in `migrate`. */
export function fillWithSchema(database: SqliteDatabase, requested: Partial<StoreSettings>): void {
  const { stemmer, metadataKeys, languages } = settingsOfNew(requested)
  const settings = JSON.stringify([stemmer, metadataKeys, languages])
  if (migrated?.settings === settings) {
    fillFrom(migrated.bytes, database)
    database.execute(`UPDATE settings SET value = ${randomDevice} WHERE name = 'device'`)
  } else {
    database.execute(`PRAGMA page_size=${pageBytes}`)
    migrate(database, requested)
    migrated = { settings, bytes: bytesOf(database) }
  }
}
