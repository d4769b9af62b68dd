/**
 * Tests the verdicts of the search demo on its sample, beyond the three stories of the page: questions that a record answers, and
 * questions that none answers, in whole words and while the last word is typed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleRecords, sampleToday } from '../../../demo/sample/sample.mjs'
import { reasonsInWords } from '../../../demo/search/answer/how.ts'
import { lacksName } from '../../../demo/shared/spelling.ts'
import { openRecall, type Recall, type RecallQuery } from '../../../src/index.ts'

let recall: Recall

beforeAll(async () => {
  recall = await openRecall({ name: 'sample-verdicts', storage: 'memory' })
  await recall.put(sampleRecords())
})

afterAll(() => recall?.close())

describe('a question that a record answers has it among the first three, with strong evidence', () => {
  test.each([
    ["When is Grandma's birthday dinner?", 'letter/dinner-letter'],
    ['Where is the spare key?', 'note/2025-12-07-spare-key'],
    ['How much is the studio rent?', 'letter/2026-02-04-studio-rent-from-march'],
    ['What is my rent from November?', 'note/2026-10-22-rent-is-settled'],
    ['When is the dentist?', 'note/dentist-new'],
    ['How do I make lentil soup?', 'note/2025-11-28-lentil-soup-of-grandma'],
    ['Which string for the cello?', 'note/2025-12-09-cello-string-change'],
    ["What is Anouk's address?", 'note/2025-12-19-anouk-s-new-address'],
    ['When is my passport ready?', 'note/2026-07-13-passport-is-ready'],
    ['When is the draft of the owl book due?', 'note/2026-02-09-draft-deadline-moved'],
    ['Where are the Advent candles?', 'note/2025-11-30-first-advent'],
    ['Who feeds the cat?', 'note/2025-12-04-neighbour-s-cat'],
    ['boiler pressure', 'note/2025-11-27-boiler-pressure'],
  ])('%s', async (text, id) => {
    const { ids, verdict } = await ask({ text })
    expect(ids.slice(0, 3)).toContain(id)
    expect(verdict).toBe('strong')
  })
})

const unanswered: readonly string[] = [
  'Am I allergic to penicillin?',
  'what is the weather in Paris',
  'How do I install Python?',
  'Who won the football match?',
  'What is the capital of Peru?',
  'How tall is Mount Everest?',
  'What is the plot of Hamlet?',
  'How do I tie a bow tie?',
]

describe('a question that no record answers has no evidence', () => {
  test.each(unanswered)('%s', async (text) => {
    expect((await ask({ text })).verdict).toBe('none')
  })
})

test('control: without the rule for names, a record of weather counts as weak evidence', async () => {
  const { evidence } = await recall.recall({ text: 'what is the weather in Paris', now: sampleToday })
  expect(evidence.strength).toBe('weak')
})

describe('a question that records only touch has no strong evidence', () => {
  test.each([
    ...unanswered,
    'best recipe for sourdough bread',
    'How do I change a tyre on a car?',
    'What is my blood type?',
    'What is my wifi password?',
    'Did I pay the electricity bill?',
    "What is my mother's maiden name?",
  ])('%s', async (text) => {
    // The page asks so while the last word is typed, and after each of its letters.
    for (const typed of [text, ...beginnings(text)])
      expect((await ask({ text: typed, prefix: 'last' })).verdict, typed).not.toBe('strong')
    expect((await ask({ text })).verdict).not.toBe('strong')
  })
})

test('each reason of a channel that the page puts into other words is one of the engine', async () => {
  const { plan } = await recall.recall({ text: 'bike chain', scope: { tags: { any: ['sample'] } } })
  const reasons = Object.values(plan.channels).map(({ why }) => why)
  expect(reasons).toEqual(expect.arrayContaining(Object.keys(reasonsInWords)))
})

/** The question with its last word cut after each letter from the third on. */
function beginnings(text: string): readonly string[] {
  const start = text.lastIndexOf(' ') + 3
  return Array.from({ length: Math.max(0, text.length - start) }, (_, i) => text.slice(0, start + i))
}

/** As the page asks and judges. */
async function ask(query: RecallQuery): Promise<{ readonly ids: readonly string[]; readonly verdict: string }> {
  const time = { now: sampleToday, asOf: sampleToday }
  const { hits, evidence, plan } = await recall.recall({ ...query, ...time, limit: 5 })
  const isLacking = evidence.strength === 'weak' && lacksName(query.text ?? '', plan.read, hits)
  return { ids: hits.map(({ id }) => id), verdict: isLacking ? 'none' : evidence.strength }
}
