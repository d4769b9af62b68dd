import { expect, test } from 'vitest'
import { createIdSet } from '../../../src/import/reading/id-set.ts'

test('a set of ids takes each of 20,000 once, as a set of JavaScript does', () => {
  const ids = Array.from({ length: 40_000 }, (_, i) => `chat/${(i * 7_919) % 20_000}`)
  const set = createIdSet()
  const known = new Set<string>()
  for (const id of ids) {
    expect(set.add(id)).toBe(!known.has(id))
    known.add(id)
  }
  expect(set.add('')).toBe(true)
  expect(set.add('')).toBe(false)
})
