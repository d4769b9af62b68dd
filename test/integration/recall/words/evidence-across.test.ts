/** Tests evidence where the question is in another language than the records: the meaning decides, answers and order stay. */
import { afterAll, describe, expect, test } from 'vitest'
import { probabilityOf } from '../../../../src/core/evidence/probability.ts'
import { replay } from '../../../../src/core/replay.ts'
import { openRecall, policies, type Recall, type RecallResult } from '../../../../src/index.ts'

const embeddingLanguages = new URL('../../../../languages/multi-static-128.bin', import.meta.url)
const notes = [
  'Mira moves the deploy to Friday, after the migration.',
  'The noodle place on Weber street is closed on Mondays.',
  'Grandfather kept bees in blue hives behind the barn.',
  'Set the oven to 220 degrees before the bread goes in.',
  'The tram to the harbour leaves every ten minutes.',
  'Lena is allergic to walnuts and hazelnuts.',
  'The spare key lies under the third flower pot.',
  'Passport renewal takes six weeks in summer.',
  'The violin needs new strings before the concert.',
  'Rent is due on the third working day of the month.',
]
const asked = [
  ['de', 'Wann fährt die Straßenbahn zum Hafen?', 4],
  ['es', '¿Cuánto tarda la renovación del pasaporte?', 7],
  ['fr', 'Combien de temps dure le renouvellement du passeport ?', 7],
  ['tr', 'Pasaport yenileme ne kadar sürer?', 7],
  ['Cyrillic', 'Сколько длится продление паспорта?', 7],
  ['Han', '备用钥匙在哪里?', 6],
  ['Han', '房租什么时候到期?', 9],
] as const
const strangers = [
  'Wer stimmt im Parlament über Zölle auf Stahl ab?',
  '¿Qué parlamento vota los aranceles del acero?',
  "Quel parlement vote les droits de douane sur l'acier ?",
  'Hangi parlamento çelik gümrük vergilerini oyluyor?',
  'Какой парламент голосует за пошлины на сталь?',
  '哪个议会对钢铁关税投票?',
]
const languages = ['en', 'de', 'es', 'fr', 'tr', 'ru', 'zh']
const { acrossLanguages: _across, ...before } = policies.balanced.evidence
/** The policy without the verdict by meaning. */
const words = { ...policies.balanced, evidence: before }

const opened: Recall[] = []
afterAll(() => Promise.all(opened.map((store) => store.close())))

const known = new Map<string, Promise<Recall>>()

/** Opened once for the same texts and languages: loading the table takes long. */
function filled(texts: readonly string[], tags: readonly string[] = languages): Promise<Recall> {
  const key = JSON.stringify([texts, tags])
  const store = known.get(key) ?? open(texts, tags)
  known.set(key, store)
  return store
}

async function open(texts: readonly string[], tags: readonly string[]): Promise<Recall> {
  const name = `across ${tags.length} ${texts.length}`
  const store = await openRecall({
    name,
    storage: 'memory',
    now: () => 0,
    languages: tags,
    assets: { embeddingLanguages },
  })
  opened.push(store)
  await store.put(texts.map((body, i) => ({ id: `n${i}`, body })))
  return store
}

const ranked = ({ hits }: RecallResult) => hits.map(({ id, score, reasons }) => ({ id, score, reasons }))

describe('a question in another language than the records', () => {
  test.each(asked)('has evidence where the best hit answers it: %s, %s', async (language, text, note) => {
    const store = await filled(notes)
    const { hits, evidence } = await store.recall({ text })
    expect(hits[0]?.id).toBe(`n${note}`)
    expect(evidence).toMatchObject({
      strength: expect.stringMatching(/weak|strong/),
      across: { question: [language], hit: expect.arrayContaining(['en']) },
    })
    // That of the meaning, not the least of the strength, to which the probability of the words is raised.
    const least = probabilityOf('acrossLanguages', evidence.strength === 'strong' ? 1 : 0)
    expect(evidence.probability).toBeGreaterThan(least)
  })

  test('control: by words alone evidence is none; hits, scores and reasons are the same', async () => {
    const store = await filled(notes)
    for (const [, text] of asked) {
      const [by, without] = [await store.recall({ text }), await store.recall({ text, policy: words })]
      expect([without.evidence.strength, without.evidence.across], text).toEqual(['none', undefined])
      expect(ranked(by), text).toEqual(ranked(without))
    }
  })

  test('is none if no record answers the question', async () => {
    const store = await filled(notes)
    for (const text of strangers) expect((await store.recall({ text })).evidence.strength, text).toBe('none')
  })

  test('is judged by the best hit: other records may be in the language of the question', async () => {
    const store = await filled([...notes, 'Die Katze schläft auf dem Dach.', 'Am Montag kommt der Klempner.'])
    const { hits, evidence } = await store.recall({ text: 'Wann fährt die Straßenbahn zum Hafen?' })
    expect([hits[0]?.id, evidence.strength]).toEqual(['n4', 'weak'])
    expect((await store.recall('Wo schläft die Katze?')).evidence).not.toHaveProperty('across')
  })

  test('[D1] replays from captured facts', async () => {
    const store = await filled(notes)
    const answer = await store.recall({ text: asked[0][1], capture: true })
    expect(replay(answer.receipt, answer.facts as never).evidence).toEqual(answer.evidence)
  })
})

describe('a question in the language of the records', () => {
  test('keeps its evidence', async () => {
    const store = await filled(notes)
    for (const text of [
      'when is the rent due?',
      'where is the spare key?',
      'tariffs for steel',
      'rent',
      'is it closed?',
    ])
      expect((await store.recall({ text })).evidence, text).toEqual(
        (await store.recall({ text, policy: words })).evidence,
      )
  })

  test('never has the verdict in a store in English alone', async () => {
    const store = await filled(notes, ['en'])
    for (const [, text] of asked) expect((await store.recall({ text })).evidence).not.toHaveProperty('across')
  })
})
