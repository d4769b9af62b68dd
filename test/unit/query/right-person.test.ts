/** Tests that what one person said is not strong evidence of another whom the question names, and that the answer says so. */
import { expect, test } from 'vitest'
import { ofRightPerson } from '../../../src/core/evidence/right-person.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const said = 'Melanie: I painted a sunrise over the lake in 2022.'

test('the right words of another person are weak, with the reason', async () => {
  const { call } = await openEngine()
  const others = ['I like the sea.', 'We walked by the river.'].map((text, i) => ({
    body: `Caroline: ${text}`,
    id: `${i}`,
  }))
  await call('put', { batch: [{ id: 'm', body: said }, ...others] })
  const ask = async (text: string) => (await call('recall', { query: { text } })).evidence
  expect(await ask('When did Caroline paint a sunrise over the lake?')).toMatchObject({
    strength: 'weak',
    reason: 'no record that answers is by or about Caroline',
  })
  // Control: of the one who said it.
  const right = await ask('When did Melanie paint a sunrise over the lake?')
  expect([right.strength, right.reason]).toEqual(['strong', undefined])
})

const evidence = { strength: 'strong', coverage: 1, topCosine: null, gap: 1 } as const
const record = (body: string, more = {}) =>
  ({ kind: 'note', title: null, summary: null, body, metadata: {}, ...more }) as unknown as Parameters<
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

test('the name of a turn says who speaks', () => {
  const turn = (title: string | null) =>
    record('I painted in May.', { kind: 'turn', title, metadata: { role: 'user' } })
  const asked = (title: string | null) => ofRightPerson(evidence, 'When did Caroline paint?', turn(title)).strength
  expect([asked('Melanie'), asked('Caroline'), asked(null)]).toEqual(['weak', 'strong', 'strong'])
})
