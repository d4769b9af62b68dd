/** Tests what the built-in agent takes a message for. */
import { expect, test } from 'vitest'
import { intentOf, textToRemember } from '../../../demo/agent/intent.ts'

test.each([
  ['remember that I live in Lyon', 'I live in Lyon'],
  ['I am allergic to peanuts, please remember it', 'I am allergic to peanuts'],
  ['The gym opens at 8. Remember this please.', 'The gym opens at 8'],
  ['My locker is 14 and keep that.', 'My locker is 14'],
  ['Please note this', null],
  ['remember it', null],
  ['Do you remember it?', null],
  ['Where is the key? Please remember it', null],
  ['When do we deploy?', null],
])('“%s” asks to remember %s', (message, text) => {
  expect(textToRemember(message)).toBe(text)
})

test.each([
  ['My sister Nora is vegan', 'statement'],
  ['Nora is vegan now', 'statement'],
  ['the gym opens at 8', 'statement'],
  ['I moved to Hamburg', 'statement'],
  ['No, Mia starts on 8 September', 'correction'],
  ["That's wrong: Mia starts on 8 September", 'correction'],
  ['Actually the gym opens at 9', 'correction'],
  ['No', 'question'],
  ['Garden beans', 'question'],
  ['is the gym open on Sunday', 'question'],
  ['where is my car', 'question'],
  ['No idea when Mia starts?', 'question'],
  ['what do you know about me?', 'about'],
  ['What do you know about Nora?', 'about'],
  ['What did I tell you today?', 'my-words'],
  ['forget the car', 'forget'],
  ['why not the gym', 'why-not'],
])('“%s” is a %s', (message, kind) => {
  expect(intentOf(message).kind).toBe(kind)
})

test('without a name, what is known is of the user', () => {
  expect(intentOf('What do you remember?')).toEqual({ kind: 'about', subject: 'me' })
  expect(intentOf('What do you know about Nora?')).toEqual({ kind: 'about', subject: 'Nora' })
})
