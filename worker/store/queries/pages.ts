/**
 * Reads pages of keys in the orders of `list`. Each order has an index that ends in the id, so a page is read from where the page before
 * ended and nothing is sorted. Only a few records among many are sorted instead, because the index would mostly pass over others.
 */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { contradictory } from '../../scheduling/stored-order.ts'
import { all, type BindValue, type Database, first } from '../../sqlite/database.ts'
import type { PageRequest } from '../port/store.ts'

type After = PageRequest['after']
export type Position = NonNullable<After>

/** A part of an order, by which the parts after each other give all of it. */
interface Part {
  readonly where: string
  readonly bind: readonly BindValue[]
  /** Columns of `records` in their order; each has the direction of the request. */
  readonly order: readonly string[]
}

export function readPage(database: Database, request: PageRequest): number[] {
  const { among, limit, records } = request
  if (among === null) return readAll(database, request, request.after, limit)
  const count = among.keys.length
  if (count === 0) return []
  // Sorting reads each of them; the index passes over about `limit × records / count` entries.
  if (count * count <= limit * records) return readSorted(database, request, among.keys)
  const keys: number[] = []
  for (let after = request.after; ; ) {
    const atOnce = Math.min(mostAtOnce, Math.ceil(((limit - keys.length) * records) / count) + leastAtOnce)
    const read = readAll(database, request, after, atOnce)
    for (const key of read) {
      if (holdsKey(among, key)) keys.push(key)
      if (keys.length === limit) return keys
    }
    if (read.length < atOnce) return keys
    after = beyond(request, after, positionOf(database, request.by, read.at(-1)!))
  }
}

const leastAtOnce = 64
const mostAtOnce = 8192

function readAll(database: Database, { by, direction }: PageRequest, after: After, limit: number): number[] {
  const keys: number[] = []
  for (const part of partsOf(by, direction, after)) {
    if (keys.length === limit) break
    database.each(pageSql(part, direction), [...part.bind, limit - keys.length], (row) => keys.push(row.number(0)))
  }
  return keys
}

export function pageSql({ where, order }: Part, direction: 'asc' | 'desc'): string {
  return `SELECT r.key FROM records r ${where} ORDER BY ${directed(order, direction)} LIMIT ?`
}

function readSorted(database: Database, { by, direction, after, limit }: PageRequest, keys: Uint32Array): number[] {
  const list = JSON.stringify(Array.from(keys))
  const sorted: number[] = []
  for (const { where, bind, order } of partsOf(by, direction, after)) {
    if (sorted.length === limit) break
    const sql = `SELECT r.key FROM json_each(?) j CROSS JOIN records r ON r.key = j.value ${where}
      ORDER BY ${directed(order, direction)} LIMIT ?`
    sorted.push(...all(database, sql, [list, ...bind, limit - sorted.length], (row) => row.number(0)))
  }
  return sorted
}

function directed(order: readonly string[], direction: 'asc' | 'desc'): string {
  return order.map((column) => `${column} ${direction}`).join(', ')
}

const columns = { updatedAt: 'updated_at', createdAt: 'created_at', occurredAt: 'occurred_at', title: 'title' } as const

function positionOf(database: Database, by: PageRequest['by'], key: number): Position | undefined {
  const sql = `SELECT ${columns[by]}, id FROM records WHERE key = ?`
  return first(database, sql, [key], (row) => ({
    value: by === 'title' ? row.textOrNull(0) : row.numberOrNull(0),
    id: row.text(1),
  }))
}

/**
 * Returns the position of a row. Throws STORE_CORRUPT unless it comes after the position of the row before: an index whose pages are damaged
 * would otherwise give the same page again and again. Undefined: the index names a row that the table lacks.
 */
export function beyond(
  { by, direction }: Pick<PageRequest, 'by' | 'direction'>,
  before: After,
  position: Position | undefined,
): Position {
  if (position === undefined) throw contradictory()
  if (before === null || comparePositions(by, direction, before, position) < 0) return position
  throw contradictory()
}

function comparePositions(by: PageRequest['by'], direction: 'asc' | 'desc', a: Position, b: Position): number {
  const sign = direction === 'asc' ? 1 : -1
  // Records without a value come last in both directions.
  if (a.value === null || b.value === null)
    return Number(a.value === null) - Number(b.value === null) || sign * compareCodePoints(a.id, b.id)
  const values = by === 'title' ? compareTitles(String(a.value), String(b.value)) : Number(a.value) - Number(b.value)
  return sign * (values || compareCodePoints(a.id, b.id))
}

/** NOCASE of SQLite compares up to a NUL character, then the lengths in bytes. */
function compareTitles(a: string, b: string): number {
  return compareCodePoints(comparedPart(a), comparedPart(b)) || bytesOf(a) - bytesOf(b) || compareCodePoints(a, b)
}

function comparedPart(text: string): string {
  return text.split('\0', 1)[0]!.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function bytesOf(text: string): number {
  return encoder.encode(text).length
}

const encoder = new TextEncoder()

/** The parts of an order after a position. */
export function partsOf(by: PageRequest['by'], direction: 'asc' | 'desc', after: After): readonly Part[] {
  const beyond = direction === 'asc' ? '>' : '<'
  if (by === 'title') return titleParts(beyond, after)
  const column = `r.${columns[by]}`
  const order = [column, 'r.id']
  const isOptional = by === 'occurredAt'
  const rest = isOptional ? [withoutValue(column, beyond, after)] : []
  if (after === null) return [{ where: isOptional ? `WHERE ${column} IS NOT NULL` : '', bind: [], order }, ...rest]
  if (after.value === null) return rest
  return [{ where: `WHERE (${column}, r.id) ${beyond} (?, ?)`, bind: [after.value, after.id], order }, ...rest]
}

/** By title without case, title, id. A comparison of all three at once could not use the index, because their collations differ. */
function titleParts(beyond: '>' | '<', after: After): readonly Part[] {
  const folded = 'r.title COLLATE NOCASE'
  const whole = [folded, 'r.title', 'r.id']
  const rest = withoutValue('r.title', beyond, after)
  if (after === null) return [{ where: 'WHERE r.title IS NOT NULL', bind: [], order: whole }, rest]
  const { value, id } = after
  if (value === null) return [rest]
  const isEqual = `WHERE ${folded} = ?`
  return [
    { where: `${isEqual} AND r.title = ? AND r.id ${beyond} ?`, bind: [value, value, id], order: ['r.id'] },
    { where: `${isEqual} AND r.title ${beyond} ?`, bind: [value, value], order: ['r.title', 'r.id'] },
    { where: `WHERE ${folded} ${beyond} ?`, bind: [value], order: whole },
    rest,
  ]
}

function withoutValue(column: string, beyond: '>' | '<', after: After): Part {
  const isAfter = after !== null && after.value === null
  return {
    where: `WHERE ${column} IS NULL${isAfter ? ` AND r.id ${beyond} ?` : ''}`,
    bind: isAfter ? [after.id] : [],
    order: ['r.id'],
  }
}
