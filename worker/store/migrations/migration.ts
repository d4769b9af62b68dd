/** A migration: a version number and the statements that bring a store from the version before to this one. */

import { defaultLanguages } from '../../../src/core/model/languages.ts'

/** Options that stored rows depend on. Opening with other values applies them (`apply-settings.ts`). */
export interface StoreSettings {
  readonly stemmer: 'porter' | 'none'
  readonly metadataKeys: readonly string[]
  readonly languages: readonly string[]
}

export interface Migration {
  readonly version: number
  readonly statements: (settings: StoreSettings) => readonly string[]
}

/** The settings as a header of an export has them. English alone is left out, so that the bytes of older exports stay the same. */
export function headerSettings({ languages, ...settings }: StoreSettings): Omit<StoreSettings, 'languages'> & {
  readonly languages?: readonly string[]
} {
  return isSameSet(languages, defaultLanguages) ? settings : { ...settings, languages }
}

/** The order of metadata keys and of languages has no meaning. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key) => b.includes(key))
}
