/** Tests that a program that tests need is not missed without a word where CI is set. */
import { expect, test } from 'vitest'
import { missing } from '../../support/stand-ins/missing.ts'

test('a missing program leaves tests out on a desktop, and fails under CI', () => {
  for (const ci of [undefined, '', 'false']) expect(missing(true, 'no server', ci)).toBe('no server')
  for (const ci of ['true', '1']) expect(() => missing(true, 'no server', ci)).toThrow('no server')
  for (const ci of [undefined, 'true']) expect(missing(false, 'no server', ci)).toBeNull()
})
