/** Checks the walk over sorted words against an oracle that compares each pair of words by itself. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eachNear, firstWithout, forgivenEdits } from '../../../src/core/similarity/edits.ts'
import { plainEdits } from '../../support/oracles/plain-edits.ts'

const word = fc.string({ unit: fc.constantFrom(...'abcé'), minLength: 1, maxLength: 9 })

function near(words: readonly string[], typed: string, most: number): Record<string, number> {
  const found: Record<string, number> = {}
  eachNear(words, typed, most, (length, index, edits) => {
    if (length === words[index]!.length) found[words[index]!] = edits
  })
  return found
}

function beginnings(words: readonly string[], typed: string, most: number): Record<string, number> {
  const found: Record<string, number> = {}
  eachNear(words, typed, most, (length, index, edits) => {
    const beginning = words[index]!.slice(0, length)
    expect(found, `${beginning} is visited once`).not.toHaveProperty(beginning)
    found[beginning] = edits
  })
  return found
}

describe('words near a typed one', () => {
  test.each([1, 2])('are those of an oracle, up to %i edits', (most) => {
    const check = (list: readonly string[], typed: string) => {
      const words = [...new Set(list)].sort()
      const within = (one: string) => [one, plainEdits(typed, one)] as const
      const isNear = ([, edits]: readonly [string, number]) => edits <= most
      expect(near(words, typed, most)).toEqual(Object.fromEntries(words.map(within).filter(isNear)))
      const all = new Set(words.flatMap((one) => [...one].map((_, i) => one.slice(0, i + 1))))
      expect(beginnings(words, typed, most)).toEqual(Object.fromEntries([...all].map(within).filter(isNear)))
    }
    fc.assert(fc.property(fc.array(word, { maxLength: 12 }), word, check), { numRuns: 500, seed: 19 })
  })

  test.each([
    ['migratoin', 'migration', 1],
    ['ca', 'abc', 2],
    ['abc', 'ca', 2],
    ['friday', 'firday', 1],
    ['kitten', 'sitting', null],
    ['same', 'same', 0],
  ])('%s and %s: %s', (typed, other, edits) => {
    expect(near([other], typed, 2)[other] ?? null).toBe(edits)
  })

  test('control: the oracle counts an exchange as one, and three edits as three', () => {
    expect([plainEdits('ab', 'ba'), plainEdits('ca', 'abc'), plainEdits('kitten', 'sitting')]).toEqual([1, 2, 3])
  })

  test('a beginning that differs too much ends the search among all words with it', () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `zz${String(i).padStart(5, '0')}`)
    let visits = 0
    eachNear([...words, 'zzzzzzzz'], 'zzzzzzyz', 2, () => visits++)
    expect(visits).toBeLessThan(20)
    expect(firstWithout(words, 0, 'zz0')).toBe(10_000)
    expect(firstWithout(words, 9_999, 'zz09')).toBe(10_000)
    expect(firstWithout(words, 0, 'zz')).toBe(20_000)
  })
})

test.each([
  ['abc', 0],
  ['abcd', 1],
  ['abcdefg', 1],
  ['abcdefgh', 2],
])('%s forgives %i edits', (typed, edits) => {
  expect(forgivenEdits(typed)).toBe(edits)
})
