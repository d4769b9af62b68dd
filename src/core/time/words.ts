/** The words of a text as the reader sees them, and what each word means in a language. */
import { foldWord, type Token, tokenise } from '../text/tokenise/tokenise.ts'
import type { Language, PartOfDay, Unit } from './languages/language.ts'

export interface Word extends Token {
  /** Whether it is written with a capital. */
  readonly capital: boolean
  /** Whether it may continue an expression of the word before: only spaces, hyphens and the like are between them. */
  readonly joined: boolean
  /** The value of a number on its own, which 2.11 and #7 do not; null for other words. */
  readonly number: number | null
}

export function wordsOf(text: string): readonly Word[] {
  const tokens = tokenise(text)
  return tokens.map((token, i) => {
    const { word, from, to } = token
    return {
      word,
      from,
      to,
      capital: isCapital(text, from),
      joined: i > 0 && isJoint(text, tokens[i - 1]!, token),
      number: isNumber(word) && standsAlone(text, from, to) ? Number(word) : null,
    }
  })
}

function isCapital(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a
  const first = text[at]!
  return first !== first.toLowerCase()
}

/** The longest gap inside an expression: `15., 2026`. */
const longestGap = 3

function isJoint(text: string, before: Token, after: Token): boolean {
  const { to } = before
  if (after.from - to > longestGap) return false
  if (after.from - to === 1 && text.charCodeAt(to) === space) return true
  const gap = text.slice(to, after.from)
  for (const sign of gap) {
    if (sign === '.' ? !isShortened(before.word, after.word) : !gapSigns.has(sign)) return false
    if (sign === ',' && !beginsWithDigit(after.word) && !beginsWithDigit(before.word) && gap.length > 2) return false
  }
  return true
}

const space = 0x20
const gapSigns: ReadonlySet<string> = new Set([' ', '\u00a0', '\u202f', ',', "'", '’', '-', '–', 'º', '°', 'ª'])

/** `15. November`, `Nov. 15`. Other points end a sentence. */
function isShortened(before: string, after: string): boolean {
  return beginsWithDigit(before) || (before.length <= 4 && beginsWithDigit(after))
}

export function beginsWithDigit(word: string): boolean {
  return word >= '0' && word < ':'
}

/** At most four digits. */
function isNumber(word: string): boolean {
  return word.length <= 4 && beginsWithDigit(word) && /^\d+$/.test(word)
}

/** Signs that make a number part of something else: #7, $20, v-2, 2.11, 50 %. */
function standsAlone(text: string, from: number, to: number): boolean {
  if (before.has(text[from - 1] ?? '') || after.has(text[to] ?? '')) return false
  if (after.has(text[to + 1] ?? '') && text[to] === ' ') return false
  return !(points.has(text[to] ?? '') && beginsWithDigit(text[to + 1] ?? ''))
}

const before: ReadonlySet<string> = new Set('#$€£/\\._+=:@&')
const after: ReadonlySet<string> = new Set('%€$£/\\_=@')
const points: ReadonlySet<string> = new Set(['.', ',', ':'])

/** What a word means. One word may mean several things. */
export interface Meanings {
  readonly month?: number
  readonly shortMonth?: number
  readonly weekday?: number
  readonly shortWeekday?: number
  readonly season?: number
  readonly quarter?: number
  readonly unit?: Unit
  /** Whether it names one unit: "week", not "weeks". */
  readonly isOne?: true
  readonly part?: PartOfDay
  readonly number?: number
  /** A day of a month in words; 0: the first word of one, and none by itself. */
  readonly date?: number
  /** The first year of a decade. */
  readonly decade?: number
  /** The first year of the decade if the word follows the word for years. */
  readonly tens?: number
}

export type Vocabulary = ReadonlyMap<string, Meanings>

/** The day of a month that words from `at` on name, at most three; null without one. */
export function dayInWords(
  words: readonly Word[],
  at: number,
  vocabulary: Vocabulary,
): { date: number; end: number } | null {
  let name = words[at]!.word
  let found: { date: number; end: number } | null = null
  if (vocabulary.get(name)?.date === undefined) return null
  for (let end = at + 1; end <= at + 3; end++) {
    const date = vocabulary.get(name)?.date ?? 0
    if (date > 0) found = { date, end }
    if (words[end]?.joined !== true) break
    name += ` ${words[end]!.word}`
  }
  return found
}

export function vocabularyOf(language: Language): Vocabulary {
  const words = new Map<string, Meanings>()
  const add = (alternatives: string, meaning: Meanings) => {
    for (const word of alternatives.split('|').map(foldWord)) words.set(word, { ...words.get(word), ...meaning })
  }
  for (const [i, names] of language.shortMonths.split(' ').entries()) add(names, { shortMonth: i + 1 })
  for (const [i, names] of language.months.split(' ').entries()) add(names, { month: i + 1 })
  for (const [i, names] of language.weekdays.split(' ').entries()) add(names, { weekday: i + 1 })
  for (const [i, names] of (language.shortWeekdays?.split(' ') ?? []).entries()) add(names, { shortWeekday: i + 1 })
  for (const [i, names] of language.seasons.split(' ').entries()) add(names, { season: i })
  for (const [i, names] of language.ordinals.split(' ').entries()) add(names, { quarter: i + 1 })
  for (const [i, names] of language.numbers.split(' ').entries()) add(names, { number: i + 1 })
  for (const [i, names] of language.days.split(' ').entries())
    for (const name of names.split('|')) {
      const [first, ...rest] = name.split('_').map(foldWord)
      if (rest.length > 0) add(first!, { date: words.get(first!)?.date ?? 0 })
      for (const ending of (language.dayEndings ?? '').split(' '))
        add([first!, ...rest].join(' ') + ending, { date: i + 1 })
    }
  for (const [unit, names] of Object.entries(language.units)) {
    const [singulars, plurals] = names.split(';')
    add(singulars!, { unit: unit as Unit, isOne: true })
    if (plurals !== undefined) add(plurals, { unit: unit as Unit })
  }
  for (const [i, names] of (language.decades?.split(' ') ?? []).entries()) add(names, { decade: 1930 + 10 * i })
  for (const [i, names] of (language.tens?.split(' ') ?? []).entries()) add(names, { tens: 1930 + 10 * i })
  for (const [part, names] of Object.entries(language.parts)) add(names, { part: part as PartOfDay })
  if (language.joinsParts === true) {
    const days = [...words].flatMap(([name, { weekday }]) => (weekday === undefined ? [] : [{ name, weekday }]))
    const parts = [...words].flatMap(([name, { part }]) => (part === undefined ? [] : [{ name, part }]))
    for (const day of days) for (const { name, part } of parts) add(day.name + name, { weekday: day.weekday, part })
  }
  return words
}
