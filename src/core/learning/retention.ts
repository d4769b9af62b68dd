/**
 * Decides which records retention deletes, and why. Pure: the same rows, configuration and time give the same list. A record
 * with an exempt tag is never deleted, but it counts.
 */
import { recallError } from '../model/errors.ts'
import { suggestName } from '../model/nearest.ts'
import { isPlainObject } from '../model/plain-object.ts'
import type { RetentionReason } from '../model/receipts.ts'
import { type ResolvedRetention, type RetentionConfig, retentionScopes } from '../model/retention.ts'
import { tuning } from '../model/tuning.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** The properties of a record that retention uses. */
export interface RetentionRow {
  readonly id: string
  /** The scope it counts in. Null is a scope, too. */
  readonly scope: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** ms: when it last changed, was acted on or was read. */
  readonly usedAt: number
  readonly confidence: number
  /** Number of signals behind the confidence. */
  readonly evidence: number
  readonly isExempt: boolean
}

/** By id, ascending, each with the first rule that applies: age, idleness, confidence, number. */
export function planRetention(
  rows: readonly RetentionRow[],
  config: ResolvedRetention,
  now: number,
): { readonly id: string; readonly reason: RetentionReason }[] {
  const going = new Map<string, RetentionReason>()
  for (const row of rows) {
    const reason = row.isExempt ? null : reasonOf(row, config, now)
    if (reason !== null) going.set(row.id, reason)
  }
  if (config.maxRecords !== null) {
    for (const group of groupsOf(rows.filter(({ id }) => !going.has(id)))) {
      const excess = group.length - config.maxRecords
      const oldest = group
        .filter(({ isExempt }) => !isExempt)
        .sort((a, b) => a.updatedAt - b.updatedAt || compareCodePoints(a.id, b.id))
      for (const { id } of oldest.slice(0, Math.max(0, excess))) going.set(id, 'max_records')
    }
  }
  return [...going].map(([id, reason]) => ({ id, reason })).sort((a, b) => compareCodePoints(a.id, b.id))
}

function reasonOf(row: RetentionRow, config: ResolvedRetention, now: number): RetentionReason | null {
  const isOlder = (at: number, days: number | null) => days !== null && now - at > days * tuning.msPerDay
  if (isOlder(row.createdAt, config.maxAgeDays)) return 'max_age'
  if (isOlder(row.usedAt, config.maxIdleDays)) return 'idle'
  const { minConfidence, minEvidence } = config
  return minConfidence !== null && row.evidence >= minEvidence && row.confidence < minConfidence
    ? 'low_confidence'
    : null
}

function groupsOf(rows: readonly RetentionRow[]): Iterable<RetentionRow[]> {
  const groups = new Map<string | null, RetentionRow[]>()
  for (const row of rows) {
    const group = groups.get(row.scope)
    if (group === undefined) groups.set(row.scope, [row])
    else group.push(row)
  }
  return groups.values()
}

const known = ['maxAgeDays', 'maxIdleDays', 'minConfidence', 'minEvidence', 'maxRecords', 'per', 'exemptTags'] as const

/** Throws `INVALID_CONFIG` with the field. */
export function parseRetention(config: RetentionConfig): ResolvedRetention {
  const given: unknown = config
  if (!isPlainObject(given))
    throw refuse('retention', given, 'must be an object', 'Give an object of rules, or leave it out.')
  for (const key of Object.keys(given)) {
    if ((known as readonly string[]).includes(key)) continue
    throw refuse(`retention.${key}`, given[key], 'must be a known rule', suggestName(key, known, 'retention'))
  }
  const number = (name: (typeof known)[number], max: number, isWhole = false): number | null => {
    const value = given[name]
    if (value === undefined || value === null) return null
    if (typeof value === 'number' && value >= 0 && value <= max && (!isWhole || Number.isInteger(value))) return value
    const range = `${isWhole ? 'an integer' : 'a number'} from 0 to ${max}`
    throw refuse(`retention.${name}`, value, `must be ${range}`, `Give ${range}, or leave it out.`)
  }
  const { per = 'store', exemptTags = [] } = config
  if (!retentionScopes.includes(per))
    throw refuse('retention.per', per, `must be one of ${retentionScopes.join(', ')}`, 'Use one of these names.')
  if (!Array.isArray(exemptTags) || !exemptTags.every((tag) => typeof tag === 'string'))
    throw refuse('retention.exemptTags', exemptTags, 'must be an array of tags', 'Give an array of strings.')
  return {
    maxAgeDays: number('maxAgeDays', tuning.maxTimestampMs),
    maxIdleDays: number('maxIdleDays', tuning.maxTimestampMs),
    minConfidence: number('minConfidence', 1),
    minEvidence: number('minEvidence', tuning.maxTimestampMs, true) ?? tuning.retentionEvidence,
    maxRecords: number('maxRecords', tuning.maxTimestampMs, true),
    per,
    exemptTags: [...exemptTags],
  }
}

function refuse(field: string, value: unknown, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field, value, hint })
}
