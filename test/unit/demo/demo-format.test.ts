/** Tests how the demo writes small numbers and ranges of days. */
import { expect, test } from 'vitest'
import { amount, dayRange } from '../../../demo/shared/format.ts'

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

test('a range of days names its last day, and hours only if it begins or ends within a day', () => {
  const at = (day: number, hour = 0) => new Date(2026, 2, day, hour).getTime()
  expect(dayRange(at(3), at(10))).toMatch(/^(?=.*3)(?=.*9)(?!.*10)(?!.*:00).*2026$/)
  expect(dayRange(at(3), at(4))).toBe(dayRange(at(3), null).replace('since ', ''))
  expect(dayRange(null, at(4))).toBe(`until ${dayRange(at(3), at(4))}`)
  expect(dayRange(at(3, 9), at(3, 11))).toMatch(/9:00.*11:00/)
})
