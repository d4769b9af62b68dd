/** Tests the shapes of calls from clients: what is refused, by which field, and that no other member is needed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecallError } from '../../../src/core/model/errors.ts'
import { methodNames } from '../../../src/protocol/methods.ts'
import { checkCall, shapes } from '../../../src/server/http/check-call.ts'
import { checkSize } from '../../../src/server/http/check-size.ts'

const callOf = (method: string, request: unknown, more: object = {}) => ({
  id: 'a',
  method,
  request,
  context: { now: 1 },
  deadlineMs: 1_000,
  ...more,
})

const good = {
  object: {},
  array: [],
  string: 'x',
  number: 1,
  boolean: true,
  bytes: new Uint8Array(1),
  any: 'x',
} as const

/** One value of each other kind, and null. */
const wrongFor = (kind: keyof typeof good) =>
  kind === 'any' ? [] : [null, ...Object.entries(good).flatMap(([other, value]) => (isOf(other, kind) ? [] : [value]))]

const isOf = (other: string, kind: string) => other === kind || (other === 'any' && kind === 'string')

const goodRequest = (method: keyof typeof shapes) => ({
  ...(method === 'forget' ? { ids: [] } : {}),
  ...Object.fromEntries(Object.entries(shapes[method].has ?? {}).map(([name, kind]) => [name, good[kind]])),
})

/** Closing is the host's business, and stores on a server have no locks. */
const ofOwners: readonly string[] = ['close', 'locks', 'storedLocks', 'lockNow']

test('[N5] clients have every method but those of owners', () => {
  expect(Object.keys(shapes).sort()).toEqual(
    methodNames()
      .filter((name) => !ofOwners.includes(name))
      .sort(),
  )
  for (const method of [...ofOwners, 'constructor', '__proto__', 'nothing', 7, null, {}])
    expect(() => checkCall(callOf(method as string, {}))).toThrow(expect.objectContaining({ field: 'method' }))
})

describe.each(Object.keys(shapes) as (keyof typeof shapes)[])('%s', (method) => {
  test('[N5] takes a request that has what it needs', () => {
    const call = callOf(method, goodRequest(method))
    expect(checkCall(call)).toBe(call)
  })

  test('[N5] refuses a request that lacks a member or has it in another kind, and names it', () => {
    const { has = {}, may = {} } = shapes[method]
    for (const request of ['bob', 7, null, [], undefined, true])
      expect(() => checkCall(callOf(method, request))).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', field: 'request' }),
      )
    for (const [field, kind] of Object.entries({ ...has, ...may })) {
      for (const wrong of [...wrongFor(kind), ...(Object.hasOwn(has, field) ? [undefined] : [])])
        expect(() => checkCall(callOf(method, { ...goodRequest(method), [field]: wrong }))).toThrow(
          expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
        )
    }
  })
})

test('[N5] forget needs ids or a scope, and not both', () => {
  for (const request of [{}, { ids: [], scope: {} }])
    expect(() => checkCall(callOf('forget', request))).toThrow(expect.objectContaining({ field: 'request' }))
})

test('[N5] any value is a call or a typed error', () => {
  const values = fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 3 })
  const calls = fc.oneof(
    values,
    fc.record({ id: values, method: fc.oneof(values, fc.constantFrom(...methodNames())), request: values }),
    fc
      .tuple(fc.constantFrom(...methodNames()), values, values)
      .map(([method, request, context]) => callOf(method, request, { context })),
  )
  fc.assert(
    fc.property(calls, (value) => {
      try {
        checkCall(value)
      } catch (error) {
        expect(error).toBeInstanceOf(RecallError)
        expect((error as RecallError).code).toBe('INVALID_ARGUMENT')
      }
    }),
    { numRuns: 2_000, seed: 5 },
  )
})

describe('the size of JSON', () => {
  const check = (text: string) => checkSize(new TextEncoder().encode(text))
  const list = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(',')}]`

  test('[N5] is limited in depth, in containers, and in values', () => {
    expect(() => check('['.repeat(200) + ']'.repeat(200))).not.toThrow()
    expect(() => check('['.repeat(201))).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', field: 'request' }),
    )
    expect(() => check(list(199_999, '{}'))).not.toThrow()
    expect(() => check(list(200_000, '{}'))).toThrow(expect.objectContaining({ field: 'request' }))
    expect(() => check(list(1_000_001, '1'))).not.toThrow()
    expect(() => check(list(1_000_002, '1'))).toThrow(expect.objectContaining({ field: 'request' }))
  })

  test('[N5] counts no sign inside a string', () => {
    expect(() => check(`["${'[,{'.repeat(400_000)}","\\"[${'['.repeat(300)}\\\\"]`)).not.toThrow()
    // control: the same signs outside a string.
    expect(() => check('[,{'.repeat(400_000))).toThrow(expect.objectContaining({ field: 'request' }))
  })
})
