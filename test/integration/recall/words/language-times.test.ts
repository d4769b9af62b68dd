/** Tests that words that are a time in one language only are read as one in a store of that language, and that nothing else is left of a question. */
import { beforeAll, describe, expect, test } from 'vitest'
import { knownLanguages } from '../../../../src/core/model/languages.ts'
import { loadLanguages } from '../../../../worker/languages/load-languages.ts'
import { startOfTime } from '../../../support/stores/open-engine.ts'
import { openOver } from '../../../support/stores/open-over.ts'

beforeAll(() => loadLanguages(knownLanguages))

const day = 86_400_000

async function ask(languages: readonly string[], text: string) {
  const { call } = await openOver({ languages } as never)
  const batch = [0, 1, 2, 30].map((ago) => ({
    id: `${ago}`,
    body: 'Réunion',
    createdAt: startOfTime - ago * day,
    updatedAt: startOfTime,
  }))
  await call('put', { batch })
  const { hits, plan } = await call('recall', { query: { text, collapse: 'none' } })
  return { first: hits[0]?.id, read: plan.read.map((one) => one.text), hits: hits.map(({ id }) => id) }
}

describe('a time', () => {
  test('is read in the language of the store, where it could be a word of another one', async () => {
    expect(await ask(['fr'], 'réunion hier')).toMatchObject({ first: '1', read: ['hier'] })
    expect((await ask(['en'], 'réunion hier')).read, 'control: not by default').toEqual([])
    expect((await ask(['de', 'fr'], 'Wer war hier?')).read, 'nor if German is a language of the store').toEqual([])
  })

  test('of another language than those of the store is still read', async () => {
    expect(await ask(['fr'], 'was habe ich gestern gemacht?')).toMatchObject({ hits: ['1'], read: ['gestern'] })
  })

  test.each([
    ['it', 'negli ultimi tre giorni', ['0', '1', '2']],
    ['it', "cosa ho fatto l'altro ieri?", ['2']],
    ['es', 'en esas últimas dos semanas', ['0', '1', '2']],
    ['pt', 'pelos últimos três dias', ['0', '1', '2']],
  ])('is all that is asked for: %s, %s', async (tag, text, ids) => {
    expect([...(await ask([tag], text)).hits].sort()).toEqual(ids)
  })
})
