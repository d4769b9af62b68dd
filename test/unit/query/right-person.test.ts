/** Tests that what one person said is not strong evidence of another whom the question names, that it is none if it says clearly more, and that the answer says so. */
import { expect, test } from 'vitest'
import { ofNamedSpeaker, ofRightPerson } from '../../../src/core/evidence/right-person.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const said = 'Melanie: I painted a sunrise over the lake in 2022.'

test('the right words of another person give the evidence none, with the reason', async () => {
  const { call } = await openEngine()
  const others = ['I like the sea.', 'We walked by the river.'].map((text, i) => ({
    body: `Caroline: ${text}`,
    id: `${i}`,
  }))
  await call('put', { batch: [{ id: 'm', body: said }, ...others] })
  const ask = async (text: string) => (await call('recall', { query: { text } })).evidence
  expect(await ask('When did Caroline paint a sunrise over the lake?')).toMatchObject({
    strength: 'none',
    reason: 'no record that answers is by or about Caroline',
  })
  // Control: of the one who said it.
  const right = await ask('When did Melanie paint a sunrise over the lake?')
  expect([right.strength, right.reason]).toEqual(['strong', undefined])
})

const evidence = { strength: 'strong', probability: 0.9, coverage: 1, topCosine: null, gap: 1 } as const
const record = (body: string, more = {}) =>
  ({ kind: 'note', title: null, summary: null, body, tags: [], metadata: {}, ...more }) as unknown as Parameters<
    typeof ofRightPerson
  >[2]

test.each([
  ["What does Caroline's necklace mean?", said, 'weak'],
  ['When was Caroline in Paris?', 'Melanie: I was in Paris in May.', 'weak'],
  ['When was Caroline in Paris?', 'Melanie: Caroline was in Paris in May.', 'strong'],
  ['When was Melanie in Paris?', 'Melanie: I was in Paris in May.', 'strong'],
  ['what is the capital of France?', 'Paris is the capital of France.', 'strong'],
  ['When did Caroline paint?', 'Note: I painted in May.', 'strong'],
  ['When did Caroline paint?', 'User: I painted in May.', 'strong'],
  ['when did caroline paint?', said, 'strong'],
])('%s · %s: %s', (question, body, strength) => {
  expect(ofRightPerson(evidence, question, record(body)).strength).toBe(strength)
})

test.each([
  ['Did Melanie break her ankle?', 'Omar broke his ankle in April.', 'weak'],
  ['Where does Irina work as a baker?', 'Paulo works as a baker in Porto.', 'weak'],
  ['Where does Irina run a bookshop?', 'My aunt Claudia runs a bookshop in Trieste.', 'weak'],
  ['What is Bettina studying?', 'Yusuf is studying law.', 'weak'],
  ["What is Bettina's job?", 'Yusuf has a job at the port.', 'weak'],
  // Controls: the text names them, or no one, or the name is a title, a tag or not the subject.
  ['Did Omar break his ankle?', 'Omar broke his ankle in April.', 'strong'],
  ['Where does Claudia run a bookshop?', 'My aunt Claudia runs a bookshop in Trieste.', 'strong'],
  ['Did Omar break his ankle?', 'He broke his ankle in April.', 'strong'],
  ['Did Omar break his ankle?', 'The doctor saw the broken ankle in April.', 'strong'],
  ['Did Omar break his ankle?', 'I broke my ankle in April.', 'strong'],
  ['Did Omar break his ankle?', 'Claudia says that Omar broke his ankle.', 'strong'],
  ['What is the capital of France?', 'Paris is the capital of France.', 'strong'],
  ['who broke an ankle?', 'Omar broke his ankle in April.', 'strong'],
])('of a text without a speaker: %s · %s: %s', (question, body, strength) => {
  expect(ofRightPerson(evidence, question, record(body)).strength).toBe(strength)
})

test('a title or a tag names the person, too', () => {
  const asked = (more: object) =>
    ofRightPerson(evidence, 'Did Omar break his ankle?', record('Dr Lang treated the broken ankle.', more)).strength
  expect([asked({ tags: [] }), asked({ tags: ['omar'] }), asked({ tags: [], title: 'Omar' })]).toEqual([
    'weak',
    'strong',
    'strong',
  ])
})

test('the name of a turn says who speaks', () => {
  const turn = (title: string | null) =>
    record('I painted in May.', { kind: 'turn', title, metadata: { role: 'user' } })
  const asked = (title: string | null) => ofRightPerson(evidence, 'When did Caroline paint?', turn(title)).strength
  expect([asked('Melanie'), asked('Caroline'), asked(null)]).toEqual(['weak', 'strong', 'strong'])
})

/** Forty turns of both about other things. */
const filler = Array.from({ length: 40 }, (_, i) => [
  i % 2 === 0 ? 'Caroline' : 'Melanie',
  `${['I walked by the river', 'You should see my garden', 'The kids were tired', 'Work was slow'][i % 4]}, it was week ${i}.`,
])
const shapes: Readonly<Record<string, (name: string, text: string) => Record<string, unknown>>> = {
  label: (name, text) => ({ body: `${name}: ${text}` }),
  'full name': (name, text) => ({ body: `${name} Miller: ${text}` }),
  turn: (name, text) => ({ kind: 'turn', title: name, body: text, metadata: { role: 'user' } }),
  speaker: (name, text) => ({ body: text, metadata: { speaker: name } }),
  author: (name, text) => ({ body: text, metadata: { author: name } }),
}

async function asking(shape: string, said: readonly (readonly [string, string])[]) {
  const { call } = await openEngine()
  const batch = [...filler, ...said].map(([name, text], i) => ({ id: `${i}`, ...shapes[shape]!(name!, text!) }))
  await call('put', { batch: batch as never, findContradictions: false })
  return async (text: string, more = {}) => (await call('recall', { query: { text, ...more } })).evidence
}

const sunrise = 'I painted a sunrise over the lake in 2022.'
const asked = [
  'When did Caroline paint a sunrise?',
  'when did caroline paint a sunrise',
  "What was Caroline's sunrise over?",
]

test.each(['label', 'turn'])(
  'among turns of both, what only the other says of themselves is none: %s',
  async (shape) => {
    const ask = await asking(shape, [['Melanie', sunrise]])
    for (const text of asked) {
      const { strength, reason } = await ask(text)
      expect([strength, reason], text).toEqual(['none', 'no record that answers is by or about Caroline'])
      expect((await ask(text, { limit: 1 })).strength, text).toBe('none')
    }
    // Control: of the one who said it.
    for (const text of asked) expect((await ask(text.replace(/caroline/i, 'Melanie'))).strength, text).toBe('strong')
  },
)

test('full names name by each of their words', async () => {
  const ask = await asking('full name', [['Melanie', sunrise]])
  expect((await ask('When did Caroline paint a sunrise?')).strength).toBe('none')
  // Both have this one: then no one is meant.
  expect((await ask('when did miller paint a sunrise?')).reason).toBe(undefined)
})

test.each(['speaker', 'author'])('the %s of the metadata speaks', async (shape) => {
  const others = [['Caroline', 'I like the sunrise club of Caroline.']] as const
  const ask = await asking(shape, [['Melanie', sunrise], ...others])
  expect((await ask('When did Caroline paint a sunrise over the lake?')).strength).toBe('none')
  expect((await ask('When did Melanie paint a sunrise over the lake?')).strength).toBe('strong')
})

test.each([
  ['own words that hold as much', ['Caroline', 'I painted my sunrise at last.']],
  ['a third person who tells of her', ['Melanie', 'My friend said that Caroline painted a sunrise.']],
  ['what is said to her', ['Melanie', 'Caroline, you painted a sunrise, I love it.']],
])('keep it: %s', async (_, said) => {
  const ask = await asking('label', [said as [string, string]])
  expect((await ask(asked[0]!)).strength).not.toBe('none')
})

test('asking the other whether they did states nothing of oneself', async () => {
  const ask = await asking('label', [
    ['Melanie', sunrise],
    ['Caroline', 'When did you paint the sunrise?'],
  ])
  expect((await ask(asked[0]!)).strength).toBe('none')
  // Control: with a word of her own it is.
  const own = await asking('label', [
    ['Melanie', sunrise],
    ['Caroline', 'When I paint a sunrise, do you?'],
  ])
  expect((await own(asked[0]!)).strength).not.toBe('none')
})

test.each([
  ['two speakers are named', 'When did Caroline and Melanie paint a sunrise?'],
  ['no one is named', 'When was a sunrise painted?'],
])('decides nothing if %s', async (_, text) => {
  const ask = await asking('label', [['Melanie', sunrise]])
  expect((await ask(text)).strength).not.toBe('none')
})

test('a word more among many is not clearly more', async () => {
  const long = 'Which sunrise, lake, mountain, river and forest did Caroline paint?'
  const own = ['Caroline', 'I paint my lake, mountain, river and forest.'] as const
  const ask = await asking('label', [own, ['Melanie', 'I paint my lake, mountain, river, forest and sunrise.']])
  expect((await ask(long)).strength).not.toBe('none')
  // Control: three words more are.
  const few = ['Caroline', 'I paint my lake and mountain.'] as const
  const other = await asking('label', [few, ['Melanie', 'I paint my lake, mountain, river, forest and sunrise.']])
  expect((await other(long)).strength).toBe('none')
})

test('labels of notes do not name persons', async () => {
  const { call } = await openEngine()
  const bodies = ['Recipe: pasta with salt.', 'Shopping: pasta, eggs and cheese.', 'Recipe: soup.']
  await call('put', { batch: bodies.map((body, i) => ({ id: `${i}`, body })) })
  expect((await call('recall', { query: { text: 'pasta eggs cheese recipe' } })).evidence.reason).toBe(undefined)
})

test('[G7] copies of what the other says do not take the places of what the person says', async () => {
  const { call } = await openEngine()
  const own = { id: 'own', body: 'Caroline: I painted my sunrise.' }
  const strengths = []
  for (const copies of [1, 5, 12]) {
    const batch = Array.from({ length: copies }, (_, i) => ({ id: `copy ${i}`, body: `Melanie: ${sunrise}` }))
    await call('put', { batch: [own, ...batch], findContradictions: false })
    strengths.push((await call('recall', { query: { text: asked[0]!, collapse: 'none' } })).evidence.strength)
  }
  expect(strengths).not.toContain('none')
})

/** Rows in the order of the answer: who says how many words of the question, names among them. */
function decide(
  names: readonly string[],
  said: readonly (readonly [string, number])[],
  copies: readonly number[] = [],
) {
  const rows = said.map((_, row) => row)
  const words = [...names, 'painted', 'sunrise', 'lake', 'river']
  const facts = {
    candidates: { matched: said.map(([, matched]) => matched) },
    lexical: { idfs: words.map(() => 1) },
    records: new Map(said.map(([name], row) => [row, record(`${name}: I did.`)])),
    duplicates: new Map([[0, copies]]),
  }
  const plan = { terms: words.map((word) => ({ word })) }
  return ofNamedSpeaker(evidence, plan as never, facts as never, rows).strength
}

test('decides nothing if the question names two speakers, even if the first one says less', () => {
  const said = [
    ['Caroline', 2],
    ['Melanie', 5],
  ] as const
  expect(decide(['caroline', 'melanie'], said)).toBe('strong')
  // Control: of one it decides.
  expect(decide(['caroline'], said)).toBe('none')
})

test('[G7] copies of the first record leave the place to what the person says', () => {
  const said = [...Array.from({ length: 5 }, () => ['Melanie', 4] as const), ['Caroline', 5] as const]
  expect(decide(['caroline'], said, [0, 1, 2, 3, 4])).toBe('strong')
  // Control: five different records take it.
  expect(decide(['caroline'], said)).toBe('none')
})
