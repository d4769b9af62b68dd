/** Tests how the notes app reads texts: tags and links where a person sees them, and Markdown files there and back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMarkdown, writeMarkdown } from '../../../demo/notes/files/read-markdown.ts'
import { aliasesIn, fileFactsOf } from '../../../demo/notes/model/front-matter.ts'
import { titlesOf } from '../../../demo/notes/model/links.ts'
import { comingBack, recordOf, tagsIn } from '../../../demo/notes/model/note.ts'

describe('tags', () => {
  test.each([
    ['#one and (#two), #Über-Cup_3', ['one', 'two', 'über-cup_3']],
    ['#project/jay #a/ #b//c', ['project/jay', 'a', 'b']],
    ['#same #SAME', ['same']],
    ['# heading', []],
    ['#42 is a number, #4u2 is not', ['4u2']],
    ['https://example.com/#place a#b x/#y &#39;', []],
    ['[up](#top) [down](<#low>) <a href="#here"> [ref]: #there', []],
    ['(#real) [#mark] "#said"', ['real', 'mark', 'said']],
    ['`#code` and\n```\n#fenced\n```\n#after', ['after']],
  ])('%j', (text, tags) => {
    expect(tagsIn(text)).toEqual(tags)
  })
})

test('links become relations where they lead to a note, each once', () => {
  const ids: Readonly<Record<string, string>> = { Bread: 'b', Beds: 'c' }
  const body = '[[Bread]], [[ Bread ]], [[Nowhere]], `[[Beds]]`'
  const { relations } = recordOf({ title: 't', body, rhythm: 'never' }, (title) => ids[title])
  expect(relations).toEqual([{ kind: 'links_to', target: 'b' }])
})

test('links have aliases, headings and folders; pictures and places in the same note do not count', () => {
  const asked: string[] = []
  const body = '[[Jay|the jay]] [[Ideas#Second]] [[Folder/Deep note]] ![[Embedded]] ![[cat.png]] [[#Here]] [[C#]]'
  recordOf({ title: 't', body, rhythm: 'never' }, (link) => void asked.push(link))
  expect(asked).toEqual(['Jay', 'Ideas#Second', 'Folder/Deep note', 'Embedded', 'C#'])
  expect(asked.map(titlesOf)).toEqual([
    ['Jay'],
    ['Ideas#Second', 'Ideas'],
    ['Folder/Deep note', 'Deep note'],
    ['Embedded'],
    ['C#', 'C'],
  ])
})

test('tags and aliases of the front matter count, and stay out of the text', () => {
  const head = 'aliases: [Jay, "the bird"]\ntags:\n  - x y\n  - "#z"'
  expect(recordOf({ title: 't', body: '#own', rhythm: 'never' }, () => undefined, head).tags).toEqual([
    'own',
    'x-y',
    'z',
  ])
  expect(aliasesIn(head)).toEqual(['Jay', 'the bird'])
  // The engine refuses longer tags, and with them the note.
  const long = `tags: [kept, ${'x'.repeat(257)}]`
  expect(recordOf({ title: 't', body: '', rhythm: 'never' }, () => undefined, long).tags).toEqual(['kept'])
})

test('a note that never comes back has neither wave nor pressure', () => {
  expect(comingBack('never', 1e12)).toEqual({ cycles: [], pressureRate: 0 })
  expect(comingBack('week', 1e12).cycles?.[0]?.periodSeconds).toBe(604_800)
})

describe('a Markdown file', () => {
  test.each([
    [
      'its front matter names it',
      'a/b.md',
      '---\ntitle: "Given"\nid: n1\n---\n\n# Other\n\nText',
      'Given',
      '# Other\n\nText',
      'n1',
    ],
    ['its first heading names it', 'a/b.md', '\uFEFF# Heading #\r\n\r\nText\r\n', 'Heading', 'Text', null],
    ['its own name names it', 'a/b c.md', 'Text\n# Later', 'b c', 'Text\n# Later', null],
    ['listed tags stay in the front matter', 'b.md', '---\ntags:\n  - x y\n---\nText #z', 'b', 'Text #z', null],
    [
      'badges and links of the heading go into the text',
      'b.md',
      '# [supports-color](https://a.example) [![Build](https://b.example/x.svg)](https://b.example)\n\nText',
      'supports-color',
      '[supports-color](https://a.example) [![Build](https://b.example/x.svg)](https://b.example)\n\nText',
      null,
    ],
    [
      'a heading of pictures alone names nothing',
      'b.md',
      '# ![logo](x.svg)\n\nText',
      'b',
      '# ![logo](x.svg)\n\nText',
      null,
    ],
    ['a horizontal rule is not front matter', 'b.md', 'Text\n\n---\n\nMore', 'b', 'Text\n\n---\n\nMore', null],
  ])('%s', (_, path, text, title, body, id) => {
    expect(readMarkdown(path, text)).toMatchObject({ id, title, body })
  })

  test.each([
    ['vault/Jay.md', '---\naliases: [the jay]\ncssclass: wide\n---\n\nText\n'],
    ['vault/b.md', '# Heading\n\nText\n'],
    ['vault/c.md', '---\ntitle: "Other"\nlayout:\n  deep: 1\n---\n\n# Heading\n'],
    ['vault/d.md', 'Text\n'],
  ])('%s is written as it was read', (path, text) => {
    const { title, body, facts } = readMarkdown(path, text)
    expect(writeMarkdown({ title, body }, { id: null, facts, path })).toBe(text)
  })

  test('a note with another title than its file gets a heading', () => {
    const { facts } = readMarkdown('vault/d.md', 'Text')
    expect(writeMarkdown({ title: 'New', body: 'Text' }, { id: null, facts, path: 'vault/d.md' })).toBe(
      '# New\n\nText\n',
    )
  })

  test('written and read again is the same note', () => {
    const line = fc.string({ minLength: 1, maxLength: 30 }).map((text) => `a${text.replaceAll(/[\n\r#]/g, '')}z`)
    const note = fc.record({ title: line, body: fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n\n')) })
    fc.assert(
      fc.property(note, ({ title, body }) => {
        const facts = fileFactsOf(undefined)
        const text = writeMarkdown({ title, body }, { id: 'id-1', facts, path: 'x.md' })
        expect(readMarkdown('x.md', text)).toEqual({ id: 'id-1', title, body, facts })
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
