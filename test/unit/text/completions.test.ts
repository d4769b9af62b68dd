/**
 * Checks that a word is found while it is typed, from its stem to its end, for every beginning of the words of a
 * vocabulary.
 */
import { describe, expect, it } from 'vitest'
import { completions } from '../../../src/core/text/tokenise/completions.ts'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const vocabulary = (
  'deployment deployments authentication authorization connections configuration running hopping hoping making coding ' +
  'studies caches caching happiness happily kubernetes responsibilities organization organizational internationalization ' +
  'effectiveness relational rationalize generalized nationalism dependency dependencies adjustable replacement triplicate ' +
  'keyword everything anyone ponyfill asynchronous encryption copyright agreed plastered usefulness electricity'
).split(' ')
const beginnings = vocabulary.flatMap((word) =>
  Array.from({ length: word.length - 2 }, (_, i) => ({ word, typed: word.slice(0, i + 3) })),
)

const isFoundBy = (typed: string, word: string, others: ReturnType<typeof completions>) =>
  [typed, ...others.beginnings].some((beginning) => stem(word).startsWith(stem(beginning))) ||
  others.words.some((other) => stem(other) === stem(word))

describe('completions', () => {
  it('cover every beginning of a word', () => {
    const lost = beginnings.filter(({ typed, word }) => !isFoundBy(typed, word, completions(typed)))
    expect(lost).toEqual([])
  })

  it('control: the beginnings alone miss many', () => {
    const none = { words: [], beginnings: [] }
    expect(beginnings.filter(({ typed, word }) => !isFoundBy(typed, word, none)).length).toBeGreaterThan(50)
  })

  it('contain no stem twice', () => {
    for (const { typed } of beginnings) {
      const { words, beginnings: longer } = completions(typed)
      const stems = words.map(stem)
      expect(new Set(stems).size).toBe(stems.length)
      for (const found of [typed, ...longer].map(stem))
        expect(stems.filter((stemmed) => stemmed.startsWith(found))).toEqual([])
    }
  })
})

describe("prefix: 'last'", () => {
  it.each(['porter', 'none'] as const)(
    'finds and marks a word at every letter typed, with stemmer %s',
    async (stemmer) => {
      const { call } = await openEngine({ stemmer })
      await call('put', { batch: vocabulary.map((word) => ({ id: word, body: `the ${word}` })) })
      for (const { typed, word } of beginnings) {
        const { hits } = await call('recall', {
          query: { text: `the ${typed}`, prefix: 'last', limit: 100, collapse: 'none' },
        })
        const hit = hits.find(({ id }) => id === word)
        const marked = hit?.snippet.marks.map(([from, to]) => hit.snippet.text.slice(from, to))
        expect(marked, typed).toContain(word)
        expect(hit?.matched).toContain('body')
      }
    },
  )

  it('is found next to the words before it, and counts no record twice', async () => {
    const { call } = await openEngine()
    await call('put', {
      batch: [
        { id: 'a', body: 'deployment deploys' },
        { id: 'b', body: 'elsewhere' },
      ],
    })
    const ask = async (text: string) => (await call('recall', { query: { text, prefix: 'last', explain: true } })).hits
    const [typing] = await ask('deploym')
    const [typed] = await ask('deployment')
    expect(typing?.id).toBe('a')
    expect(typing?.score).toBe(typed?.score)
    expect(await ask('zzyzx')).toEqual([])
  })
})
