/** Tests which passage the apps show below the name of a hit: never the name again. */
import { describe, expect, test } from 'vitest'
import type { Hit, Snippet } from '../../../src/index.ts'
import { passageOf } from '../../../demo/shared/marked-text.ts'
import { titleOf } from '../../../demo/shared/title-of.ts'
import { lineOf } from '../../../demo/notes/model/note.ts'
import { plainPassage } from '../../../demo/shared/record/plain-passage.ts'

describe('the passage of a hit', () => {
  const recipe = { title: 'Bread with garlic', body: 'Chop the cloves.\nKnead for ten minutes.' }

  test('is the beginning of the body if the engine cut the snippet from the title', () => {
    const snippet: Snippet = { text: 'Bread with garlic', marks: [[11, 17]] }
    expect(shown(recipe, snippet)).toEqual({ text: 'Chop the cloves.\nKnead for ten minutes.', marks: [] })
    expect(shown(recipe, { text: '…with garlic', marks: [] }).text).toMatch(/^Chop/)
  })

  test('is the snippet if a word was found in another text', () => {
    const snippet: Snippet = { text: 'Knead for ten minutes.', marks: [[0, 5]] }
    expect(shown(recipe, snippet)).toBe(snippet)
  })

  test('is a summary, an instruction or a command if there is no body, and empty if there is no text', () => {
    const snippet: Snippet = { text: 'Back up', marks: [] }
    expect(shown({ title: 'Back up', command: 'rsync -a', summary: ' ' }, snippet).text).toBe('rsync -a')
    expect(shown({ title: 'Back up' }, snippet)).toEqual({ text: '', marks: [] })
  })

  test('of an untitled record is what follows its first line, with the marks moved', () => {
    const body = 'Plums from Ida\n\nNine jars of jam.'
    const snippet: Snippet = {
      text: body,
      marks: [
        [0, 5],
        [29, 32],
      ],
    }
    expect(shown({ body }, snippet)).toEqual({ text: 'Nine jars of jam.', marks: [[13, 16]] })
    expect(shown({ body: 'Plums' }, { text: 'Plums', marks: [] }).text).toBe('')
    expect(shown({ body }, { text: '…jars of jam.', marks: [] }).text).toBe('…jars of jam.')
  })

  test('has at most 240 characters and an ellipsis, cut between words, and inside no character', () => {
    const words = shown({ title: 'a', body: 'jam '.repeat(100) }, { text: 'a', marks: [] }).text
    expect(words).toMatch(/^(?:jam )+jam…$/)
    expect(words.length).toBeLessThanOrEqual(241)
    const letters = shown({ title: 'a', body: `x${'𠮷'.repeat(200)}` }, { text: 'a', marks: [] }).text
    expect(letters).toMatch(/^x𠮷+…$/u)
  })

  function shown(texts: Partial<Hit['record']>, snippet: Snippet): Snippet {
    const record = {
      title: null,
      body: null,
      summary: null,
      instruction: null,
      command: null,
      ...texts,
    } as Hit['record']
    return passageOf({ record, snippet }, titleOf(record))
  }
})

test.each([
  [null, 'Plums from Ida\n\nNine jars.', 'Nine jars.'],
  ['Plums', 'Plums from Ida', 'Plums from Ida'],
  [null, 'Plums', ''],
])('the excerpt of a note titled %j does not repeat its name', (title, body, excerpt) => {
  const texts = { title, body, summary: null, instruction: null, command: null }
  const record = { id: 'a', ...texts, tags: [], metadata: {}, cycles: [], updatedAt: 0 }
  expect(lineOf(record as never).excerpt).toBe(excerpt)
})

describe('a passage without Markdown characters', () => {
  /** Each `<word>` is a mark. */
  const read = (text: string): Snippet => {
    const marks: [number, number][] = []
    let plain = ''
    for (const part of text.split(/(<[^>]*>)/)) {
      const word = part.replace(/^<(.*)>$/, '$1')
      if (word !== part) marks.push([plain.length, plain.length + word.length])
      plain += word
    }
    return { text: plain, marks }
  }

  test.each([
    ['# <Plan>\n- [x] call <Ida>\n> quoted', '<Plan>\ncall <Ida>\nquoted'],
    ['see [[Garden/Plums|the <plums>]] and [[<Ida>]]', 'see the <plums> and <Ida>'],
    ['**<Nine>** jars of `<jam>`, ~~ten~~', '<Nine> jars of <jam>, ten'],
    ['the [<map>](https://example.org/<map>) of `**`', 'the <map> of '],
    ['<**Nine** jars>', '<Nine jars>'],
    ['2 * 3 - 1 is <5>', '2 * 3 - 1 is <5>'],
  ])('%s', (written, shown) => {
    expect(plainPassage(read(written))).toEqual(read(shown))
  })

  test('control: a mark that lies in removed characters alone is left out', () => {
    expect(plainPassage({ text: '[a](b)', marks: [[4, 5]] })).toEqual({ text: 'a', marks: [] })
  })
})
