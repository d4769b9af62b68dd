/**
 * [Q1] [Q2] Checks that any text is a question: no part of it is syntax, none throws, and a text without words finds
 * nothing.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchExpression } from '../../src/core/query/parse-text.ts'
import { isUnspaced } from '../../src/core/query/phrases.ts'
import { withoutHeldBack } from '../../src/core/query/read-signs.ts'
import { furtherWords } from '../../src/core/text/tokenise/index-form.ts'
import { stem } from '../../src/core/text/tokenise/stem.ts'
import { tokenise } from '../../src/core/text/tokenise/tokenise.ts'
import { all } from '../../worker/sqlite/database.ts'
import { sized } from '../support/data/sized.ts'
import { openOver } from '../support/stores/open-over.ts'

const seed = 20261121
const numRuns = sized(2000)

const bodies = [
  'acorn nest',
  'title body summary near and or not',
  'the quick brown jay',
  'col umn match rank',
  'émigré ΜΝΉΜΗ птица',
  '図書館で記憶を探す',
  'src/nest.ts EggError 0x1f',
  '🐦 bird 🪶',
]

const syntax = fc.constantFrom(
  '"',
  '""',
  "'",
  '*',
  '^',
  '(',
  ')',
  ' AND ',
  ' OR ',
  ' NOT ',
  'NEAR(',
  'NEAR(acorn nest, 2)',
  'title:',
  '{title body}:',
  '- {title}:',
  '+',
  ':',
  '\0',
  ';',
  '--',
  ' -',
  ' -"',
  '/*',
  '%',
  '_',
  '\\',
  '?1',
  ':x',
  '@x',
  "'; DROP TABLE records; --",
  '“',
  '»',
)
const words = fc.constantFrom('acorn', 'nest', 'body', 'the', 'jay', '記憶', 'ΜΝΉΜΗ', 'src/nest.ts', 'émigré', '🐦')
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
  .map((list) => String.fromCharCode(...list))
const anyText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.oneof(syntax, words, fc.constant(' ')), { maxLength: 12 }).map((list) => list.join('')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: units },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

function pairsOf(stems: readonly string[]): readonly string[] {
  return stems.slice(1).map((word, i) => `${stems[i]} ${word}`)
}

/** Every cut of a word in two, as stems. */
function cutsOf(word: string): readonly string[] {
  return Array.from({ length: Math.max(0, word.length - 1) }, (_, at) =>
    [word.slice(0, at + 1), word.slice(at + 1)].map(stem).join(' '),
  )
}

describe('any text', async () => {
  const { call, database } = await openOver()
  await call('put', { batch: bodies.map((body, i) => ({ id: `r${i}`, body })) })
  const matching = (expression: string) =>
    all(database, `SELECT rowid FROM record_fts WHERE record_fts MATCH ?`, [expression], (row) => row.number(0)).length

  it('[Q1] never makes a recall throw, and finds a record that holds one of its words', async () => {
    const stems = bodies.map(
      (body) => new Set([...tokenise(body).map(({ word }) => stem(word)), ...furtherWords(body)]),
    )
    // A word of the text may also be two words in a row of a record, and the other way round.
    const inRows = bodies.map((body) => new Set(pairsOf(tokenise(body).map(({ word }) => stem(word)))))
    const check = async (given: string, prefix: 'last' | 'none') => {
      const { hits, plan } = await call('recall', { query: { text: given, prefix, limit: 100 } })
      const text = withoutHeldBack(given)
      // Blank text asks nothing: the answer is a listing.
      if (text.trim() === '') return
      const asked = [...tokenise(text).map(({ word }) => stem(word)), ...furtherWords(text)]
      expect(plan.channels.lexical.ran).toBe(asked.length > 0 && plan.existence?.mightExist === true)
      for (const { id } of hits) expect(/^r\d$/.test(id)).toBe(true)
      if (prefix === 'last' || /["“”„«»]/u.test(text)) return
      // Stop words are left out next to others, so a record that holds only one of them need not be found.
      const written = tokenise(text).map(({ word }) => word)
      const joined = written.slice(1).map((word, i) => stem(`${written[i]}${word}`))
      const holding = stems.flatMap((own, i) => {
        const isBeginning = (word: string) => isUnspaced(word) && [...own].some((other) => other.startsWith(word))
        const isThere = [...asked, ...joined].some((word) => own.has(word) || isBeginning(word))
        return isThere || written.flatMap(cutsOf).some((cut) => inRows[i]!.has(cut)) ? [`r${i}`] : []
      })
      expect(holding).toEqual(expect.arrayContaining(hits.map(({ id }) => id)))
      if (text !== given) return
      const words = matchExpression(text)
      expect(hits.length).toBeGreaterThanOrEqual(words === '' ? 0 : matching(words))
    }
    await fc.assert(fc.asyncProperty(anyText, fc.constantFrom('last', 'none'), check), { seed, numRuns })
  })

  it('[Q1] makes an expression that MATCH accepts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const expression = matchExpression(text)
        if (expression !== '') matching(expression)
      }),
      { seed, numRuns },
    )
  })

  it('[Q1] control: the same texts unchanged make MATCH throw', () => {
    const failures = fc.sample(anyText, { seed, numRuns: 500 }).filter((text) => {
      try {
        matching(text)
        return false
      } catch {
        return true
      }
    })
    expect(failures.length).toBeGreaterThan(100)
  })

  it('[Q1] reads MATCH syntax as words', async () => {
    const ids = async (text: string) => (await call('recall', { query: { text } })).hits.map(({ id }) => id).sort()
    expect(await ids('body:acorn')).toEqual(['r0', 'r1'])
    expect(await ids('acorn NOT nest')).toEqual(['r0', 'r1', 'r6'])
    expect(await ids('aco*')).toEqual(['r0'])
    expect(await ids('ac*rn')).toEqual([])
    expect(await ids('^acorn')).toEqual(['r0'])
    expect(await ids('NEAR(acorn quick)')).toEqual(['r0', 'r1', 'r2'])
    expect(await ids('"acorn nest"')).toEqual(['r0'])
    expect(await ids('"nest acorn"')).toEqual([])
  })

  it('a single letter of an unspaced script finds runs that hold it', async () => {
    const ids = async (text: string) => (await call('recall', { query: { text } })).hits.map(({ id }) => id)
    for (const text of ['図', '館', '記？', '探', ' で ', 'す', '図 acornless', '"図"'])
      expect(await ids(text), text).toEqual(['r5'])
    expect(matchExpression('図')).toBe('"図"*')
    for (const text of ['森', '"森"']) expect(await ids(text), text).toEqual([])
    // Control: letters of spaced scripts count as whole words.
    expect(await ids('a')).toEqual([])
  })

  it('[Q1] reads 100 kB of any text up to its caps, and reports the cut', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(' ')
    for (const text of [
      '"'.repeat(100_000),
      'acorn '.repeat(17_000),
      '\ud800'.repeat(100_000),
      '\0'.repeat(100_000),
      '図'.repeat(100_000),
      many,
    ]) {
      const { plan } = await call('recall', { query: { text } })
      expect(plan.notes).toContain('text cut at 4096 characters')
    }
    const { plan } = await call('recall', { query: { text: many } })
    expect(plan.notes.some((note) => note.startsWith('only the first 256 of'))).toBe(true)
    const late = `${'x '.repeat(3000)} src/nest.ts EggError acorn`
    expect((await call('recall', { query: { text: late } })).hits).toEqual([])
  })

  it.each(['', ' ', '***', '"" \'\' ()', '\ufe0f', '—…·', '\udc00\ud800', '\0', '\u200b', '_-_'])(
    '[Q2] %j holds no word: the text channel is empty, nothing is an error',
    async (text) => {
      const { hits, plan } = await call('recall', { query: { text } })
      const why = text === '' ? 'the query has no text' : 'the text holds no word'
      expect(plan.channels.lexical).toMatchObject({ ran: false, why, matched: 0 })
      expect(plan.channels.recent.ran).toBe(text.trim() === '')
      expect(hits.length).toBe(text.trim() === '' ? bodies.length : 0)
    },
  )
})
