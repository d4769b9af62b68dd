/** The languages the reader knows, and which of them a text is in. */
import { foldWord } from '../text/tokenise/tokenise.ts'
import { de } from './languages/de.ts'
import { en } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { it } from './languages/it.ts'
import { type Feast, feast, type Language, type Meaning, type Section } from './languages/language.ts'
import { nl } from './languages/nl.ts'
import { pt } from './languages/pt.ts'
import { beginningsOf, compilePattern, type Pattern, signalsOf } from './pattern.ts'
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
  /** A text with neither one of these words nor a digit names no time in this language. */
  readonly signals: ReadonlySet<string>
}

/** Built at the first use. */
let grammars: readonly Grammar[] | null = null
let languagesOfWord: ReadonlyMap<string, readonly number[]> | null = null

/**
 * The grammars of the languages that most words of the text belong to: one, or several of equal count. Empty if no word is known. If none of
 * them is preferred, preferred languages with a word of the text come before them: "réunion hier" could be German.
 */
export function grammarsFor(words: readonly Word[], preferred: readonly string[] = []): readonly Grammar[] {
  grammars ??= languages.map(grammarOf)
  languagesOfWord ??= indexWords(grammars)
  const counts = languages.map(() => 0)
  for (const { word } of words) for (const i of languagesOfWord.get(word) ?? noLanguages) counts[i]!++
  const most = Math.max(...counts)
  if (most === 0) return []
  // One word alone is in any language that has it: "hier" is German, too, but no time there.
  const likely = grammars.filter((_, i) => (words.length === 1 ? counts[i]! > 0 : counts[i] === most))
  const isPreferred = ({ language }: Grammar) => preferred.includes(language.tag)
  if (likely.some(isPreferred)) return likely
  // English is in most lists of languages, and says nothing.
  const others = grammars.filter(
    (grammar, i) => counts[i]! > 0 && isPreferred(grammar) && grammar.language.tag !== 'en',
  )
  return [...others, ...likely]
}

const noLanguages: readonly number[] = []

function indexWords(all: readonly Grammar[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>()
  for (const [i, { language, common, vocabulary, patterns, sections }] of all.entries()) {
    const literals = [...patterns.values(), ...sections.values()]
      .flat()
      .flatMap(({ pattern }) => pattern.flatMap(({ words }) => [...(words ?? [])]))
    const others = new Set([...vocabulary.keys(), ...literals].filter((word) => !common.has(word)))
    const written = `${language.common} ${language.homonyms ?? ''}`.trim().split(' ').map(foldWord)
    for (const word of [...written, ...others]) index.set(word, [...(index.get(word) ?? []), i])
  }
  return index
}

function grammarOf(language: Language): Grammar {
  const patterns = new Map<string, { pattern: Pattern; meaning: Meaning }[]>()
  const feasts = new Map<string, { pattern: Pattern; meaning: Meaning }[]>()
  for (const [text, means] of [...language.patterns, ['FEAST', feast()] as const]) {
    for (const { name, days } of text.includes('FEAST') ? feastsOf(language) : [{ name: '', days: null }]) {
      if (text.includes('FEAST') && name === '') continue
      const pattern = compilePattern(text.replace('FEAST', name.replaceAll(/[_-]/g, ' ')))
      const entry = { pattern, meaning: { ...means, ...days } }
      if (text === 'FEAST') addUnder(feasts, pattern, entry)
      if (text !== 'FEAST' || name.includes('_')) addUnder(patterns, pattern, entry)
    }
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
  const set = (words: string) => new Set(words.split(' ').map(foldWord))
  const vocabulary = vocabularyOf(language)
  const common = set(language.common)
  const needed = [...patterns.values(), ...feasts.values()].flat().map(({ pattern }) => pattern)
  return {
    language,
    vocabulary,
    common,
    signals: signalsOf(needed, vocabulary, common),
    asking: set(language.asking),
    articles: set(language.articles),
    partitive: set(language.partitive ?? ''),
    ambiguous: set(language.ambiguous),
    marked: new Map((language.marked ?? '').split(' ').map((word) => [foldWord(word), word.toLowerCase()])),
    patterns,
    feasts,
    sections,
    weekend: language.weekendWords === undefined ? null : compilePattern(language.weekendWords),
    relations,
    ranges,
  }
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
  for (const beginning of beginningsOf(pattern)) index.set(beginning, [...(index.get(beginning) ?? []), entry])
}
