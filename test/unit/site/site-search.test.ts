/** Tests the records and the policy of the site's search with the engine: questions as strangers ask them, and what no page answers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordsOf } from '../../../site/content/records.ts'
import { type Source, sources } from '../../../site/content/sources.ts'
import { guide, siteSearch } from '../../../site/search-policy.ts'
import { openRecall, type Recall } from '../../../src/index.ts'

const records = sources.flatMap((source) => recordsOf(source))
const page: Source = { file: 'docs/a.md', path: 'docs/a.html', name: 'A page', group: 'How-to' }

let recall: Recall

beforeAll(async () => {
  recall = await openRecall({ name: 'site-search', embedder: null, policy: siteSearch })
  await recall.put(records)
})

afterAll(() => recall?.close())

const questions: readonly (readonly [text: string, page: RegExp])[] = [
  ['how do I install it', /^index\.html#install/],
  ['does it work offline', /^docs\/notes-pwa/],
  ['use it with react', /react/],
  ['how fast is it', /^docs\/benchmarks/],
  ['what licence is it', /^index\.html/],
  ['sync between my phone and laptop', /^docs\/(?:replicate|backup)/],
  ['how do I back up my data', /^docs\/backup/],
  ['is my data encrypted', /^docs\/security/],
  ['content security policy', /^docs\/bundlers\.html#content-security-policy/],
  ['switch from orama', /^docs\/migrating/],
  ['how big is the download', /^docs\/benchmarks\.html#size/],
  ['chrome extension', /^docs\/extension-sidebars/],
  ['pagination', /^docs\/browsing/],
  ['typescript types', /^docs\/api/],
  ['how do I back up', /^docs\/backup/],
]

describe('questions of strangers', () => {
  test.each(questions)('“%s” finds its page among the first three', async (text, expected) => {
    const { hits, evidence } = await recall.recall({ text, limit: 3, prefer: { kind: guide } })
    expect(
      hits.some(({ id }) => expected.test(id)),
      hits.map(({ id }) => id).join(),
    ).toBe(true)
    expect(evidence.strength).not.toBe('none')
  })

  test.each([
    ['react hook', /^docs\/frameworks/],
    ['delete a record', /^docs\/notes-pwa/],
  ])('“%s” has a guide first, not a page for contributors', async (text, expected) => {
    const ask = async (prefer: object) => (await recall.recall({ text, limit: 1, ...prefer })).hits[0]?.id
    expect(await ask({ prefer: { kind: guide } })).toMatch(expected)
  })

  test('control: without the preference, a page for contributors comes first', async () => {
    const { hits } = await recall.recall({ text: 'react hook', limit: 1 })
    expect(hits[0]?.id).toMatch(/^packages\//)
  })

  test('control: without the synonyms of the policy, what visitors say and pages do not is lost', async () => {
    const { synonyms: _, ...plain } = siteSearch
    const found = await Promise.all(
      questions.map(async ([text, page]) => {
        const { hits } = await recall.recall({ text, limit: 3, policy: plain, prefer: { kind: guide } })
        return hits.some(({ id }) => page.test(id))
      }),
    )
    expect(found.filter((isFound) => isFound).length).toBeLessThan(questions.length - 1)
  })

  test('a question from another domain gets evidence none', async () => {
    const { evidence } = await recall.recall('best recipe for sourdough bread')
    expect(evidence.strength).toBe('none')
  })

  test('a typing error is forgiven', async () => {
    const { hits, plan } = await recall.recall({ text: 'instal on nextjs or sveltekti', limit: 3 })
    expect(plan.read.some(({ kind }) => kind === 'typo')).toBe(true)
    expect(hits.some(({ id }) => /bundlers|index/.test(id))).toBe(true)
  })
})

describe('records', () => {
  test('there is one for each section of each page, and no two have one id', () => {
    const ids = new Set(records.map(({ id }) => id))
    expect(ids.size).toBe(records.length)
    for (const { path } of sources)
      expect(
        records.some(({ source }) => source === path),
        path,
      ).toBe(true)
  })

  test('a page is split at its headings; code, lists and rows of tables are in the text of their section', () => {
    const text =
      '# A\nOne.\n## B `c`\n- two\n\n| x | y |\n| - | - |\n| 3 | 4 |\n\n```ts\nfive()\n```\n### D\nSix.\n## B `c`\nSeven.\n'
    const split = recordsOf(page, text)
    expect(split.map(({ id }) => id)).toEqual(['docs/a.html', 'docs/a.html#b-c', 'docs/a.html#d', 'docs/a.html#b-c-1'])
    expect(split.map(({ title }) => title)).toEqual(['A page', 'B c', 'D', 'B c'])
    expect(split[1]?.body).toBe('two\nx · y\n3 · 4\nfive()')
    expect(split[2]?.summary).toBe('A page › B c')
  })

  test('a long section has parts under one address', () => {
    const split = recordsOf(
      page,
      `# A\n## B\n${'word '.repeat(200)}\n\n`.concat(`${'text '.repeat(400)}\n\n`.repeat(2)),
    )
    expect(split.map(({ id }) => id)).toEqual(['docs/a.html', 'docs/a.html#b', 'docs/a.html#b~1'])
  })
})
