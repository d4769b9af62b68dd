/** Tests the words without which a text is not read for times: every pattern must need one of them, or a digit. */
import { describe, expect, it } from 'vitest'
import { type Grammar, grammarsFor, languages } from '../../../src/core/time/languages.ts'
import { type Pattern, signalsOf } from '../../../src/core/time/pattern.ts'
import { wordsOf } from '../../../src/core/time/words.ts'

type Element = Pattern[number]

const classNames = {
  NUM: ['number'],
  MONTH: ['month', 'shortMonth'],
  WEEKDAY: ['weekday'],
  SEASON: ['season'],
  QUARTER: ['quarter'],
  UNIT: ['unit'],
  PART: ['part'],
  DECADE: ['tens'],
  DAY: [],
  YEAR: [],
} as const

/** Only the grammars of one language: its common words are more than those of any other. */
function grammarOf(tag: string): Grammar {
  const { common } = languages.find((language) => language.tag === tag)!
  return grammarsFor(wordsOf(common)).find(({ language }) => language.tag === tag)!
}

/** The words without digits that an element takes. */
function wordsFor({ words, of }: Element, { vocabulary }: Grammar): readonly string[] {
  if (words !== null) return [...words]
  return [...vocabulary].flatMap(([word, meaning]) => (classNames[of!].some((name) => name in meaning) ? [word] : []))
}

/** The patterns that match a text without a signal and without a digit. */
function unsignalled(grammar: Grammar, signals: ReadonlySet<string>): readonly Pattern[] {
  return [...grammar.patterns.values(), ...grammar.feasts.values()]
    .flat()
    .map(({ pattern }) => pattern)
    .filter((pattern) =>
      pattern.every((element) => element.optional || wordsFor(element, grammar).some((word) => !signals.has(word))),
    )
}

describe('texts without signals', () => {
  it.each(languages.map(({ tag }) => tag))('match no pattern: %s', (tag) => {
    const grammar = grammarOf(tag)
    expect(unsignalled(grammar, grammar.signals)).toEqual([])
  })

  it('control: without the words of patterns, "yesterday" is missed', () => {
    const grammar = grammarOf('en')
    const names = signalsOf([], grammar.vocabulary, grammar.common)
    expect(names.has('yesterday')).toBe(false)
    expect(unsignalled(grammar, names).length).toBeGreaterThan(3)
  })

  it.each(languages.map(({ tag }) => tag))(
    'are most texts, because no signal is a word of every sentence: %s',
    (tag) => {
      const { signals, common } = grammarOf(tag)
      expect([...common].filter((word) => signals.has(word)).length).toBeLessThan(common.size / 10)
    },
  )
})
