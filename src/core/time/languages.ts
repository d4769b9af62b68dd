/** The languages the reader knows, and which of them a text is in. */
import { foldWord } from '../text/tokenise/tokenise.ts'
import { de } from './languages/de.ts'
import { en } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { it } from './languages/it.ts'
import { type Feast, feast, type Language, type Meaning, type Repeat, type Section } from './languages/language.ts'
import { nl } from './languages/nl.ts'
import { pt } from './languages/pt.ts'
import { beginningsOf, compilePattern, literalsOf, type Pattern, signalsOf } from './pattern.ts'
import { type Vocabulary, vocabularyOf, type Word } from './words.ts'

export const languages: readonly Language[] = [en, de, fr, es, pt, it, nl]

export type Relation = 'since' | 'before' | 'after' | 'until' | 'within' | 'on' | 'at'

export interface SectionPattern {
  readonly pattern: Pattern
  readonly section: Section
}

export interface Grammar {
  readonly language: Language
  readonly vocabulary: Vocabulary
  readonly common: ReadonlySet<string>
  readonly asking: ReadonlySet<string>
  readonly articles: ReadonlySet<string>
  readonly partitive: ReadonlySet<string>
  readonly dayBefore: ReadonlySet<string>
  readonly ambiguous: ReadonlySet<string>
  /** Folded words that count only as written here, by their folded form. */
  readonly marked: ReadonlyMap<string, string>
  /** By the word or class that can begin them. */
  readonly patterns: ReadonlyMap<string, readonly { readonly pattern: Pattern; readonly meaning: Meaning }[]>
  readonly relations: ReadonlyMap<string, readonly { readonly pattern: Pattern; readonly relation: Relation }[]>
  readonly feasts: ReadonlyMap<string, readonly { readonly pattern: Pattern; readonly meaning: Meaning }[]>
  readonly sections: ReadonlyMap<string, readonly SectionPattern[]>
  /** Null in languages whose name of the weekend is one word. */
  readonly weekend: Pattern | null
  readonly ranges: ReadonlyMap<string, readonly { readonly first: Pattern; readonly second: Pattern }[]>
  readonly repeats: ReadonlyMap<string, readonly { readonly pattern: Pattern; readonly repeat: Repeat }[]>
  readonly weekdayPlurals: ReadonlyMap<string, number>
  readonly and: ReadonlySet<string>
  readonly beforeNames: ReadonlySet<string>
  readonly birthdays: ReadonlySet<string>
  readonly past: ReadonlySet<string>
  readonly coming: ReadonlySet<string>
  /** A text with neither one of these words nor a digit names no time in this language. */
  readonly signals: ReadonlySet<string>
}

/** Each is built at its first use: most texts need one or two of them. */
const grammars: Grammar[] = []
let languagesOfWord: ReadonlyMap<string, readonly number[]> | null = null

/**
 * The grammars of the languages that most words of the text belong to: one, or several of equal count. Empty if no word is known. If none of
 * them is preferred, preferred languages with a word of the text come before them: "réunion hier" could be German.
 */
export function grammarsFor(words: readonly Word[], preferred: readonly string[] = []): readonly Grammar[] {
  languagesOfWord ??= indexWords()
  const counts = languages.map(() => 0)
  for (const { word } of words) for (const i of languagesOfWord.get(word) ?? noLanguages) counts[i]!++
  const most = Math.max(...counts)
  if (most === 0) return []
  // One word alone is in any language that has it: "hier" is German, too, but no time there.
  const isLikely = (i: number) => (words.length === 1 ? counts[i]! > 0 : counts[i] === most)
  const isPreferred = (i: number) => preferred.includes(languages[i]!.tag)
  const all = [...languages.keys()]
  const likely = all.filter(isLikely)
  // English is in most lists of languages, and says nothing.
  const others = likely.some(isPreferred)
    ? []
    : all.filter((i) => counts[i]! > 0 && isPreferred(i) && languages[i]!.tag !== 'en')
  return [...others, ...likely].map((i) => (grammars[i] ??= grammarOf(languages[i]!)))
}

const noLanguages: readonly number[] = []

function indexWords(): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>()
  for (const [i, language] of languages.entries()) {
    const common = foldedSet(language.common)
    const texts = [
      ...patternsOf(language).flatMap(({ text, alone }) => (alone ? [] : [text])),
      ...Object.values(language.sections).flat(),
    ]
    const others = new Set([...vocabularyOf(language).keys(), ...literalsOf(texts)].filter((word) => !common.has(word)))
    for (const word of repeatsOfOneWord(language)) others.add(word)
    const written = `${language.common} ${language.homonyms ?? ''}`.trim().split(' ').map(foldWord)
    for (const word of [...written, ...others]) {
      const known = index.get(word)
      if (known === undefined) index.set(word, [i])
      else known.push(i)
    }
  }
  return index
}

/** Words that say by themselves how often: "montags", "daily". */
function repeatsOfOneWord({ weekdayPlurals, repeats }: Language): readonly string[] {
  const alone = repeats.flatMap(([text]) => (text.includes(' ') ? [] : [text]))
  const words = [...weekdayPlurals.split(' '), ...alone].flatMap((names) => names.split('|').map(foldWord))
  return words.filter((word) => word !== '')
}

/** The texts of all patterns, with each name of a feast in place of `FEAST`. `alone`: a name that is only a time next to another. */
function patternsOf(language: Language) {
  return [...language.patterns, ['FEAST', feast()] as const].flatMap(([text, means]) =>
    text.includes('FEAST')
      ? feastsOf(language).flatMap(({ name, days }) =>
          name === ''
            ? []
            : [
                {
                  text: text.replace('FEAST', name.replaceAll(/[_-]/g, ' ')),
                  meaning: { ...means, ...days },
                  isFeast: text === 'FEAST',
                  alone: text === 'FEAST' && !name.includes('_'),
                },
              ],
        )
      : [{ text, meaning: { ...means }, isFeast: false, alone: false }],
  )
}

function grammarOf(language: Language): Grammar {
  const patterns = new Map<string, { pattern: Pattern; meaning: Meaning }[]>()
  const feasts = new Map<string, { pattern: Pattern; meaning: Meaning }[]>()
  for (const { text, meaning, isFeast, alone } of patternsOf(language)) {
    const pattern = compilePattern(text)
    if (isFeast) addUnder(feasts, pattern, { pattern, meaning })
    if (!alone) addUnder(patterns, pattern, { pattern, meaning })
  }
  const sections = new Map<string, SectionPattern[]>()
  for (const [section, texts] of Object.entries(language.sections)) {
    for (const pattern of texts.map(compilePattern))
      addUnder(sections, pattern, { pattern, section: section as Section })
  }
  const relations = new Map<string, { pattern: Pattern; relation: Relation }[]>()
  for (const relation of ['since', 'before', 'after', 'until', 'within', 'on', 'at'] as const) {
    for (const pattern of language[relation].map(compilePattern)) addUnder(relations, pattern, { pattern, relation })
  }
  const ranges = new Map<string, { first: Pattern; second: Pattern }[]>()
  for (const [from, to] of language.ranges) {
    const first = compilePattern(from)
    addUnder(ranges, first, { first, second: compilePattern(to) })
  }
  const repeats = new Map<string, { pattern: Pattern; repeat: Repeat }[]>()
  for (const [text, repeat] of language.repeats) {
    const pattern = compilePattern(text)
    addUnder(repeats, pattern, { pattern, repeat })
  }
  const weekdayPlurals = new Map(
    language.weekdayPlurals
      .split(' ')
      .flatMap((names, i) => names.split('|').map((name) => [foldWord(name), i + 1] as const)),
  )
  const vocabulary = vocabularyOf(language)
  // A number or weekday that begins a pattern matches every word of its class.
  for (const [word, { weekday, quarter }] of vocabulary) {
    const begun = [...((weekday && repeats.get('WEEKDAY')) || []), ...((quarter && repeats.get('QUARTER')) || [])]
    if (begun.length > 0) repeats.set(word, [...(repeats.get(word) ?? []), ...begun])
  }
  const common = foldedSet(language.common)
  const needed = [...patterns.values(), ...feasts.values()].flat().map(({ pattern }) => pattern)
  return {
    language,
    vocabulary,
    common,
    signals: signalsOf(needed, vocabulary, common),
    asking: foldedSet(language.asking),
    articles: foldedSet(language.articles),
    partitive: foldedSet(language.partitive ?? ''),
    dayBefore: foldedSet(language.dayBefore ?? ''),
    ambiguous: foldedSet(language.ambiguous),
    marked: new Map((language.marked ?? '').split(' ').map((word) => [foldWord(word), word.toLowerCase()])),
    patterns,
    feasts,
    sections,
    weekend: language.weekendWords === undefined ? null : compilePattern(language.weekendWords),
    relations,
    ranges,
    repeats,
    weekdayPlurals,
    and: foldedSet(language.and),
    beforeNames: foldedSet(language.beforeNames ?? ''),
    birthdays: foldedSet(language.birthdays),
    past: foldedSet(language.past),
    coming: foldedSet(language.coming),
  }
}

function foldedSet(words: string): ReadonlySet<string> {
  return new Set(words === '' ? [] : words.split(' ').map(foldWord))
}

/** Each name of a feast, as a pattern, with the days of the feast. */
function feastsOf({ feasts }: Language): readonly { readonly name: string; readonly days: Feast }[] {
  return feasts.split(' ').flatMap((names, i) => names.split(';').map((name) => ({ name, days: feastDays[i]! })))
}

/** In the order of `Language.feasts`. */
const feastDays: readonly Feast[] = [
  { month: 12, date: 24, count: 3 },
  { month: 12, date: 24, count: 1 },
  { month: 12, date: 25, count: 1 },
  { month: 12, date: 26, count: 1 },
  { month: 12, date: 31, count: 1 },
  { month: 1, date: 1, count: 1 },
  { month: 0, date: -2, count: 4 },
  { month: 10, date: 31, count: 1 },
  { month: 2, date: 14, count: 1 },
  { month: 11, date: 22, count: 1, weekday: 4 },
]

function addUnder<T>(index: Map<string, T[]>, pattern: Pattern, entry: T): void {
  for (const beginning of beginningsOf(pattern)) {
    const known = index.get(beginning)
    if (known === undefined) index.set(beginning, [entry])
    else known.push(entry)
  }
}
