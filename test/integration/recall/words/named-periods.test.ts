/** Tests that the year in the name of a period finds no other days of this year, and weeks of feasts. */
import { describe, expect, test } from 'vitest'
import { openEngine } from '../../../support/stores/open-engine.ts'

const now = Date.UTC(2026, 4, 20, 10)
const notes = [
  ['june', '2024-06-19: timers', 'Deprecate negative delays', '2024-06-19T15:00Z'],
  ['june2', '2024-06-26: chat', 'We discussed moderation', '2024-06-26T15:00Z'],
  ['august', 'Board minutes', 'Revenue fell', '2024-08-14T12:00Z'],
  ['april', 'Plan for 2024', 'Seeds and pots', '2024-04-02T12:00Z'],
  ['feast', 'Dinner', 'Goose and dumplings', '2025-12-26T12:00Z'],
  ['walk', 'Walk', 'Snow and the dog', '2025-12-22T12:00Z'],
  ['oven', 'Oven', 'Cleaned it', '2025-12-30T12:00Z'],
  ['shelf', 'Shelf', 'Built it in the cellar', '2026-05-16T12:00Z'],
  ['tiles', 'Tiles', 'Ordered them', '2026-05-11T12:00Z'],
  ['bank', 'Bank', 'Called them', '2026-05-13T12:00Z'],
  ['dentist', 'Dentist', 'Pulled a tooth', '2026-05-18T12:00Z'],
] as const

async function idsFor(text: string): Promise<readonly string[]> {
  const { call } = await openEngine()
  const batch = notes.map(([id, title, body, at]) => ({ id, title, body, createdAt: Date.parse(at) }))
  await call('put', { batch }, now)
  const { hits } = await call('recall', { query: { text, now } }, now)
  return hits.map(({ id }) => id)
}

describe('the records of the period come first', () => {
  test.each([
    ['Q3 2024', ['august']],
    ['third quarter of 2024', ['august']],
    ['summer 2024', ['august', 'june', 'june2']],
    ['the second half of 2024', ['august']],
    ['Christmas week', ['feast', 'walk']],
    ['what did we eat in Christmas week?', ['feast', 'walk']],
    ['from Monday to Wednesday last week', ['bank', 'tiles']],
    ['the weekend', ['shelf']],
  ])('%s', async (text, ids) => {
    expect((await idsFor(text)).slice(0, ids.length).sort()).toEqual(ids)
  })
})

test('control: a year alone is found in titles, too', async () => {
  expect(await idsFor('2024')).toContain('april')
})

test('control: the weekend before a noun stays a word', async () => {
  const { call } = await openEngine()
  await call('put', { batch: [{ id: 'a', body: 'The weekend edition of the paper' }] }, now)
  expect((await call('recall', { query: { text: 'the weekend edition', now } }, now)).plan.read).toEqual([])
})
