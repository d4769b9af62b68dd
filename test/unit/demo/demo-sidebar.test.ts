/** Tests the sidebar's reading of addresses and titles, texts that stay, and the corrected and completed words of the apps. */
import { expect, test } from 'vitest'
import { completionOf } from '../../../demo/search/answer/completion.ts'
import { lacksName, nearestQuestion } from '../../../demo/shared/spelling.ts'
import { recordOf, withKnownText } from '../../../demo/sidebar/capture.ts'
import { canRemember, pageOf, subjectOf } from '../../../demo/sidebar/page-address.ts'
import { openRecall, type StoredRecord } from '../../../src/index.ts'

const mdn = 'https://developer.mozilla.org/en-US/docs/Web'

test('the subject of a title leaves out the name of the site', () => {
  expect(subjectOf('Using Web Workers - Web APIs | MDN', mdn, 'MDN Web Docs')).toBe('Using Web Workers Web APIs')
  expect(subjectOf('Tides — Mozilla', mdn, '')).toBe('Tides')
  expect(subjectOf('State-of-the-art: 2-3 ideas', mdn, '')).toBe('State-of-the-art: 2-3 ideas')
  // A start page has nothing but the name.
  expect(subjectOf('MDN', mdn, 'MDN')).toBe('MDN')
})

test('pages of the browser cannot be remembered', () => {
  const urls = [
    'https://a.example/',
    'http://a',
    'file:///notes.html',
    'about:blank',
    'chrome://settings',
    'edge://x',
    '',
  ]
  expect(urls.map(canRemember)).toEqual([true, true, true, false, false, false, false])
  expect(pageOf('https://a.example/x#part')).toBe('https://a.example/x')
})

test('a page that could not be read keeps its stored text, and a read one replaces it', async () => {
  const recall = await openRecall({ storage: 'memory', embedder: null })
  const capture = { url: 'https://a.example/', title: 'Tides', text: 'High water at noon.', isSelection: false }
  await recall.put(await recordOf(capture))
  const titleOnly = await withKnownText(recall, await recordOf({ ...capture, title: 'Tides today', text: '' }))
  expect([titleOnly.title, titleOnly.body]).toEqual(['Tides today', 'High water at noon.'])
  const read = await recordOf({ ...capture, text: 'Low water at six.' })
  expect(await withKnownText(recall, read)).toBe(read)
  await recall.close()
})

test('a name that no record has is not answered by a near word, and near words are offered where nothing was corrected', async () => {
  const read = [
    { kind: 'phrase', text: 'as it is' },
    { kind: 'typo', text: 'garlc', as: 'garlic', edits: 1 },
  ] as const
  const paris = [{ kind: 'typo', text: 'Paris', as: 'parts', edits: 1 }] as const
  const found = (body: string) => [{ record: { title: null, body } as StoredRecord }]
  expect(lacksName('the weather in Paris', paris, [])).toBe(true)
  expect(lacksName('the weather in Paris', [], found('Rainy weather'))).toBe(true)
  expect(lacksName('the weather in Paris', [], found('paris in spring'))).toBe(false)
  // The first word of a sentence has a capital anyway, and a long word is rather mistyped.
  expect(lacksName('Paris weather', paris, [])).toBe(false)
  expect(lacksName('how much garlc', read, [])).toBe(false)
  const recall = await openRecall({ storage: 'memory', embedder: null })
  await recall.put({ id: 'a', title: 'Roast garlic soup', body: 'Peel the garlic.' })
  expect(await nearestQuestion(recall, 'garlc  soup?')).toBe('garlic  soup?')
  // A word that begins a known one is not a mistake, and short words have too many neighbours.
  expect(await nearestQuestion(recall, 'garl sop')).toBeNull()
  await recall.close()
})

test('completes the whole text, or else its last word, unless the typed word is the most frequent one', async () => {
  const recall = await openRecall({ storage: 'memory', embedder: null })
  const bodies = ['The bike chain is new.', 'A chain of shops.', 'One week.', 'A week and two weeks.', 'We rest.']
  await recall.put(bodies.map((body, i) => ({ id: `${i}`, tags: i === 1 ? ['shop'] : [], body })))
  const completed = (text: string, scope = {}) => completionOf(recall, text, scope)
  expect(await completed('Bike ch')).toBe('ain')
  expect(await completed('is the ch')).toBe('ain')
  expect(await completed('wee')).toBe('k')
  expect(await completed('week')).toBe('')
  expect(await completed('bike', { tags: { any: ['shop'] } })).toBe('')
  expect(await completed('xyl')).toBe('')
  await recall.close()
})
