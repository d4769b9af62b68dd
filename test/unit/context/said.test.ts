/** [H6] Tests how turns and requests of a chat are read: statement, question or small talk; a deed, or something about the person. */
import { describe, expect, it } from 'vitest'
import { readRequest } from '../../../src/core/said/read-request.ts'
import { utteranceOf } from '../../../src/core/said/read-turn.ts'

describe('[H6] turns', () => {
  it.each([
    'My dog is called Biscuit.',
    'I have celiac disease, what can I eat?',
    'Thanks! I moved to Lisbon in March.',
    'Is it late? I must leave at nine.',
    'Who dares wins.',
    'Ich wohne in Erfurt.',
    'J’habite à Lyon.',
  ])('statement: %s', (text) => expect(utteranceOf(text)).toBe('statement'))

  it.each([
    'What is the name of my pet?',
    'Thanks. Does the deploy key rotate on Mondays?',
    'Where do I live',
    'Wann fährt der Zug?',
    'Où est la gare ?',
  ])('question: %s', (text) => expect(utteranceOf(text)).toBe('question'))

  it.each([
    'Hello!',
    'How are you?',
    'Thanks a lot, bye!',
    'Can you help me?',
    'Tell me a joke',
    'Guten Morgen!',
    'Merci beaucoup',
  ])('small talk: %s', (text) => expect(utteranceOf(text)).toBe('small talk'))
})

describe('[H6] requests', () => {
  it.each([
    'Suggest a cake for my birthday',
    'It is Friday, release the fix',
    'curl the health check of staging for me',
    'Could you book a table?',
    'What should I cook tonight?',
    'Schreib mir ein Rezept für Waffeln',
    'Propose un dîner pour ce soir',
  ])('ask for a deed: %s', (text) => expect(readRequest(text).asksForDeed).toBe(true))

  it.each([
    'Where do I live?',
    'What is the capital of France?',
    'I moved to Vienna.',
    'The fix was released.',
    'Wo wohne ich?',
  ])('ask for none: %s', (text) => expect(readRequest(text).asksForDeed).toBe(false))

  it.each(['Where do I live?', 'Which film should I watch tonight?', 'Wo wohne ich?', 'Who am I?'])(
    'are about the person: %s',
    (text) => expect(readRequest(text)).toMatchObject({ isPersonal: true, isSmallTalk: false }),
  )

  it.each([
    'What is the capital of France?',
    'Tell me about the moon',
    'How do I boil an egg?',
    'Translate “I am hungry” into German',
  ])('control: are not: %s', (text) => expect(readRequest(text).isPersonal).toBe(false))
})
