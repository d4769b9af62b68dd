/** Checks that times in ISO 8601 are read as `Date.parse` reads them, and that other texts are refused. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isoTime } from '../../../src/core/time/iso-time.ts'
import { parseIsoTime } from '../../../src/core/time/parse-iso-time.ts'

describe('a time in ISO 8601', () => {
  test('is the time that Date.parse returns', () => {
    const ms = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 31) })
    const zone = fc.constantFrom('Z', '+00:00', '+05:30', '-11:45', '+14:00')
    fc.assert(
      fc.property(ms, zone, fc.constantFrom(10, 16, 19, 23), (time, offset, digits) => {
        const text = isoTime(time).slice(0, digits) + (digits === 10 ? '' : offset)
        expect(parseIsoTime(text)).toBe(Date.parse(text))
      }),
      { seed: 19, numRuns: 2_000 },
    )
    expect(parseIsoTime('2026-11-23T09:30:00.123456+0100')).toBe(Date.UTC(2026, 10, 23, 8, 30, 0, 123))
    expect(parseIsoTime('2024-02-29')).toBe(Date.UTC(2024, 1, 29))
  })

  test.each([
    'soon',
    '2026-13-01',
    '2026-02-29',
    '2026-00-10',
    '2026-11-23T09:30',
    '2026-11-23T24:00Z',
    '2026-11-23T09:60Z',
    '2026-11-23T09:30+25:00',
    'Mon, 23 Nov 2026 09:30:00 GMT',
    ' 2026-11-23',
  ])('is not %j', (text) => {
    expect(parseIsoTime(text)).toBeUndefined()
  })
})
