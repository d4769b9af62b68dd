/** Tests the rules of methods: which may be repeated, which write, and how long they may take. */
import { expect, test } from 'vitest'
import { deadlineOf, isMethod, mayRepeat, mayWrite, methodNames, usesPolicy } from '../../../src/protocol/methods.ts'

const methods = methodNames()
const names = (holds: (method: (typeof methods)[number]) => boolean) => methods.filter(holds).sort()

test('the methods that read the whole store have a longer deadline, whatever their names begin with', () => {
  expect(names((method) => deadlineOf(method, 1_000) === 60_000)).toEqual([
    'compact',
    'finishImport',
    'integrityCheck',
    'retain',
  ])
  expect(names((method) => deadlineOf(method, 1_000) === 1_000)).toHaveLength(methods.length - 4)
})

test('[T2] a call that writes is repeated only with an operation id', () => {
  const writing = names((method) => mayWrite(method, { query: { commitEffects: true } }))
  expect(writing).toEqual([
    'acknowledge',
    'assemble',
    'checkFiles',
    'expireProposals',
    'finishImport',
    'forget',
    'link',
    'patch',
    'predict',
    'put',
    'resolvePrediction',
    'retain',
    'strengthen',
    'weakenLinks',
  ])
  expect(names((method) => method !== 'close' && !mayRepeat(method, undefined))).toEqual(writing)
  expect(names((method) => method !== 'close' && !mayRepeat(method, 'op-1'))).toEqual([])
})

test('assemble writes only if it commits effects', () => {
  expect(mayWrite('assemble', { query: {} })).toBe(false)
  expect(mayWrite('assemble', undefined)).toBe(false)
})

test('a policy decides the queries of five methods', () => {
  expect(names(usesPolicy)).toEqual(['about', 'assemble', 'assess', 'recall', 'why'])
})

test('a name from outside is a method only if the table lists it', () => {
  expect(methods.every(isMethod)).toBe(true)
  expect([undefined, 3, '', 'constructor', '__proto__', 'toString'].filter(isMethod)).toEqual([])
})
