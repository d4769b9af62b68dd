/** Tests that a question that cannot be a word of any language brings nothing, although vectors of its letters are near to some record. */
import { describe, expect, test } from 'vitest'
import { staticEmbedder } from '../../../../src/embedders/index.ts'
import { isWithoutMeaning } from '../../../../src/embedders/tables/without-meaning.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

const embedder = staticEmbedder()
const notes = [
  ['bread', 'Sourdough bread with rye flour'],
  ['bike', 'Bicycle insurance renewal'],
  ['network', 'The router of the wireless network has a new password'],
  ['photo', 'The photo has an image format with compression'],
  ['keys', 'The qwerty layout was made for typewriters'],
  ['sleep', 'Zzzz, she is asleep'],
] as const

async function opened(embed = embedder.embed) {
  const { call } = await openEngine(
    { space: { name: embedder.space, dimensions: embedder.dimensions } },
    { embed: (texts, role) => embed(texts, role) },
  )
  await call('put', { batch: notes.map(([id, body]) => ({ id, body })) })
  return (text: string) => call('recall', { query: { text } })
}

const ask = opened()

test.each(['zzz', ' ZZZ ', 'qqqq', 'asdfgh', 'asdf', 'hjkl', 'uiop', 'yxcv', 'qwrtzp', 'dsfsdf'])(
  '"%s" brings nothing, and the plan says why',
  async (text) => {
    const { hits, evidence, plan } = await (await ask)(text)
    expect(hits).toEqual([])
    expect(evidence.strength).toBe('none')
    expect(plan.channels.vector).toMatchObject({ ran: false, why: 'the embedder knows no word of the query' })
    expect(plan.channels.lexical.why).toBe('no word of the query exists in the scope')
  },
)

describe('control', () => {
  test.each([
    ['zzzz', 'sleep'],
    ['qwerty', 'keys'],
  ])('"%s" is found where a record has it', async (text, id) => {
    expect((await (await ask)(text)).hits.map((hit) => hit.id)).toEqual([id])
  })

  test.each([
    ['wifi', 'network'],
    ['jpeg', 'photo'],
    ['vpn', 'network'],
  ])('"%s", which no record has, is near in meaning', async (text, id) => {
    expect(isWithoutMeaning(text)).toBe(false)
    expect((await (await ask)(text)).hits[0]!.id).toBe(id)
  })

  test('a longer question has its neighbours, and so has the embedder of an app', async () => {
    expect((await (await ask)('asdfgh qwrtzp')).hits.length).toBeGreaterThan(0)
    const own = await opened(async (texts) =>
      embedder.embed(
        texts.map((text) => `${text} bread`),
        'document',
      ),
    )
    expect((await own('zzz')).hits.length).toBeGreaterThan(0)
  })
})

test.each(['html', 'gdpr', 'rsvp', 'kwh', 'hdmi', 'rhythm', 'aaa', 'were', 'post', 'Müller', 'Łódź', '雨', 'x', ''])(
  '"%s" is not taken for a word without meaning',
  async (text) => {
    const [vector] = await embedder.embed([text], 'query')
    const [document] = await embedder.embed([text], 'document')
    expect(vector).toEqual(document)
  },
)
