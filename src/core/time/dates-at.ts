/** Single dates at a place of a text: in digits, of the words of a pattern, or a name after a preposition. */
import { type Context, type Expression, longest, weekdayEnding } from './expression.ts'
import type { Meaning } from './languages/language.ts'
import type { Relation } from './languages.ts'
import { dayInDigits, eastDateAt, type NumericDate, numericDateAt, quarterOf } from './numeric-dates.ts'
import { classesOf, decadeOf, type Found, matchAt, yearOf } from './pattern.ts'
import { dateIn, decadeFrom, feastIn, namedPeriod, type Period, periodOf } from './period.ts'
import { dayOfMonthAt } from './plain-days.ts'
import { beginsWithDigit, type Word } from './words.ts'

/** What `read` finds after a preposition, behind at most three words such as "the", "early" or "of". */
export function afterArticles(
  { words, grammar }: Context,
  at: number,
  read: (at: number) => Expression | null,
): Expression | null {
  for (let i = at; i <= at + 3 && words[i]?.joined === true; i++) {
    const found = read(i)
    if (found !== null || !grammar!.articles.has(words[i]!.word)) return found
  }
  return null
}

/** A date that needs no preposition, of the words of one pattern. */
export function plainDateAt(context: Context, at: number): Expression | null {
  const { text, words, grammar, now } = context
  const word = words[at]!
  const numeric = numericDateAt(text, words, at, context.dayFirst)
  let best: Expression | null =
    numeric === null || !isPlaced(context, at, numeric) ? null : { first: at, end: numeric.end, period: numeric.period }
  const east = eastDateAt(text, words, at)
  const eastern = east === null ? null : periodOf({ is: 'date' }, east.found, now)
  if (eastern !== null)
    best = { first: at, end: east!.end, period: eastern, ...detailsOf({ is: 'date' }, east!.found, eastern) }
  if (grammar === null) return best
  const meaning = grammar.vocabulary.get(word.word)
  const classes = classesOf(word, meaning)
  // Most words begin no pattern.
  if (classes.length === 0 && !grammar.patterns.has(word.word)) return best
  for (const beginning of [word.word, ...classes]) {
    for (const { pattern, meaning: means } of grammar.patterns.get(beginning) ?? []) {
      const match = matchAt(pattern, words, at, grammar.vocabulary)
      if (match === null || (best !== null && match.end <= best.end)) continue
      const period = periodOf(means, match.found, now)
      if (period !== null && isMeant(context, at, match.end, match.found, means))
        best = { first: at, end: match.end, period, ...detailsOf(means, match.found, period) }
    }
  }
  return best
}

function detailsOf(means: Meaning, found: Found, period: Period): Pick<Expression, 'inYear' | 'unit' | 'isWeekly'> {
  if (means.is === 'unit' || means.is === 'ago') return { unit: means.unit ?? found.unit! }
  if (period.guessed !== true) return {}
  if (means.is === 'weekdayPart' || means.is === 'latestWeekend') return { isWeekly: true }
  if (means.is === 'feast') return { inYear: (year) => feastIn(year, means) }
  return means.is === 'date' ? { inYear: (year) => dateIn(year, found) } : {}
}

/** 10/2026 may be a part, a number of pages or of a law: it is a month only between function words. */
function isPlaced({ text, words, grammar }: Context, at: number, { end, isMonth }: NumericDate): boolean {
  if (isMonth !== true) return true
  const isFree = (other: Word | undefined, gap: string) =>
    other === undefined || gap !== ' ' || grammar?.common.has(other.word) === true
  const [before, first, last, after] = [words[at - 1], words[at]!, words[end - 1]!, words[end]]
  const isAfter = before !== undefined && first.joined
  // "Pages 3/2024 and 4/2024", "1/2000 in the UK": one digit alone needs a preposition, or no other word.
  const isLinked = isAfter && grammar?.relations.has(before.word) === true
  if (first.word.length === 1 && !isLinked && (isAfter || after !== undefined)) return false
  return (
    isFree(before, text.slice(before?.to ?? 0, first.from)) &&
    isFree(after, text.slice(last.to, after?.from ?? last.to))
  )
}

/**
 * Whether the words of a match are written as a time: with their marks (été), and, where a name is an everyday word before a
 * number, not in the middle of other words ("may 5 people come").
 */
function isMeant(context: Context, at: number, end: number, found: Found, means: Meaning): boolean {
  const { text, words, grammar } = context
  const { marked, ambiguous, common, vocabulary, partitive } = grammar!
  // "Este mai": an abbreviation needs a day or a year.
  if (means.is === 'month' && !words.slice(at, end).some(({ word }) => vocabulary.get(word)?.month !== undefined))
    return false
  for (let i = at; i < end; i++) {
    const written = marked.get(words[i]!.word)
    if (written !== undefined && text.slice(words[i]!.from, words[i]!.to).toLowerCase().normalize('NFC') !== written)
      return false
  }
  // "This may be wrong".
  const name = words[end - 1]!
  if (means.is === 'month' && means.shift === 0 && ambiguous.has(name.word) && !name.capital) return false
  const next = words[end]
  // Without a preposition it may belong to the noun after it.
  if (means.is === 'latestWeekend' && words[at]!.word === 'the' && words.length > 2) return false
  if ((means.is === 'feast' && found.year === undefined) || means.is === 'weekdayPart') return isNameOver(context, end)
  // "The week before last Friday" is another week.
  if (means.is === 'unit' && words[end - 1]!.word === 'last' && next?.joined === true && vocabulary.has(next.word))
    return false
  // "The last week of school": one of its weeks. "The last two weeks of August".
  if (
    (means.is === 'lastUnits' || (means.is === 'unit' && means.shift === -1)) &&
    next?.joined === true &&
    vocabulary.has(words[end - 1]!.word) &&
    partitive.has(next.word)
  )
    return false
  const first = words[at]!
  // "The second march against the war", "you may first have to": a day in words needs an "of".
  const isInWords = found.date !== undefined && !words.slice(at, end).some((word) => beginsWithDigit(word.word))
  if (isInWords && found.year === undefined) {
    const month = words.slice(at, end).find((word) => ambiguous.has(word.word))
    if (month?.capital === false) return words.slice(at, end).some(({ word }) => partitive.has(word))
  }
  if (means.is !== 'date' || found.year !== undefined || !ambiguous.has(first.word) || first.capital) return true
  return next === undefined || !next.joined || common.has(next.word)
}

/** "At Christmas dinner", "Noël Coward", "Saturday Night Live": a name with a noun or a capital after it is not a day. */
function isNameOver({ text, words, grammar }: Context, end: number): boolean {
  const next = words[end]
  if (next === undefined || text.slice(words[end - 1]!.to, next.from) !== ' ') return true
  const { common, language } = grammar!
  return common.has(next.word) || (language.tag !== 'en' && (!next.capital || language.capitalNouns === true))
}

/** A month, weekday, season, quarter, year or feast alone. */
export function nameAt(context: Context, at: number, relation: Relation | 'range'): Expression | null {
  return longest([
    feastAfter(context, at, relation),
    calendarNameAt(context, at, relation),
    dayInDigitsAfter(context, at, relation),
    dayOfMonthAt(context, at),
  ])
}

function calendarNameAt(context: Context, at: number, relation: Relation | 'range'): Expression | null {
  const { text, words, now, grammar } = context
  const word = words[at]!
  const { vocabulary, ambiguous, marked, common, language } = grammar!
  const { month, weekday, season, part } = vocabulary.get(word.word) ?? {}
  const next = words[at + 1]
  const nextIsJoined = next?.joined === true && text.slice(word.to, next.from) === ' '
  const year = yearOf(word)
  // Alone, 1T is an amount more often than a quarter.
  const quarter = word.word.startsWith('q') ? quarterOf(word) : null
  // "In the 90s", not "in 90s".
  const isDecade = relation !== 'on' && (word.word.length > 4 || grammar!.articles.has(words[at - 1]?.word ?? ''))
  const decade = isDecade ? (decadeOf(word) ?? vocabulary.get(word.word)?.decade) : undefined
  if (decade !== undefined) return { first: at, end: at + 1, period: decadeFrom(decade) }
  if (year !== undefined && relation !== 'on' && relation !== 'at') {
    // "The 1980's".
    if (next?.joined === true && next.word === 's') return null
    // "In 2024 cases" counts something.
    const isFree =
      relation === 'range' ||
      !nextIsJoined ||
      common.has(next!.word) ||
      (next!.capital && language.capitalNouns !== true)
    return isFree ? { first: at, end: at + 1, period: dateIn(year, {})! } : null
  }
  if (weekday !== undefined && ambiguous.has(word.word)) {
    // The day names of Portuguese are also ordinals: "na segunda parte".
    if (next?.word !== weekdayEnding || relation === 'within') return null
    return { first: at, end: at + 2, period: namedPeriod({ weekday }, now)!, weekday }
  }
  if (ambiguous.has(word.word)) {
    if (!word.capital && relation !== 'within' && relation !== 'since' && relation !== 'range') return null
    // A name of several words: Spring Boot.
    if (word.capital && nextIsJoined && next!.capital) return null
  }
  const written = marked.get(word.word)
  if (written !== undefined && text.slice(word.from, word.to).toLowerCase().normalize('NFC') !== written) return null
  const found: Found | null =
    weekday !== undefined && relation !== 'within' && relation !== 'at'
      ? { weekday, part }
      : relation === 'on' || relation === 'at'
        ? null
        : month !== undefined
          ? { month }
          : season !== undefined
            ? { season }
            : quarter !== null
              ? { quarter }
              : null
  const period = found === null ? null : namedPeriod(found, now)
  if (period === null) return null
  const details =
    found!.weekday === undefined ? { inYear: (other: number) => dateIn(other, found!) } : { weekday: found!.weekday }
  return { first: at, end: at + 1, period, ...details }
}

/** "At Christmas": the name of a feast after one of its prepositions. */
function feastAfter(context: Context, at: number, relation: Relation | 'range'): Expression | null {
  const { words, grammar, now } = context
  if (relation === 'within' || relation === 'on') return null
  let best: Expression | null = null
  for (const { pattern, meaning } of grammar!.feasts.get(words[at]!.word) ?? []) {
    const match = matchAt(pattern, words, at, grammar!.vocabulary)
    if (match === null || (best !== null && match.end <= best.end) || !isMeant(context, at, match.end, {}, meaning))
      continue
    const period = periodOf(meaning, {}, now)!
    best = { first: at, end: match.end, period, ...detailsOf(meaning, {}, period) }
  }
  return best
}

/** "Am 30.11.", "le 30/11": a day without its year, after a preposition. */
function dayInDigitsAfter(context: Context, at: number, relation: Relation | 'range'): Expression | null {
  const { text, words, now, grammar, dayFirst } = context
  if (relation === 'within' || relation === 'at') return null
  const { tag } = grammar!.language
  const found = dayInDigits(text, words[at]!, { tag, dayFirst, isOn: relation === 'on' })
  const period = found === null ? null : namedPeriod(found, now)
  return period === null ? null : { first: at, end: at + 2, period, inYear: (year) => dateIn(year, found!) }
}
