/** Checks that a record with the written form of a word comes before one that has only another form of it. */
import { describe, expect, test } from 'vitest'
import { openEngine } from '../../../support/stores/open-engine.ts'

const filler = ['The bread needs two days.', 'A letter from the bank arrived.', 'Rain all week in the north.']

async function firstOf(bodies: readonly string[], text: string): Promise<string | undefined> {
  const { call } = await openEngine()
  await call('put', { batch: [...bodies, ...filler].map((body, i) => ({ id: `r${i}`, body })) })
  const { hits } = await call('recall', { query: { text } })
  return [...bodies, ...filler][Number(hits[0]?.id.slice(1))]
}

describe('of two records with forms of one word', () => {
  test.each([
    ['organ', 'The organ of the church was tuned by an expert from Leipzig', 'organization'],
    ['bright', 'this is like Solr, but much smaller, and not as bright.', 'brightness controls'],
    ['universe', 'the universe is large and old, says the book on the desk', 'universities'],
    ['training', 'He said that the training on Monday begins an hour later than usual', 'trains'],
    ['news', 'We read the news on the sofa every morning before work begins', 'new'],
    ['eat', 'On Sundays they eat at the long table in the garden', 'ate'],
    ['organ music', 'The organ of the church, and the music that was written for it', 'organization of music'],
  ])('%j has first: %s', async (text, right, wrong) => {
    expect(await firstOf([right, wrong], text)).toBe(right)
    expect(await firstOf([wrong, right], text)).toBe(right)
  })

  test('of the other form, too', async () => {
    const right = 'Der Aufbau einer organization dauert lange und kostet viel Kraft'
    expect(await firstOf([right, 'organ'], 'organization')).toBe(right)
  })
})

test('control: in a longer question, and of a form that no record has, all forms count the same', async () => {
  const [right, wrong] = ['The organ of the church was tuned by an expert from Leipzig', 'organization']
  expect(await firstOf([right, wrong], 'organ mountain glacier valley')).toBe(wrong)
  expect(await firstOf([right, wrong], 'organizing')).toBe(wrong)
})

test('a record with both forms is not lower than one with the written form', async () => {
  const { call } = await openEngine()
  const batch = [
    { id: 'both', body: 'organ organization' },
    { id: 'one', body: 'organ concert' },
  ]
  await call('put', { batch })
  const { hits } = await call('recall', { query: { text: 'organ' } })
  expect(hits.map(({ id }) => id)).toEqual(['both', 'one'])
})
