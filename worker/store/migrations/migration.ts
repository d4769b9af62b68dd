/** What a migration is: a number and the statements that bring a store from the number before to this one. */

/** Options that what is stored follows from. Other ones are applied when the store is opened with them (`apply-settings.ts`). */
export interface StoreSettings {
  readonly stemmer: 'porter' | 'none'
  readonly metadataKeys: readonly string[]
}

export interface Migration {
  readonly version: number
  readonly statements: (settings: StoreSettings) => readonly string[]
}
