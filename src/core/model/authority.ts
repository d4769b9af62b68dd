/**
 * The types of authority: which records count for more in a prompt, and by which rules a model reads them.
 * `ingest/parse-authority.ts` validates a configuration.
 */

/** A tier of precedence. */
export interface AuthorityTier {
  /** The value of `authorityTier` in records of this tier. */
  readonly id: string
  /** A lower number comes first and has precedence; equal numbers are ordered by id. Default 1. */
  readonly priority?: number | undefined
  /** Heading in the block; `[id]` if absent or blank. */
  readonly label?: string | null | undefined
}

/** The `authority` option of an app. */
export interface AuthorityConfig {
  /** False: no result has an authority block. Default true. */
  readonly enabled?: boolean | undefined
  /** Rules for the model, as text. To use a URL or a loader, load the text first. */
  readonly rules?: string | null | undefined
  readonly tiers?: readonly AuthorityTier[] | undefined
  /** Tier id by bank, set on records at `put` and import. */
  readonly tierByBank?: Readonly<Record<string, string>> | undefined
  /** Tier id by profile; has precedence over the bank's. */
  readonly tierByProfile?: Readonly<Record<string, string>> | undefined
  /** Whether `reflectPrompt` contains the block. Default true. */
  readonly applyToReflect?: boolean | undefined
}

/** A validated configuration with all defaults. It is also a valid `AuthorityConfig`, and resolves to itself. */
export interface ResolvedAuthority {
  readonly enabled: boolean
  /** Trimmed; null without rules. */
  readonly rules: string | null
  /** In the order of the block: by priority, then by id in code point order. */
  readonly tiers: readonly ResolvedTier[]
  readonly tierByBank: Readonly<Record<string, string>>
  readonly tierByProfile: Readonly<Record<string, string>>
  readonly applyToReflect: boolean
}

export interface ResolvedTier {
  readonly id: string
  readonly priority: number
  /** Trimmed; null if absent or blank. */
  readonly label: string | null
}
