/** The settings that the nodes of a store share: canonical JSON of the options that determine what is stored, of the store's birth, and more. */
import { defaultLanguages } from '../../src/core/model/languages.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import type { Engine } from '../engine/engine.ts'
import type { Database } from '../sqlite/database.ts'
import type { StoreSettings } from '../store/migrations/migration.ts'
import { tiersAreHeld } from '../store/rows/held-tiers.ts'

/** The options that determine what is stored, and whether tiers are held, as every node must have them. */
export function settingsIn(engine: Engine, database: Database, birth: string): string {
  return canonicalJson({ ...engine.settings(), tiersAreHeld: tiersAreHeld(database), birth })
}

export function birthIn(settings: string | null): string | null {
  return settings === null ? null : ((JSON.parse(settings) as { readonly birth?: string }).birth ?? null)
}

/** The options of a stored `settings`, to open an engine with; empty if the store is new. */
export function storedOptions(settings: string | null): Partial<StoreSettings> {
  if (settings === null) return {}
  // Stores of older versions are in English.
  const { stemmer, metadataKeys, languages = defaultLanguages } = JSON.parse(settings) as Partial<StoreSettings>
  return { stemmer, metadataKeys, languages }
}

export function fits(settings: string | null, engine: Engine): boolean {
  if (settings === null) return true
  const { stemmer, metadataKeys, languages } = engine.settings()
  return canonicalJson(storedOptions(settings)) === canonicalJson({ stemmer, metadataKeys, languages })
}

export function noteTiers(database: Database, settings: string | null): void {
  const held = settings !== null && (JSON.parse(settings) as { readonly tiersAreHeld: boolean }).tiersAreHeld
  if (held) database.execute(`INSERT OR REPLACE INTO settings VALUES ('tiersAreHeld', 1)`)
  else database.execute(`DELETE FROM settings WHERE name = 'tiersAreHeld'`)
}
