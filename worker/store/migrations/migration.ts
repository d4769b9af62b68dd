/** A migration: a version number and the statements that bring a store from the version before to this one. */

/** Options that stored rows depend on. Opening with other values applies them (`apply-settings.ts`). */
export interface StoreSettings {
  readonly stemmer: 'porter' | 'none'
  readonly metadataKeys: readonly string[]
}

export interface Migration {
  readonly version: number
  readonly statements: (settings: StoreSettings) => readonly string[]
}
