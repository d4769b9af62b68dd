/** Compares ids by key with a map; memory follows the live ids, not all ids ever added. */
import { describe, expect, test } from 'vitest'
import { createIdTable } from '../../../worker/store/derived/id-table.ts'
import { createRandom } from '../../support/data/random.ts'

const encoder = new TextEncoder()

describe('the id table', () => {
  test.each([1, 2, 3])('is a map from key to id, whatever is added and removed, seed %i', (seed) => {
    const random = createRandom(seed)
    const table = createIdTable()
    const living = new Map<number, string>()
    for (let key = 0; key < 6_000; key++) {
      const id = random.below(5) === 0 ? `ключ ${key} 🐦` : `r${key}`
      table.add(key, encoder.encode(id))
      living.set(key, id)
      while (living.size > 300 || (living.size > 0 && random.below(10) === 0)) {
        const gone = random.pick([...living.keys()])
        table.remove(gone)
        living.delete(gone)
      }
      if (living.size > 0) {
        const asked = random.pick([...living.keys()])
        expect(table.idOf(asked)).toBe(living.get(asked))
      }
    }
    for (const [key, id] of living) expect(table.idOf(key)).toBe(id)
  })

  test('[W3] holds no byte of a removed id, also after it was compacted', () => {
    const table = createIdTable()
    for (let key = 0; key < 20_000; key++) {
      table.add(key, encoder.encode(`canary-${key}`))
      expect(table.idOf(key)).toBe(`canary-${key}`)
      if (key >= 10) table.remove(key - 10)
    }
    expect(table.bytesHeld('canary-77')).toBe(0)
    expect(table.bytesHeld('canary-19999')).toBe('canary-19999'.length)
    expect(table.idOf(77)).toBe('')
  })

  test('finds the bytes of an id wherever it is, also at the end of a full buffer', () => {
    const table = createIdTable()
    const idOf = (key: number) => `r${String(key).padStart(7, '0')}`
    // Ids of 8 bytes, which fill a buffer of any power of two.
    for (let key = 0; key < 4_096; key++) {
      table.add(key, encoder.encode(idOf(key)))
      const count = key + 1
      if ((count & key) === 0) expect([count, table.bytesHeld(idOf(key))]).toEqual([count, 8])
    }
  })

  test('uses memory for the live ids; a key alone takes six bytes', () => {
    const table = createIdTable()
    const id = (key: number) => encoder.encode(`an id of some length, number ${key}`)
    const keys = 200_000
    for (let key = 0; key < keys; key++) {
      table.add(key, id(key))
      if (key >= 500) table.remove(key - 500)
    }
    // Typed arrays double as they grow.
    const ofKeys = 6 * keys * 2
    expect(table.bytes()).toBeGreaterThan(6 * keys)
    expect(table.bytes() - ofKeys).toBeLessThan(200_000)
    // Control: all ids ever added would take at least ten times as much.
    expect(keys * id(0).length).toBeGreaterThan(10 * 200_000)
  })

  test('takes another id for a key, and forgets the one before', () => {
    const table = createIdTable()
    table.add(3, encoder.encode('before'))
    expect(table.idOf(3)).toBe('before')
    table.add(3, encoder.encode('after'))
    expect(table.idOf(3)).toBe('after')
    expect(table.bytesHeld('before')).toBe(0)
  })
})
