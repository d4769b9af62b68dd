/** The stores that a kind of storage holds, by directory. Null: this context cannot read the kind. */
export type FoundStores = ReadonlyMap<string, Found> | null

export interface Found {
  /** Whether a store was created here, and not only begun. */
  readonly isCreated: boolean
  /** Whether nothing of it is left. */
  readonly isEmpty: boolean
  readonly bytes: number | null
  readonly isLocked: boolean
  /** The store's name, if this kind saved it. */
  readonly name?: string | undefined
}
