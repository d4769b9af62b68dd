/**
 * Validates an authority configuration and fills in its defaults. Tier ids must be unique. Records may have a tier that is not
 * configured; the block lists them as unassigned.
 */
import type { AuthorityConfig, ResolvedAuthority, ResolvedTier } from '../model/authority.ts'
import { recallError } from '../model/errors.ts'
import { isPlainObject } from '../model/plain-object.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** Throws `INVALID_CONFIG` with field, value and hint. */
export function parseAuthorityConfig(input: unknown): ResolvedAuthority {
  const given = parseFields<AuthorityConfig>(input, 'authority', configFields)
  return {
    enabled: parseSwitch(given.enabled, 'authority.enabled'),
    rules: parseText(given.rules, 'authority.rules'),
    tiers: parseTiers(given.tiers),
    tierByBank: parseTierMap(given.tierByBank, 'authority.tierByBank'),
    tierByProfile: parseTierMap(given.tierByProfile, 'authority.tierByProfile'),
    applyToReflect: parseSwitch(given.applyToReflect, 'authority.applyToReflect'),
  }
}

const configFields = ['enabled', 'rules', 'tiers', 'tierByBank', 'tierByProfile', 'applyToReflect'] as const
const tierFields = ['id', 'priority', 'label'] as const

/** The fields of a plain object, not yet validated. Rejects unknown fields by name. */
function parseFields<Shape>(
  input: unknown,
  field: string,
  known: readonly (keyof Shape & string)[],
): { readonly [Key in keyof Shape]?: unknown } {
  if (!isPlainObject(input)) throw refuse(field, input, 'must be a plain object', 'Give an object literal.')
  for (const key of Object.keys(input))
    if (!(known as readonly string[]).includes(key))
      throw refuse(`${field}.${key}`, input[key], 'must be a known field', `Use one of ${known.join(', ')}.`)
  return input
}

function parseTiers(value: unknown): readonly ResolvedTier[] {
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) throw refuse('authority.tiers', value, 'must be an array', 'Give an array of tiers.')
  const tiers = Array.from(value, (entry, i) => parseTier(entry, `authority.tiers[${i}]`))
  const seen = new Set<string>()
  for (const [i, { id }] of tiers.entries()) {
    if (seen.has(id)) throw refuse(`authority.tiers[${i}].id`, id, 'must be unique', 'Give each tier a different id.')
    seen.add(id)
  }
  return tiers.sort((a, b) => a.priority - b.priority || compareCodePoints(a.id, b.id))
}

function parseTier(input: unknown, field: string): ResolvedTier {
  const { id, priority = 1, label } = parseFields<ResolvedTier>(input, field, tierFields)
  if (typeof priority !== 'number' || !Number.isFinite(priority))
    throw refuse(
      `${field}.priority`,
      priority,
      'must be a finite number',
      'Give a number. The tier with the lowest number comes first.',
    )
  return { id: parseTierId(id, `${field}.id`), priority, label: parseLabel(label, `${field}.label`) }
}

function parseTierId(value: unknown, field: string): string {
  const id = typeof value === 'string' ? value.trim() : ''
  if (id === '') throw refuse(field, value, 'must be a string that is not blank', 'Give the id of a tier.')
  // An id can be a heading of the block, and a heading is one line.
  return parseOneLine(id, field)
}

function parseLabel(value: unknown, field: string): string | null {
  const label = parseText(value, field)
  return label === null ? null : parseOneLine(label, field)
}

function parseOneLine(text: string, field: string): string {
  if (/[\n\v\f\r\u0085\u2028\u2029]/.test(text))
    throw refuse(field, text, 'must be one line', 'Remove the line breaks.')
  return text
}

function parseText(value: unknown, field: string): string | null {
  if (isAbsent(value)) return null
  if (typeof value !== 'string')
    throw refuse(field, value, 'must be a string', 'Load the text first, then give it as a string.')
  const text = value.trim()
  return text === '' ? null : text
}

function parseTierMap(value: unknown, field: string): Readonly<Record<string, string>> {
  if (isAbsent(value)) return {}
  if (!isPlainObject(value))
    throw refuse(field, value, 'must be a plain object', 'Give an object that maps names to tier ids.')
  return Object.fromEntries(Object.keys(value).map((key) => [key, parseTierId(value[key], `${field}.${key}`)]))
}

function parseSwitch(value: unknown, field: string): boolean {
  if (isAbsent(value)) return true
  if (typeof value !== 'boolean') throw refuse(field, value, 'must be a boolean', 'Give true or false.')
  return value
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function refuse(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
