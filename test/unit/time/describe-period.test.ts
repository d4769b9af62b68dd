/** Tests the words of a period: whole years, months and days, days of several months, hours, open sides, and the zone. */
import { describe, expect, test } from 'vitest'
import { describePeriod } from '../../../src/core/time/describe-period.ts'

const utc = () => 0
const at = (text: string) => Date.parse(`${text}Z`)
const day = (text: string) => at(`${text}T00:00`)

describe('a period in words', () => {
  test.each([
    ['2026-01-01', '2027-01-01', '2026'],
    ['2026-01-01', '2028-01-01', '1 January 2026 to 31 December 2027'],
    ['2026-01-01', '2026-12-31', '1 January to 30 December 2026'],
    ['2026-01-02', '2027-01-01', '2 January to 31 December 2026'],
    ['2026-01-01', '2026-02-01', 'January 2026'],
    ['2024-02-01', '2024-03-01', 'February 2024'],
    ['2024-02-01', '2024-02-29', '1 to 28 February 2024'],
    ['2026-12-01', '2027-01-01', 'December 2026'],
    ['2026-05-02', '2026-05-05', '2 to 4 May 2026'],
    ['2026-05-04', '2026-05-05', '4 May 2026'],
    ['2026-04-30', '2026-05-05', '30 April to 4 May 2026'],
    ['2026-05-01', '2026-07-01', '1 May to 30 June 2026'],
    ['2025-05-04', '2026-05-05', '4 May 2025 to 4 May 2026'],
    ['2025-12-31', '2026-01-02', '31 December 2025 to 1 January 2026'],
  ])('days %s until %s: %s', (from, before, words) => {
    expect(describePeriod(day(from), day(before), utc)).toBe(words)
  })

  test.each([
    ['2026-05-04T09:05', '2026-05-04T17:30', '4 May 2026, 09:05 to 17:30'],
    ['2026-05-04T22:00', '2026-05-05T06:00', '4 May 2026, 22:00 to 5 May 2026, 06:00'],
    ['2026-05-04T00:00', '2026-05-04T12:00', '4 May 2026, 00:00 to 12:00'],
    ['2026-05-04T12:00', '2026-05-05T00:00', '4 May 2026, 12:00 to 00:00'],
    ['1969-12-31T23:15', '1969-12-31T23:45', '31 December 1969, 23:15 to 23:45'],
  ])('hours %s until %s: %s', (from, before, words) => {
    expect(describePeriod(at(from), at(before), utc)).toBe(words)
  })

  test('with open sides', () => {
    expect(describePeriod(null, null, utc)).toBe('any time')
    expect(describePeriod(day('2026-05-04'), null, utc)).toBe('from 4 May 2026 on')
    expect(describePeriod(null, day('2026-05-04'), utc)).toBe('until 3 May 2026')
    expect(describePeriod(null, at('2026-05-04T00:01'), utc)).toBe('until 4 May 2026')
  })

  test('in the zone of the reader', () => {
    const twoHours = () => 7_200_000
    expect(describePeriod(at('2026-04-30T22:00'), at('2026-05-31T22:00'), twoHours)).toBe('May 2026')
    expect(describePeriod(at('2026-05-04T22:30'), at('2026-05-04T23:00'), twoHours)).toBe('5 May 2026, 00:30 to 01:00')
    expect(describePeriod(at('2026-05-04T22:30'), null, twoHours)).toBe('from 5 May 2026 on')
  })
})
