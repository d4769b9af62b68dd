/** Checks which time a record speaks of. */
import { describe, expect, test } from 'vitest'
import { eventTimeOf, shareInside } from '../../../src/core/time/event-time.ts'

const createdAt = Date.UTC(2026, 4, 8, 15)
const empty = { occurredAt: null, title: null, summary: null, body: null }
const dayOfMay = (date: number) => ({ from: Date.UTC(2026, 4, date), before: Date.UTC(2026, 4, date + 1) })

describe('the event time of a record', () => {
  test('is occurredAt, if given', () => {
    expect(eventTimeOf({ ...empty, occurredAt: 5, body: 'yesterday' }, createdAt)).toEqual({ from: 5, before: 5 })
  })
  test('is what the text names, against its creation', () => {
    expect(eventTimeOf({ ...empty, body: 'Yesterday we went kayaking.' }, createdAt)).toEqual(dayOfMay(7))
    expect(eventTimeOf({ ...empty, title: 'Notes of 2026-05-03', body: 'It rained.' }, createdAt)).toEqual(dayOfMay(3))
    expect(eventTimeOf({ ...empty, body: 'I have lived here since 2026-05-01.' }, createdAt)).toEqual({
      from: Date.UTC(2026, 4, 1),
      before: createdAt,
    })
  })
  test('is not taken from a text that leaves the year or week open', () => {
    expect(eventTimeOf({ ...empty, body: 'The deploy is on Friday.' }, createdAt)).toBeNull()
    expect(eventTimeOf({ ...empty, body: 'The party is on 15 November.' }, createdAt)).toBeNull()
    expect(eventTimeOf({ ...empty, body: 'The party is the day after 15 November.' }, createdAt)).toBeNull()
  })
  test('is null without a time in the text', () => {
    expect(eventTimeOf({ ...empty, body: 'The noodle place is closed.' }, createdAt)).toBeNull()
    expect(eventTimeOf(empty, createdAt)).toBeNull()
  })
})

describe('the share of an event in a window', () => {
  test('is 1 or 0 for an instant, the part of an interval else', () => {
    const window = { from: 10, before: 20 }
    expect([9, 10, 19, 20].map((at) => shareInside({ from: at, before: at }, window))).toEqual([0, 1, 1, 0])
    expect(shareInside({ from: 15, before: 25 }, window)).toBe(0.5)
    expect(shareInside({ from: 20, before: 25 }, window)).toBe(0)
    expect(shareInside({ from: 15, before: 25 }, { from: 12, before: null })).toBe(1)
  })
})
