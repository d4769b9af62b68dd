/** Checks the records that a gate excludes, which are remembered between questions, against a look at every record. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GateFacts } from '../../../src/core/model/facts.ts'
import { createGateColumn, type GateColumn } from '../../../worker/store/derived/gate-column.ts'
import type { Database } from '../../../worker/sqlite/database.ts'

interface Known {
  readonly status: 'active' | 'superseded'
  readonly validFrom: number | null
  readonly validUntil: number | null
  readonly expiresAt: number | null
}

const time = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null })
const record = fc.record({
  status: fc.constantFrom('active' as const, 'superseded' as const),
  validFrom: time,
  validUntil: time,
  expiresAt: time,
})
const step = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), at: fc.integer({ min: -1, max: 21 }), byStatus: fc.boolean() }),
  fc.record({ kind: fc.constant('write' as const), key: fc.integer({ min: 0, max: 7 }), record }),
  fc.record({ kind: fc.constant('remove' as const), key: fc.integer({ min: 0, max: 7 }) }),
)

test('after any writes, the excluded records of a moment are those that a look at every record finds', () => {
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 8 }),
      fc.array(step, { minLength: 30, maxLength: 40 }),
      (records, steps) => {
        const known = new Map(records.map((one, key) => [key, one]))
        const column = createGateColumn(databaseOf(known))
        for (const one of steps) {
          if (one.kind === 'ask') expect(ask(column, one.at, one.byStatus)).toEqual(lookAt(known, one.at, one.byStatus))
          else change(column, known, one.key, one.kind === 'write' ? one.record : null)
        }
      },
    ),
  )
})

test('a moment between the same two times is not looked at again; the ms of a time is', () => {
  const known = new Map([[3, { status: 'active', validFrom: null, validUntil: 10, expiresAt: null } as const]])
  const column = createGateColumn(databaseOf(known))
  let looks = 0
  const ask = (at: number) =>
    column.excluded({ name: 'time', at, excludes: (facts) => (looks++, isExcluded(facts, at, false)) }).members
  expect([ask(1), ask(5), ask(9)].map(({ size }) => size)).toEqual([0, 0, 0])
  expect(looks).toBe(1)
  expect([ask(10), ask(11)].map(({ size }) => size)).toEqual([1, 1])
  expect(looks).toBe(2)
})

function ask(column: GateColumn, at: number, byStatus: boolean): readonly number[] {
  const { members, keys } = column.excluded({
    name: String(byStatus),
    at,
    excludes: (facts) => isExcluded(facts, at, byStatus),
  })
  expect([...members].sort((a, b) => a - b)).toEqual([...keys.keys])
  return [...keys.keys]
}

function lookAt(known: ReadonlyMap<number, Known>, at: number, byStatus: boolean): readonly number[] {
  return [...known].flatMap(([key, one]) => (isExcluded(one, at, byStatus) ? key : [])).sort((a, b) => a - b)
}

function isExcluded({ status, validFrom, validUntil, expiresAt }: Known | GateFacts, at: number, byStatus: boolean) {
  if (byStatus && status === 'superseded') return true
  return (validFrom ?? -1) > at || (validUntil ?? 99) <= at || (expiresAt ?? 99) <= at
}

function change(column: GateColumn, known: Map<number, Known>, key: number, record: Known | null): void {
  if (record === null) known.delete(key)
  else known.set(key, record)
  column.forget(key)
  if (record !== null) column.read(key)
}

/** A database with these records, as far as the column reads it. */
function databaseOf(known: ReadonlyMap<number, Known>): Database {
  const each = (_sql: string, [one]: readonly number[], visit: (row: unknown) => void) => {
    for (const [key, { status, validFrom, validUntil, expiresAt }] of known) {
      if (one !== undefined && one !== key) continue
      const values = [key, status, null, validFrom, validUntil, expiresAt, null, 0]
      const get = (place: number) => values[place]
      visit({ number: get, numberOrNull: get, textOrNull: get })
    }
  }
  return { each } as unknown as Database
}
