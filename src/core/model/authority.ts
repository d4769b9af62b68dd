/**
 * Authority: which records count for more in a prompt, and the rules a model is told to read them by.
 * Types only; `ingest/parse-authority` is the only place that checks a configuration.
 */

/** A band of precedence. */
export interface AuthorityTier {
  /** What records carry as `authorityTier`. */
  readonly id: string
  /** Lower stands first and weighs more; equal ones stand by id. Default 1. */
  readonly priority?: number | undefined
  /** Heading in the block; `[id]` when absent or blank. */
  readonly label?: string | null | undefined
}

/** What an app configures (ADR-004). */
export interface AuthorityConfig {
  /** False leaves every result untouched. Default true. */
  readonly enabled?: boolean | undefined
  /** Rules for the model, as text: what comes from a URL or a loader is loaded before. */
  readonly rules?: string | null | undefined
  readonly tiers?: readonly AuthorityTier[] | undefined
  /** Tier id by bank, given to records at `put` and import. */
  readonly tierByBank?: Readonly<Record<string, string>> | undefined
  /** Tier id by profile; goes before the bank's. */
  readonly tierByProfile?: Readonly<Record<string, string>> | undefined
  /** Whether `reflectPrompt` carries the block. Default true. */
  readonly applyToReflect?: boolean | undefined
}

/** A checked configuration, complete. It is an `AuthorityConfig` too, and resolves to itself. */
export interface ResolvedAuthority {
  readonly enabled: boolean
  /** Trimmed; null for none. */
  readonly rules: string | null
  /** In the order of the block: by priority, then id by code points. */
  readonly tiers: readonly ResolvedTier[]
  readonly tierByBank: Readonly<Record<string, string>>
  readonly tierByProfile: Readonly<Record<string, string>>
  readonly applyToReflect: boolean
}

export interface ResolvedTier {
  readonly id: string
  readonly priority: number
  /** Trimmed; null when absent or blank. */
  readonly label: string | null
}
