/** Tests which scopes contain every record: those are refused where records are removed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordStatuses } from '../../../src/core/model/record.ts'
import type { Scope } from '../../../src/core/model/query.ts'
import { restrictsNothing } from '../../../src/core/query/restricts-nothing.ts'

const last = 8.64e15

test.each<Scope>([
  {},
  { project: undefined },
  { tags: {} },
  { tags: { none: [] } },
  { tags: { all: [], none: [] } },
  { tags: { all: [], none: [], any: undefined } },
  { time: {} },
  { time: { of: 'occurredAt' } },
  { time: { after: -last } },
  { time: { before: last } },
  { time: { of: 'updatedAt', after: -last, before: last } },
  { status: [...recordStatuses] },
  { metadata: {} },
  { status: [...recordStatuses, 'active'], tags: { none: [] }, time: { after: -last }, metadata: {} },
])('nothing: %j', (scope) => {
  expect(restrictsNothing(scope)).toBe(true)
})

test.each<Scope>([
  { project: '' },
  { project: [] },
  { kind: 'note' },
  { ids: [] },
  { tags: { any: [] } },
  { tags: { all: ['a'] } },
  { tags: { none: ['a'] } },
  { time: { after: -last + 1 } },
  { time: { before: last - 1 } },
  { time: { of: 'occurredAt', after: -last } },
  { status: 'active' },
  { status: recordStatuses.slice(1) },
  { metadata: { size: 1 } },
])('something: %j', (scope) => {
  expect(restrictsNothing(scope)).toBe(false)
})

test('one condition that restricts is enough, in any company', () => {
  const vacuous = fc.constantFrom<Scope>(
    {},
    { tags: { none: [] } },
    { time: {} },
    { status: [...recordStatuses] },
    { metadata: {} },
  )
  const conditions = fc.constantFrom<Scope>(
    { project: 'a' },
    { session: 's' },
    { bank: ['b'] },
    { agent: 'x' },
    { topic: 't' },
  )
  fc.assert(
    fc.property(fc.array(vacuous), conditions, (others, one) => {
      expect(restrictsNothing(Object.assign({}, ...others))).toBe(true)
      expect(restrictsNothing(Object.assign({}, ...others, one))).toBe(false)
    }),
    { numRuns: 200, seed: 8 },
  )
})
