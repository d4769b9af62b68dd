/**
 * Translates scopes to SQL. Conditions compare bytes and are joined by AND. Each list is one JSON parameter, so that each shape
 * of scope is one cached statement. An empty list matches no record.
 */
import type { ListFilter, MetadataCondition, Scope } from '../../../src/core/model/query.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { wellFormed } from '../../../src/core/text/tokenise/well-formed.ts'
import type { BindValue } from '../../sqlite/database.ts'

export interface Condition {
  /** A boolean expression over the alias `r` of `records`; empty if the scope has no filter. */
  readonly sql: string
  readonly bind: readonly BindValue[]
}

const columns = ['project', 'kind', 'topic', 'agent', 'bank', 'session', 'status'] as const

export function conditionOf(scope: ListFilter & { readonly asOf?: number | undefined }): Condition {
  const parts: string[] = []
  const bind: BindValue[] = []
  const add = (sql: string, ...values: BindValue[]) => {
    parts.push(sql)
    bind.push(...values)
  }
  for (const column of columns) {
    const filter = scope[column]
    if (filter === undefined) continue
    if (typeof filter === 'string') add(`r.${column} = ?`, filter)
    else add(`r.${column} IN (SELECT value FROM json_each(?))`, listOf(filter))
  }
  const { any, all, none } = scope.tags ?? {}
  if (any !== undefined)
    add(`r.key IN (SELECT key FROM tags WHERE tag IN (SELECT value FROM json_each(?)))`, listOf(any))
  for (const tag of all ?? []) add(`r.key IN (SELECT key FROM tags WHERE tag = ?)`, tag)
  if (none !== undefined)
    add(`r.key NOT IN (SELECT key FROM tags WHERE tag IN (SELECT value FROM json_each(?)))`, listOf(none))
  const { of = 'createdAt', after, before } = scope.time ?? {}
  if (after !== undefined) add(`r.${timeColumns[of]} >= ?`, after)
  if (before !== undefined) add(`r.${timeColumns[of]} < ?`, before)
  if (scope.ids !== undefined) add(`r.id IN (SELECT value FROM json_each(?))`, listOf(scope.ids))
  for (const [name, condition] of Object.entries(scope.metadata ?? {})) {
    const holds = metadataCondition(condition)
    add(`r.key IN (SELECT key FROM metadata_values WHERE name = ? AND ${holds.sql})`, name, ...holds.bind)
  }
  if (scope.reason !== undefined)
    add(`r.key IN (SELECT key FROM reasons WHERE code IN (SELECT value FROM json_each(?)))`, listOf(scope.reason))
  if (scope.risk !== undefined)
    add(`r.key IN (SELECT key FROM risks WHERE flag IN (SELECT value FROM json_each(?)))`, listOf(scope.risk))
  if (scope.asOf !== undefined) {
    add(
      `r.created_at <= ? AND (r.valid_from IS NULL OR r.valid_from <= ?) AND (r.valid_until IS NULL OR r.valid_until > ?) AND (r.expires_at IS NULL OR r.expires_at > ?)`,
      scope.asOf,
      scope.asOf,
      scope.asOf,
      scope.asOf,
    )
  }
  return { sql: parts.join(' AND '), bind }
}

const timeColumns = { createdAt: 'created_at', updatedAt: 'updated_at', occurredAt: 'occurred_at' } as const

/**
 * A condition on a row of `metadata_values`. In SQLite's order all numbers come before all texts, and texts before blobs: so an
 * open side of a range ends where its type does.
 */
function metadataCondition(condition: MetadataCondition): Condition {
  if (typeof condition !== 'object') return { sql: `value = ?`, bind: [canonicalJson(condition)] }
  if (isList(condition))
    return { sql: `value IN (SELECT value FROM json_each(?))`, bind: [JSON.stringify(condition.map(canonicalJson))] }
  const { from, before } = condition
  if (typeof (from ?? before) === 'number')
    return { sql: `plain >= ? AND plain < ?`, bind: [from ?? Number.NEGATIVE_INFINITY, before ?? ''] }
  return { sql: `plain >= ? AND plain < ?`, bind: [textOf(from) ?? '', textOf(before) ?? new Uint8Array()] }
}

function textOf(bound: string | number | undefined): string | undefined {
  return typeof bound === 'string' ? wellFormed(bound) : undefined
}

function isList(condition: MetadataCondition): condition is Extract<MetadataCondition, readonly unknown[]> {
  return Array.isArray(condition)
}

/** A query for the keys of a scope in ascending order. A scope of a single tag reads only the tag table. */
export function keysQuery(scope: Scope & { readonly asOf?: number | undefined }): Condition {
  const condition = conditionOf(scope)
  const tag = soleTag(scope)
  if (tag !== undefined) return { sql: `SELECT key FROM tags WHERE tag = ? ORDER BY key`, bind: [tag] }
  return { sql: `SELECT r.key FROM records r WHERE ${condition.sql} ORDER BY r.key`, bind: condition.bind }
}

function soleTag(scope: Scope): string | undefined {
  const filters = Object.entries(scope).filter(([, value]) => value !== undefined)
  if (filters.length !== 1 || scope.tags === undefined || scope.tags.none !== undefined) return undefined
  const { any, all } = scope.tags
  if (any !== undefined && all !== undefined) return undefined
  const tags = any ?? all ?? []
  return tags.length === 1 ? tags[0] : undefined
}

/** JSON of a list of texts. Lone surrogates become U+FFFD, as in stored texts; JSON would escape them instead. */
function listOf(value: string | readonly string[]): string {
  return JSON.stringify((typeof value === 'string' ? [value] : value).map(wellFormed))
}
