/**
 * Formats the authority block for the prompt of a model: the rules of the app, then the hits under the headings of their
 * tiers, highest first. Rules and labels come from the app and are not escaped; texts of records are.
 */

import { parseAuthorityConfig } from '../ingest/parse-authority.ts'
import type { AuthorityConfig, ResolvedAuthority } from '../model/authority.ts'
import { recallError } from '../model/errors.ts'
import { estimateTokens } from '../text/tokens/token-count.ts'
import { escapeItem } from './escape.ts'

export interface AuthorityHit {
  readonly text: string
  /** Id of a tier. An id that is not configured counts as none. */
  readonly authorityTier?: string | null | undefined
}

export interface AuthorityBlockOptions {
  /** False: the exact bytes of ADR-004, in which texts are only trimmed and can imitate headings. Default true. */
  readonly escape?: boolean | undefined
  /** Most tokens of the block. Hits that do not fit are left out whole and counted in their tier. */
  readonly maxTokens?: number | undefined
  /** Default `estimateTokens`. */
  readonly countTokens?: ((text: string) => number) | undefined
  /** Removes from each text what must not reach a model. Runs first. */
  readonly redact?: ((text: string) => string) | undefined
}

/**
 * The block, ending in one line feed. Hits keep their order within a tier; hits without a configured tier come last. Without
 * tiers: the trimmed rules alone. Null if there is nothing to write or the configuration is disabled. With `maxTokens`, hits
 * are added in the order of the block while they fit; rules and headings are always present.
 * Throws `INVALID_CONFIG` for an invalid configuration, `INVALID_ARGUMENT` for an invalid `maxTokens`.
 */
export function formatAuthorityBlock(
  hits: readonly AuthorityHit[],
  config: AuthorityConfig,
  options: AuthorityBlockOptions = {},
): string | null {
  const authority = parseAuthorityConfig(config)
  if (!authority.enabled) return null
  if (authority.tiers.length === 0) return authority.rules
  const sections = sectionsOf(hits, authority, options)
  const { maxTokens, countTokens = estimateTokens } = options
  return write(
    authority.rules,
    maxTokens === undefined ? sections : fit(authority.rules, sections, maxTokens, countTokens),
  )
}

interface Section {
  readonly heading: string
  readonly items: readonly string[]
  readonly leftOut: number
}

function sectionsOf(
  hits: readonly AuthorityHit[],
  { tiers }: ResolvedAuthority,
  { escape = true, redact }: AuthorityBlockOptions,
): readonly Section[] {
  const items = new Map<string | null, string[]>([...tiers.map((tier) => tier.id), null].map((id) => [id, []]))
  for (const { text, authorityTier } of hits) {
    const shown = redact === undefined ? text : redact(text)
    const bucket = items.get(authorityTier?.trim() ?? null) ?? items.get(null)
    bucket?.push(`- ${escape ? escapeItem(shown) : shown.trim()}`)
  }
  const sections = tiers.map(({ id, label }) => ({
    heading: label ?? `[${id}]`,
    items: items.get(id) ?? [],
    leftOut: 0,
  }))
  const unassigned = items.get(null) ?? []
  return unassigned.length === 0 ? sections : [...sections, { heading: '[UNASSIGNED]', items: unassigned, leftOut: 0 }]
}

function write(rules: string | null, sections: readonly Section[]): string {
  const lines = rules === null ? [] : [rules, '', '---', '']
  for (const { heading, items, leftOut } of sections) {
    lines.push(heading, ...items)
    if (leftOut > 0) lines.push(`(${leftOut} more ${leftOut === 1 ? 'hit' : 'hits'} left out)`)
    else if (items.length === 0) lines.push('(no hits in this tier)')
    lines.push('')
  }
  return `${lines.join('\n').trimEnd()}\n`
}

/** Counts each item alone, then the whole: the tokens of a joined text differ a little from the sum of its parts. */
function fit(
  rules: string | null,
  sections: readonly Section[],
  maxTokens: number,
  countTokens: (text: string) => number,
): readonly Section[] {
  if (!(maxTokens >= 0))
    throw recallError('INVALID_ARGUMENT', 'must be a number of at least 0', {
      field: 'maxTokens',
      value: maxTokens,
      hint: 'Give a number of tokens, or leave it out.',
    })
  if (countTokens(write(rules, sections)) <= maxTokens) return sections
  const kept = sections.map((section) => section.items.map(() => false))
  let left = maxTokens - countTokens(write(rules, keep(sections, kept)))
  for (const [s, { items }] of sections.entries())
    for (const [i, item] of items.entries()) {
      const tokens = countTokens(`${item}\n`)
      if (tokens > left) continue
      left -= tokens
      kept[s]![i] = true
    }
  while (kept.some((items) => items.includes(true)) && countTokens(write(rules, keep(sections, kept))) > maxTokens) {
    const last = kept.findLast((items) => items.includes(true))!
    last[last.lastIndexOf(true)] = false
  }
  return keep(sections, kept)
}

function keep(sections: readonly Section[], kept: readonly (readonly boolean[])[]): readonly Section[] {
  return sections.map((section, s) => {
    const items = section.items.filter((_, i) => kept[s]?.[i] === true)
    return { ...section, items, leftOut: section.items.length - items.length }
  })
}
