/**
 * Keeps the values of one field by key, to count them in many records at once. A record has a number that names its list of values:
 * records with equal lists share one, so counting is one step for each record. Lists that no record has any more are dropped.
 */
import type { Database, Row } from '../../sqlite/database.ts'

export type FacetValue = string | number | boolean

export interface FacetColumn {
  /** How many of these records have each value; null means all records. */
  count(among: Uint32Array | null): ReadonlyMap<FacetValue, number>
  forget(key: number): void
  read(key: number): void
  bytes(): number
}

export interface FacetSource {
  /** Selects the key and a value; rows of one key are adjacent. `:one` is where a condition on the key is inserted. */
  readonly sql: string
  readonly bind: readonly string[]
  readonly valueOf: (row: Row) => FacetValue
}

interface ValueList {
  readonly name: string
  readonly values: readonly FacetValue[]
  uses: number
}

export function createFacetColumn(database: Database, { sql, bind, valueOf }: FacetSource): FacetColumn {
  // 0: no values.
  let numbers = new Int32Array(1024)
  const lists: (ValueList | undefined)[] = [undefined]
  const byName = new Map<string, number>()
  const free: number[] = []
  let characters = 0

  const numberOf = (values: readonly FacetValue[]) => {
    const name = JSON.stringify(values)
    const known = byName.get(name)
    if (known !== undefined) return known
    const number = free.pop() ?? lists.length
    lists[number] = { name, values, uses: 0 }
    byName.set(name, number)
    characters += name.length
    return number
  }
  const forget = (key: number) => {
    const number = numbers[key] ?? 0
    if (number === 0) return
    numbers[key] = 0
    const list = lists[number]!
    if (--list.uses > 0) return
    byName.delete(list.name)
    lists[number] = undefined
    free.push(number)
    characters -= list.name.length
  }
  const set = (key: number, values: readonly FacetValue[]) => {
    if (key >= numbers.length) {
      const larger = new Int32Array(Math.max(numbers.length * 2, key + 1))
      larger.set(numbers)
      numbers = larger
    }
    numbers[key] = numberOf(values)
    lists[numbers[key]!]!.uses++
  }
  const load = (condition: string, more: readonly number[]) => {
    let last = -1
    let values: FacetValue[] = []
    const end = () => {
      if (values.length > 0) set(last, values)
      values = []
    }
    database.each(sql.replace(':one', condition), [...bind, ...more], (row) => {
      const key = row.number(0)
      if (key !== last) end()
      last = key
      values.push(valueOf(row))
    })
    end()
  }
  load('', [])

  return {
    count(among) {
      const counts = new Map<FacetValue, number>()
      const add = ({ values }: ValueList, records: number) => {
        for (const value of values) counts.set(value, (counts.get(value) ?? 0) + records)
      }
      if (among === null) {
        for (const list of lists) if (list !== undefined) add(list, list.uses)
        return counts
      }
      const tally = new Uint32Array(lists.length)
      for (const key of among) tally[numbers[key] ?? 0]!++
      for (const [number, list] of lists.entries())
        if (list !== undefined && tally[number]! > 0) add(list, tally[number]!)
      return counts
    },
    forget,
    read: (key) => load('AND r.key = ?', [key]),
    bytes: () => numbers.byteLength + lists.length * listBytes + 4 * characters,
  }
}

/** Approximate bytes of a list besides its characters, which are held as its name and as its values. */
const listBytes = 200

const columns = ['kind', 'project', 'topic', 'agent', 'bank', 'session', 'status', 'language'] as const

/** `key`: a column of records, `tags`, or `metadata.` and a declared key. */
export function facetSource(key: string): FacetSource {
  if (key === 'tags')
    return { sql: `SELECT r.key, r.tag FROM tags r WHERE 1 :one ORDER BY r.key, r.position`, bind: [], valueOf }
  const column = columns.find((name) => name === key)
  if (column !== undefined)
    return { sql: `SELECT r.key, r.${column} FROM records r WHERE r.${column} IS NOT NULL :one`, bind: [], valueOf }
  return {
    // The sign keeps SQLite from reading every value of the name to find those of one key.
    sql: `SELECT r.key, r.value FROM metadata_values r WHERE +r.name = ? :one`,
    bind: [key.slice('metadata.'.length)],
    valueOf: (row) => JSON.parse(row.text(1)),
  }
}

function valueOf(row: Row): string {
  return row.text(1)
}
