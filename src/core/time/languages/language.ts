/**
 * The words of one language, as data. Words are separated by spaces, alternatives by `|`. A word in capitals in a pattern names
 * a class: NUM (1–999), DAY (1–31, in digits or words), YEAR (1900–2099), DECADE (1990s, 1990, 90, ninety), MONTH, WEEKDAY, SEASON, QUARTER (1–4), UNIT, PART (of a day).
 * FEAST means each feast of the language.
 * `?` marks an optional word.
 */

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'weekend' | 'month' | 'quarter' | 'year'
export type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night'

/** What a pattern means. `shift` counts from now: −1 is last, 0 this, 1 next. */
export type Meaning =
  /** A day, or a part of it, so many days from today. */
  | { readonly is: 'day'; readonly shift: number }
  | { readonly is: 'part'; readonly shift: number; readonly part?: PartOfDay }
  /** A whole calendar unit, weekday, month or season. */
  | { readonly is: 'unit'; readonly shift: number; readonly unit?: Unit }
  | { readonly is: 'weekday' | 'month' | 'season'; readonly shift: number }
  /** NUM units before or after now, as a whole calendar unit. */
  | { readonly is: 'ago'; readonly count?: number; readonly unit?: Unit }
  | { readonly is: 'ahead' }
  /** The NUM units up to now, or from now. */
  | { readonly is: 'lastUnits' | 'nextUnits' }
  /** What the classes of the pattern name: day, month, quarter, season, year. */
  | { readonly is: 'date' }
  | { readonly is: 'decade' }
  /** The latest that has begun. */
  | { readonly is: 'latestWeekend' | 'weekdayPart' }
  /** NUM: a week of the year, after ISO 8601. */
  | { readonly is: 'week' }
  | ({ readonly is: 'feast'; readonly shift?: number } & Feast)

/** The first day of a feast, and how many days it has. */
export interface Feast {
  /** 0: `date` counts from Easter Sunday. */
  readonly month: number
  readonly date: number
  readonly count: number
  /** It begins on the first such day from the date on; absent: on the date. */
  readonly weekday?: number
}

/** A part of a month, quarter, season, year, decade or week. */
export type Section =
  | 'early'
  | 'middle'
  | 'late'
  | 'firstHalf'
  | 'secondHalf'
  | 'nthWeek'
  | 'lastWeek'
  | 'nthWeekday'
  | 'lastWeekday'

/** How often: a time that repeats, of the classes of its pattern. */
export type Repeat =
  | 'weekly'
  | 'biweekly'
  | 'weekdays'
  | 'weekends'
  | 'daily'
  | 'monthDay'
  | 'lastDay'
  | 'nthWeekday'
  | 'lastWeekday'
  | 'yearly'

export interface Language {
  readonly tag: string
  /** Common words by which a text is known to be in this language. A word that is written twice counts twice. */
  readonly common: string
  /** Words that look like times of another language; they count as words of this one. */
  readonly homonyms?: string
  /** Words that ask for anything at all: "what happened", "show me everything". */
  readonly asking: string
  /** Twelve entries from January; abbreviations count only next to a day or a year. */
  readonly months: string
  readonly shortMonths: string
  /** Seven entries from Monday. */
  readonly weekdays: string
  /** Abbreviations of them, which count next to a day, a part of the day or a time of day. `_`: none. */
  readonly shortWeekdays?: string
  /** Words before a weekday that make it a name or any such day: Black Friday. */
  readonly beforeNames?: string
  /** Four entries: spring, summer, autumn, winter. */
  readonly seasons: string
  /** The plurals come after `;`. */
  readonly units: Readonly<Record<Unit, string>>
  /** A name of the weekend that is several words. */
  readonly weekendWords?: string
  readonly parts: Readonly<Record<PartOfDay, string>>
  /** Whether a weekday and a part of the day are written as one word. */
  readonly joinsParts?: true
  /** Entries for 1, 2, 3, … */
  readonly numbers: string
  /** Entries for first to fourth. */
  readonly ordinals: string
  /** Entries for the days of a month in words, from 1 on. `_` is a space. */
  readonly days: string
  /** Endings of which each follows every one of `days`. */
  readonly dayEndings?: string
  /** Words that make a number after them a day of a month: "el día 13". */
  readonly dayBefore?: string
  /** Seven entries, the thirties to the nineties: as words of their own, or as numbers that follow the word for years. */
  readonly decades?: string
  readonly tens?: string
  /** Names that are also everyday words: alone they count only after `within` or `since`, unless they are capitalised. */
  readonly ambiguous: string
  /** Words that count only if written with exactly these marks. */
  readonly marked?: string
  /** Words that may come between a preposition and a date. */
  readonly articles: string
  /** After "last week" they make it the last of several: "of school". */
  readonly partitive?: string
  /** Between "week" and a day of it: "the week of 3 May". */
  readonly weekOf: string
  readonly since: readonly string[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly until: readonly string[]
  /** During: makes a name a time. */
  readonly within: readonly string[]
  /** Like `within`, before days and weekdays only. */
  readonly on: readonly string[]
  /** At Christmas: makes the name of a feast a time. */
  readonly at: readonly string[]
  /**
   * Christmas, its eve, its first and second day, New Year's Eve, New Year's Day, Easter, Halloween, Valentine's Day, Thanksgiving; other names
   * of one after `;`. `_` and `-` are spaces: a name with `_` needs no preposition.
   */
  readonly feasts: string
  /** Words before a period that name a part of it. */
  readonly sections: Readonly<Partial<Record<Section, readonly string[]>>>
  /** The two words of a range. */
  readonly ranges: readonly (readonly [first: string, second: string])[]
  readonly patterns: readonly (readonly [pattern: string, meaning: Meaning])[]
  /** Words between two weekdays of one list. */
  readonly and: string
  /** A date without a year in a text with one of these repeats every year. */
  readonly birthdays: string
  /** Seven entries from Monday, each of which means every such day; `_`: none. */
  readonly weekdayPlurals: string
  /** Words of a question about what was, and about what is or will be: they tell which year or week is meant. */
  readonly past: string
  readonly coming: string
  readonly repeats: readonly (readonly [pattern: string, repeat: Repeat])[]
  /** Whether all nouns are capitalised. Elsewhere a capital after a name makes both a proper name (Spring Boot). */
  readonly capitalNouns?: true
}

export const day = (shift: number): Meaning => ({ is: 'day', shift })
export const part = (shift: number, of?: PartOfDay): Meaning => ({
  is: 'part',
  shift,
  ...(of === undefined ? {} : { part: of }),
})
export const unit = (shift: number): Meaning => ({ is: 'unit', shift })
export const weekend = (shift: number): Meaning => ({ is: 'unit', shift, unit: 'weekend' })
export const weekday = (shift: number): Meaning => ({ is: 'weekday', shift })
export const month = (shift: number): Meaning => ({ is: 'month', shift })
export const season = (shift: number): Meaning => ({ is: 'season', shift })
export const ago: Meaning = { is: 'ago' }
export const ahead: Meaning = { is: 'ahead' }
export const halfYearAgo: Meaning = { is: 'ago', count: 6, unit: 'month' }
export const halfHourAgo: Meaning = { is: 'ago', count: 30, unit: 'minute' }
export const fortnightAgo: Meaning = { is: 'ago', count: 2, unit: 'week' }
export const decade: Meaning = { is: 'decade' }
export const latestWeekend: Meaning = { is: 'latestWeekend' }
export const weekdayPart: Meaning = { is: 'weekdayPart' }
export const week: Meaning = { is: 'week' }
/** The feast that replaces FEAST gives its days. */
export const feast = (shift?: number): Meaning => ({
  is: 'feast',
  month: 0,
  date: 0,
  count: 0,
  ...(shift === undefined ? {} : { shift }),
})
export const lastUnits: Meaning = { is: 'lastUnits' }
export const nextUnits: Meaning = { is: 'nextUnits' }
export const date: Meaning = { is: 'date' }

/** The same words before a unit, a weekday, a month and a season: last …, next …. */
export function around(before: string, after: string, shift: number): readonly (readonly [string, Meaning])[] {
  const at = (name: string) => [before, name, after].filter((words) => words !== '').join(' ')
  return [
    [at('UNIT'), unit(shift)],
    [at('WEEKDAY'), weekday(shift)],
    [at('WEEKDAY PART'), weekday(shift)],
    [at('MONTH'), month(shift)],
    [at('SEASON'), season(shift)],
    [at('FEAST'), feast(shift)],
  ]
}
