/** Tests how the demo writes small numbers. */
import { expect, test } from 'vitest'
import { amount } from '../../../demo/shared/format.ts'

test.each([
  [0, '0.00'],
  [0.5, '0.50'],
  [-0.25, '−0.25'],
  [0.0051, '0.0051'],
  [0.000_05, '0.0001'],
  [0.000_049, '< 0.0001'],
  [-0.000_049, '> −0.0001'],
  [-1e-12, '> −0.0001'],
])('an amount of %d is written %s: only zero is written as zero', (value, text) => {
  expect(amount(value)).toBe(text)
})
