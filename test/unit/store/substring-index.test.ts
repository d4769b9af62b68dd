/** Tests the substring index by itself: what forgetting leaves, what churn costs, very large texts and queries. */
import { describe, expect, it } from 'vitest'
import { ctxsiftTerms } from '../../../src/core/text/tokenise/path-tokens.ts'
import { createSubstringIndex } from '../../../worker/store/derived/substring-index.ts'
import { createRandom } from '../../support/data/random.ts'
import { strengthsOf, type Texts } from '../../support/substring-oracle.ts'

const none: Texts = { instruction: null, body: null, command: null, paths: [] }

/** An index over records that the test holds. */
function openIndex(given: Readonly<Record<number, Partial<Texts>>> = {}) {
  const records = new Map(Object.entries(given).map(([key, texts]) => [Number(key), { ...none, ...texts }]))
  const index = createSubstringIndex((keys, visit) => {
    for (const key of keys ?? [...records.keys()].sort((a, b) => a - b)) visit(key, records.get(key)!)
  })
  return {
    index,
    records,
    search: (query: string) => index.search({ query, terms: ctxsiftTerms(query), scopeKeys: null }),
    put(key: number, texts: Partial<Texts>) {
      records.set(key, { ...none, ...texts })
      index.applied([key], [])
    },
    forget(key: number) {
      records.delete(key)
      index.applied([], [key])
    },
  }
}

describe('strengths', () => {
  const { search } = openIndex({
    3: { body: 'The auth test failed', paths: ['src/auth.py'] },
    5: { instruction: 'authors', command: 'pytest Auth', paths: ['auth.py', 'lib/auth.py.bak'] },
    9: { body: 'nothing' },
  })

  it('count the query 8 and a term 2 in a text; in paths only the best path counts', () => {
    expect(search('auth.py auth')).toEqual({
      keys: Uint32Array.of(3, 5),
      instruction: Float64Array.of(0, 2),
      body: Float64Array.of(2, 0),
      command: Float64Array.of(0, 2),
      paths: Float64Array.of(5 + 2, 6 + 2),
    })
  })

  it('count a term that is the whole query once', () => {
    const { keys, body, paths } = search(' AUTH.py\n')
    expect([keys, body, paths]).toEqual([Uint32Array.of(3, 5), Float64Array.of(0, 0), Float64Array.of(10, 12)])
    expect(search('uth tes').body).toEqual(Float64Array.of(8 + 4, 0))
  })

  it('belong only to keys in scope where a scope is given', () => {
    const scopeKeys = { keys: Uint32Array.of(5), bits: Uint32Array.of(1 << 5) }
    const { index } = openIndex({ 3: { body: 'auth' }, 5: { body: 'auth' } })
    expect(index.search({ query: 'auth', terms: ['auth'], scopeKeys }).keys).toEqual(Uint32Array.of(5))
  })

  it.each(['', '   ', '?'])('are empty for %j', (query) => expect(search(query).keys.length).toBe(0))
})

describe('after forgetting', () => {
  const secret = 'xq7-canary/hidden'

  it('[W3] none of its text is in memory, and shared parts stay', () => {
    const { index, search, forget } = openIndex({
      1: { body: `the ${secret} and (zz🤔zz) test`, instruction: secret, command: secret, paths: [`${secret}.ts`] },
      2: { body: 'the test', paths: ['kept.ts'] },
    })
    expect(index.allText()).toContain(secret)
    forget(1)
    expect(index.allText()).not.toContain('canary')
    expect(index.allText()).not.toContain('zz')
    expect(index.allText()).toContain('kept.ts')
    expect(search(secret).keys.length).toBe(0)
    expect(search('the test').keys).toEqual(Uint32Array.of(2))
  })

  it('[W3] control: text that another record has, too, stays', () => {
    const { index, forget } = openIndex({ 1: { body: secret }, 2: { instruction: secret } })
    forget(1)
    expect(index.allText()).toContain(secret)
  })

  it('[W3] an unknown key is skipped', () => {
    const { search, forget, put } = openIndex()
    forget(7)
    put(8, { body: 'auth' })
    forget(7)
    forget(8)
    forget(8)
    expect(search('auth').keys.length).toBe(0)
  })
})

describe('churn', () => {
  it('[V3] the index is as small and as correct as a new one', () => {
    const { index, records, put, forget } = openIndex()
    const random = createRandom(77)
    let key = 0
    for (let round = 0; round < 400; round++) {
      const words = Array.from({ length: 400 }, () => `w${random.below(50)} u${random.below(1e9)}`)
      put(++key, { body: words.join(' '), instruction: `round ${round}`, paths: [`src/u${random.below(1e9)}.ts`] })
      if (key > 10) forget(key - 10)
    }
    const fresh = openIndex(Object.fromEntries(records)).index
    for (const query of ['w1 u', 'round 39', 'u7', 'src/', 'w49 u12']) {
      const search = { query, terms: ctxsiftTerms(query), scopeKeys: null }
      expect(index.search(search)).toEqual(fresh.search(search))
    }
    expect(fresh.bytes()).toBeGreaterThan(100_000)
    expect(index.bytes()).toBeLessThan(8 * fresh.bytes())
  })
})

describe('an index that shrinks again and again', () => {
  it('[W3] finds no record that was forgotten', () => {
    const { index, records, put, forget } = openIndex()
    // Enough text for several compactions.
    const texts = Array.from({ length: 240 }, (_, key) => `auth ${`text${key} `.repeat(1_000)}`)
    for (const [key, body] of texts.entries()) put(key + 1, { body })
    for (const key of createRandom(3)
      .shuffled([...records.keys()])
      .slice(2)) {
      forget(key)
      const { keys } = index.search({ query: 'auth', terms: ['auth'], scopeKeys: null })
      expect([...keys]).toEqual([...records.keys()])
    }
  })
})

describe('size', () => {
  const random = createRandom(5)
  const words = Array.from({ length: 150_000 }, () => `w${random.below(1e5)}`).join(' ')
  const long = Array.from({ length: 1 << 20 }, () => random.pick([...'abcdefgh/'])).join('')
  const marks = '?!'.repeat(1 << 19)
  const { search } = openIndex({ 1: { body: words }, 2: { body: long }, 3: { body: marks }, 4: { body: 'small' } })

  it('texts of a mebibyte are found by any part of them', () => {
    expect(search(words.slice(500_000, 500_090)).keys).toContain(1)
    expect(search(long.slice(700_000, 700_300)).keys).toEqual(Uint32Array.of(2))
    expect(search(`${long.slice(700_000, 700_300)}z`).keys.length).toBe(0)
    expect(search('!?!').keys).toEqual(Uint32Array.of(3))
    expect(search('mall').keys).toEqual(Uint32Array.of(4))
  })

  it('distinguishes terms beyond one pass, and terms with the same first 64 letters', () => {
    const terms = Array.from({ length: 100 }, (_, i) => `${'x'.repeat(70)}${i}y`)
    const held = terms.filter((_, i) => i % 3 === 0)
    const texts = { ...none, body: held.join(' '), paths: [held.join('/')] }
    const many = openIndex({ 1: texts })
    const query = terms.join(' ')
    const expected = strengthsOf(texts, query)
    expect(expected.body).toBe(held.length * 2)
    const { body, paths } = many.search(query)
    expect([...body, ...paths]).toEqual([expected.body, expected.paths])
  })

  it('[Q1] a query of 4,096 different letters is answered', () => {
    const letters = Array.from({ length: 4096 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('')
    const { search: ask } = openIndex({ 1: { body: `a ${letters} b` }, 2: { body: letters.slice(1) } })
    expect(ask(letters).keys).toEqual(Uint32Array.of(1))
    expect(ask([...letters].join(' ')).body).toEqual(Float64Array.of(8192, 8190))
  })
})
