/**
 * Computes the authority tier of a record: from its profile, bank or input, or from the records it is derived from.
 * Never raises a tier: a text that is derived from a weak source stays weak [A2].
 */
import type { AuthorityConfig } from '../model/authority.ts'
import { parseAuthorityConfig } from './parse-authority.ts'

export interface TierSource {
  readonly profile?: string | null | undefined
  readonly bank?: string | null | undefined
  readonly authorityTier?: string | null | undefined
}

/** The tier at `put`: the profile's, else the bank's, else the input's; if authority is disabled, the input's. Null for none. */
export function tierOf(record: TierSource, config: AuthorityConfig): string | null {
  const own = trimmed(record.authorityTier)
  if (config.enabled === false) return own
  return tierFor(record.profile, config.tierByProfile) ?? tierFor(record.bank, config.tierByBank) ?? own
}

/**
 * The tier of a derived record: the lowest of its sources, where null (no tier) is the lowest. An unknown tier is kept only if
 * all sources have it.
 */
export function combineTiers(tiers: readonly (string | null | undefined)[], config: AuthorityConfig): string | null {
  return lowestTier(
    tiers,
    parseAuthorityConfig(config).tiers.map((tier) => tier.id),
  )
}

/** The same, with the configured tiers. */
export function lowestTier(
  tiers: readonly (string | null | undefined)[],
  highestFirst: readonly string[],
): string | null {
  const given = [...new Set(tiers.map(trimmed))]
  if (given.length <= 1) return given[0] ?? null
  const ranks = given.map((tier) => (tier === null ? -1 : highestFirst.indexOf(tier)))
  return ranks.includes(-1) ? null : (highestFirst[Math.max(...ranks)] ?? null)
}

function tierFor(name: string | null | undefined, tiers: Readonly<Record<string, string>> | undefined): string | null {
  if (name === undefined || name === null || tiers === undefined || !Object.hasOwn(tiers, name)) return null
  return trimmed(tiers[name])
}

function trimmed(tier: string | null | undefined): string | null {
  return tier?.trim() || null
}
