/**
 * Which authority tier a record gets: from its profile, its bank or its caller, or from the records it was made of.
 * Nothing here raises a tier: a text made from a weak source stays weak [A2].
 */
import type { AuthorityConfig } from '../model/authority.ts'
import { parseAuthorityConfig } from './parse-authority.ts'

export interface TierSource {
  readonly profile?: string | null | undefined
  readonly bank?: string | null | undefined
  readonly authorityTier?: string | null | undefined
}

/** The tier at `put`: the profile's, else the bank's, else the caller's; disabled, the caller's. Null for none. */
export function tierOf(record: TierSource, config: AuthorityConfig): string | null {
  const own = trimmed(record.authorityTier)
  if (config.enabled === false) return own
  return tierFor(record.profile, config.tierByProfile) ?? tierFor(record.bank, config.tierByBank) ?? own
}

/**
 * The tier of a record derived from others: the lowest of theirs, where no tier is lower than any and null stands for
 * none. Of tiers that the configuration does not know only sources of one and the same keep it.
 */
export function combineTiers(tiers: readonly (string | null | undefined)[], config: AuthorityConfig): string | null {
  return lowestTier(
    tiers,
    parseAuthorityConfig(config).tiers.map((tier) => tier.id),
  )
}

/** The same, where the configured tiers are at hand. */
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
