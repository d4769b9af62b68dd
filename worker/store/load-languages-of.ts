/** Loads the languages that an opening of a database may need: those it names, and those that its opener asks for. */
import { loadLanguages } from '../languages/load-languages.ts'
import type { Database } from '../sqlite/database.ts'
import { readSettings } from './migrate.ts'

export async function loadLanguagesOf(database: Database, requested: readonly string[] = []): Promise<void> {
  await loadLanguages([...requested, ...storedLanguages(database)])
}

/** None in a database that is new, damaged or of another application: opening it reports that. */
function storedLanguages(database: Database): readonly string[] {
  try {
    return readSettings(database).languages
  } catch {
    return []
  }
}
