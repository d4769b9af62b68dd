/** Checks which texts state a standing request. */
import { describe, expect, it } from 'vitest'
import { standingOf } from '../../../src/core/ingest/standing-cues.ts'

const requestOf = (body: string) => standingOf({ title: null, summary: null, body, instruction: null })

describe('standing requests', () => {
  it.each([
    'Always show code with types when I ask about TypeScript.',
    'From now on answer in metric units.',
    'Please never suggest meetings before nine.',
    'Whenever I ask about trips, name the visa rules.',
    'Bitte immer mit Quellen antworten.',
    'Ab jetzt bitte auf Deutsch.',
    'À partir de maintenant, réponds en français.',
    'A partir de ahora usa el sistema métrico.',
    'Sempre que eu perguntar sobre voos, mostre o preço.',
    'D’ora in poi rispondi in italiano.',
    'Vanaf nu graag in het Nederlands.',
    'Summaries for my pupils: three sentences at most.',
    'Keep your answers short.',
    'Answer me in French.',
    'No emojis, thanks.',
    'Bitte sprechen Sie mich mit Du an.',
    'Fass dich kurz.',
    'Höchstens drei Sätze.',
    'Tutoie-moi.',
    'Trátame de tú.',
  ])('instruction: %s', (text) => expect(requestOf(text)).toBe('instruction'))

  it.each([
    "By the way, I don't eat fish.",
    'I’d prefer a window seat.',
    "I'm allergic to nuts.",
    'Ich esse keinen Fisch.',
    'Je préfère les trains de nuit.',
    'No me gusta el picante.',
    'Não gosto de café.',
    'Preferisco viaggiare in treno.',
    'Ik eet geen vlees.',
  ])('preference: %s', (text) => expect(requestOf(text)).toBe('preference'))

  it.each([
    'I always walk to work.',
    'The train is always late.',
    'We planted garlic beside the tomatoes.',
    'What do you prefer?',
    'The poem has three sentences.',
    'I keep my answers in a box.',
    'There were no emojis in 1990.',
    'The summary was short.',
    `${'A long report about many things. '.repeat(40)} Always check it.`,
  ])('control: neither: %s', (text) => expect(requestOf(text)).toBeNull())
})
