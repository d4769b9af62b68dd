/** Patterns of words, compiled from the text form of `language.ts`, and their match at a place of a text. */
import { foldWord } from '../text/tokenise/tokenise.ts'
import type { PartOfDay, Unit } from './languages/language.ts'
import { beginsWithDigit, dayInWords, type Meanings, type Vocabulary, type Word } from './words.ts'

const classes = ['NUM', 'DAY', 'YEAR', 'MONTH', 'WEEKDAY', 'SEASON', 'QUARTER', 'UNIT', 'PART', 'DECADE'] as const
type Class = (typeof classes)[number]

interface Element {
  /** Null for a class. */
  readonly words: ReadonlySet<string> | null
  readonly of: Class | null
  readonly optional: boolean
}

export type Pattern = readonly Element[]

/** What the classes of a pattern matched. */
export interface Found {
  readonly count?: number
  readonly date?: number
  /** The last day of a range of days. */
  readonly lastDate?: number
  readonly year?: number
  readonly month?: number
  readonly weekday?: number
  readonly season?: number
  readonly quarter?: number
  readonly unit?: Unit
  readonly part?: PartOfDay
  /** Its first year. */
  readonly decade?: number
}

export interface Match {
  /** Index of the first word after the match. */
  readonly end: number
  readonly found: Found
}

export function compilePattern(text: string): Pattern {
  return text.split(' ').map((element) => {
    const optional = element.endsWith('?')
    const name = optional ? element.slice(0, -1) : element
    const of = classes.find((known) => known === name) ?? null
    return { words: of === null ? new Set(name.split('|').map(foldWord)) : null, of, optional }
  })
}

/** The words in the texts of patterns. */
export function literalsOf(texts: Iterable<string>): ReadonlySet<string> {
  const elements = new Set<string>()
  for (const text of texts)
    for (const element of text.split(' ')) elements.add(element.endsWith('?') ? element.slice(0, -1) : element)
  for (const of of classes) elements.delete(of)
  return new Set([...elements].flatMap((element) => element.split('|').map(foldWord)))
}

/** The words and classes with which a pattern can begin. */
export function beginningsOf(pattern: Pattern): readonly (string | Class)[] {
  const last = pattern.findIndex(({ optional }) => !optional)
  return pattern.slice(0, last + 1).flatMap(({ words, of }) => (words === null ? [of!] : [...words]))
}

/** The classes of a word. */
export function classesOf(word: Word, meaning: Meanings | undefined): readonly Class[] {
  if (meaning === undefined && !beginsWithDigit(word.word)) return noClasses
  const { month, shortMonth, shortWeekday, season, quarter, unit, part, number, date } = meaning ?? {}
  const isOrdinal = ordinalOf(word.word) !== null
  const found: Class[] = []
  if (month !== undefined || shortMonth !== undefined) found.push('MONTH')
  if ((meaning?.weekday ?? shortWeekday) !== undefined) found.push('WEEKDAY')
  if (season !== undefined) found.push('SEASON')
  if (quarter !== undefined || word.number !== null || isOrdinal) found.push('QUARTER')
  if (unit !== undefined) found.push('UNIT')
  if (part !== undefined) found.push('PART')
  if (number !== undefined || word.number !== null) found.push('NUM')
  if (isOrdinal || word.number !== null || date !== undefined) found.push('DAY')
  return found
}

const noClasses: readonly Class[] = []

/**
 * The names that are times without a pattern, and the words of one place of each pattern: the place that adds the fewest words, common
 * ones last. A place that takes only digits adds none.
 */
export function signalsOf(
  patterns: readonly Pattern[],
  vocabulary: Vocabulary,
  common: ReadonlySet<string>,
): ReadonlySet<string> {
  const wordsWith = (has: (meaning: Meanings) => boolean) =>
    [...vocabulary].flatMap(([word, meaning]) => (has(meaning) ? [word] : []))
  const signals = new Set(
    wordsWith(({ month, weekday, shortWeekday, season, unit, decade }) =>
      [month, weekday, shortWeekday, season, unit, decade].some((name) => name !== undefined),
    ),
  )
  const byClass = new Map(
    classes.map((of) => [of, wordsWith((meaning) => namesOf[of].some((name) => name in meaning))]),
  )
  const added = (words: readonly string[]) =>
    words.reduce((sum, word) => sum + (signals.has(word) ? 0 : common.has(word) ? vocabulary.size : 1), 0)
  for (const pattern of patterns) {
    const places = pattern.flatMap(({ words, of, optional }) =>
      optional ? [] : [words === null ? byClass.get(of!)! : [...words]],
    )
    const [fewest] = places.sort((a, b) => added(a) - added(b))
    for (const word of fewest!) signals.add(word)
  }
  return signals
}

/** The meanings by which a word without digits belongs to a class. */
const namesOf: Readonly<Record<Class, readonly (keyof Meanings)[]>> = {
  NUM: ['number'],
  DAY: ['date'],
  YEAR: [],
  MONTH: ['month', 'shortMonth'],
  WEEKDAY: ['weekday', 'shortWeekday'],
  SEASON: ['season'],
  QUARTER: ['quarter'],
  UNIT: ['unit'],
  PART: ['part'],
  DECADE: ['tens'],
}

/** The longest match of a pattern from the word at `at` on; null without one. Optional words are taken if they are there. */
export function matchAt(pattern: Pattern, words: readonly Word[], at: number, vocabulary: Vocabulary): Match | null {
  return matchFrom({ pattern, words, first: at, vocabulary }, at, 0, {})
}

interface Matching {
  readonly pattern: Pattern
  readonly words: readonly Word[]
  readonly first: number
  readonly vocabulary: Vocabulary
}

function matchFrom(matching: Matching, at: number, place: number, found: Found): Match | null {
  const { pattern, words, first, vocabulary } = matching
  const element = pattern[place]
  if (element === undefined) return { end: at, found }
  const word = words[at]
  const joined = word !== undefined && (word.joined || at === first)
  const inWords = joined && element.of === 'DAY' ? dayInWords(words, at, vocabulary) : null
  const taken =
    inWords !== null
      ? withDay(found, inWords.date)
      : joined
        ? take(element, word, vocabulary.get(word.word), found)
        : null
  if (taken !== null) {
    const rest = matchFrom(matching, inWords?.end ?? at + 1, place + 1, taken)
    if (rest !== null) return rest
  }
  return element.optional ? matchFrom(matching, at, place + 1, found) : null
}

function take(element: Element, word: Word, meaning: Meanings | undefined, found: Found): Found | null {
  if (element.words !== null) return element.words.has(word.word) ? found : null
  const { number } = word
  switch (element.of!) {
    case 'NUM':
      return with_(found, 'count', number === null ? meaning?.number : within(number, 1, 999))
    case 'DAY':
      return withDay(found, within(number ?? ordinalOf(word.word), 1, 31))
    case 'YEAR':
      return with_(found, 'year', yearOf(word))
    case 'MONTH':
      return with_(found, 'month', meaning?.month ?? meaning?.shortMonth)
    case 'WEEKDAY':
      return with_(
        meaning?.part === undefined ? found : { ...found, part: meaning.part },
        'weekday',
        weekdayOf(word, meaning),
      )
    case 'SEASON':
      return with_(found, 'season', meaning?.season)
    case 'QUARTER':
      return with_(found, 'quarter', meaning?.quarter ?? within(number ?? ordinalOf(word.word), 1, 4))
    case 'UNIT':
      return with_(found, 'unit', meaning?.unit)
    case 'PART':
      return with_(found, 'part', meaning?.part)
    case 'DECADE':
      return with_(found, 'decade', decadeOf(word) ?? roundYear(word) ?? meaning?.tens ?? tensOf(number))
  }
}

/** Abbreviations of two letters are too often other words. */
function weekdayOf({ word }: Word, meaning: Meanings | undefined): number | undefined {
  return meaning?.weekday ?? (word.length > 2 ? meaning?.shortWeekday : undefined)
}

function withDay(found: Found, date: number | undefined): Found | null {
  return with_(found, found.date === undefined ? 'date' : 'lastDate', date)
}

function with_<Name extends keyof Found>(found: Found, name: Name, value: Found[Name] | undefined): Found | null {
  return value === undefined ? null : { ...found, [name]: value }
}

function within(value: number | null, least: number, most: number): number | undefined {
  return value !== null && value >= least && value <= most ? value : undefined
}

/** 1900 to 2099. */
export function yearOf({ word, number }: Word): number | undefined {
  return word.length === 4 ? within(number, 1900, 2099) : undefined
}

/** The first year of `1990s`, `1990er`, `90s`; undefined for other words. Two digits begin with 3: the 20s may be of two centuries. */
export function decadeOf({ word }: Word): number | undefined {
  if (!beginsWithDigit(word) || word.length < 3 || word.length > 7) return undefined
  const found = /^((?:19|20)\d0|[3-9]0)(?:s|er|ern)$/.exec(word)
  return found === null ? undefined : found[1]!.length === 2 ? 1900 + Number(found[1]) : Number(found[1])
}

function tensOf(number: number | null): number | undefined {
  const tens = within(number, 30, 90)
  return tens !== undefined && tens % 10 === 0 ? 1900 + tens : undefined
}

function roundYear(word: Word): number | undefined {
  const year = yearOf(word)
  return year !== undefined && year % 10 === 0 ? year : undefined
}

/** The number of `15th`, `1er` or `3º`; null for other words. */
export function ordinalOf(word: string): number | null {
  if (!beginsWithDigit(word) || word.length > 5) return null
  const found = /^(\d{1,2})(?:st|nd|rd|th|er|eme|e|o|a|ro|do|to|º|ª|ste|de)$/.exec(word)
  return found === null ? null : Number(found[1])
}
