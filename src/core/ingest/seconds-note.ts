/** Detects times in seconds. They are valid times in January or February 1970, so the receipt has a note instead of an error. */
import type { ParsedRecord } from './parse-record.ts'

const timeFields = ['createdAt', 'updatedAt', 'occurredAt', 'validFrom', 'validUntil', 'expiresAt'] as const

/** 2001 to 2100 in seconds; read as milliseconds: 12 January to 17 February 1970. */
const firstSecond = 1_000_000_000
const lastSecond = 4_102_444_800

/** An earlier clock belongs to a test, which uses small numbers on purpose. */
const realClock = 1_000_000_000_000

/** The note of a receipt about a record with a time that seems to be in seconds; undefined without one. */
export function secondsNote(record: ParsedRecord, now: number): string | undefined {
  if (now < realClock) return undefined
  const field = timeFields.find((name) => {
    const value = record[name]
    return value !== null && value >= firstSecond && value < lastSecond
  })
  if (field === undefined) return undefined
  return `${field} ${record[field]} is a time early in 1970. Times are milliseconds since the epoch; if it is in seconds, multiply it by 1,000.`
}
