/** Finds the values of a clause that another statement may give otherwise, each with what it counts or names. */
import { valuesIn } from '../similarity/statement-values.ts'
import { stem } from '../text/tokenise/stem.ts'
import { foldWord, type Token } from '../text/tokenise/tokenise.ts'
import { languages } from '../time/languages.ts'
import { wording } from './change-wording.ts'

/** Something that can be compared with another of its kind. */
export interface Value {
  readonly kind: 'amount' | 'share' | 'time' | 'day' | 'weekday' | 'period' | 'since' | 'count' | 'rank' | 'code'
  readonly value: string
  /** Stem of what is counted, or of the word before the number; empty for other kinds. */
  readonly unit: string
  /** Whether it tells which one is meant: before the action, or a count without one. */
  readonly isSubject: boolean
}

export function isTime({ kind }: Pick<Value, 'kind'>): boolean {
  return kind === 'time' || kind === 'day' || kind === 'weekday' || kind === 'period'
}

interface Placed extends Omit<Value, 'isSubject'> {
  readonly from: number
  readonly to: number
}

/** The values of a clause with their places; numbers with the stem of what they count or name. */
export function typedValues(part: string, tokens: readonly Token[]): readonly Placed[] {
  const { light, now, slots, places, turn, states } = wording()
  const turns = tokens.some(({ word }) => turn.has(word))
  const placed: Placed[] = []
  for (const match of [...part.matchAll(longNumber), ...part.matchAll(mail)])
    placed.push({
      kind: 'code',
      value: match[0].includes('@') ? match[0].toLowerCase() : match[0].replace(/\D/g, ''),
      unit: '',
      from: match.index,
      to: match.index + match[0].length,
    })
  // "v3", "version 4.1"
  for (const match of part.matchAll(version))
    placed.push({
      kind: 'count',
      value: match[1]!,
      unit: 'version',
      from: match.index,
      to: match.index + match[0].length,
    })
  const codes = placed.length
  for (const { kind, value, suffix, from, to } of valuesIn(part)) {
    if (placed.slice(0, codes).some((code) => from < code.to && to > code.from)) continue
    // A name that is a number word of another language: Otto.
    if ((from > 0 || part.startsWith('Otto')) && /^\p{Lu}/u.test(part.slice(from))) continue
    if (kind !== 'count') placed.push({ kind, value, unit: '', from, to })
    else {
      const next = tokens.find((token) => token.from >= to)
      const isNext = next !== undefined && /^[\s-]*$/.test(part.slice(to, next.from))
      const names = (word: string) =>
        timeUnits.has(word) ||
        !(light.has(word) || now.has(word) || slots.has(word) || turn.has(word) || states.has(word) || /^\d/.test(word))
      const after = isNext && names(next.word) && !places.has(next.word) ? next.word : ''
      const isAge = /\bturn(?:ed|s|ing)?\s$/i.test(part.slice(0, from))
      const before = isAge
        ? 'year'
        : (tokens.findLast((token) => token.to <= from && names(token.word) && !places.has(token.word))?.word ?? '')
      const isRange =
        !turns && (rangeEnd.test(part.slice(0, from)) || rangeStart.test(part.slice(Math.max(0, from - 8), to + 5)))
      if (after === '' && Number(value) <= 24 && (isRange || hourLead.test(part.slice(0, from))))
        placed.push({ kind: 'time', value: `${value}:00`, unit: '', from, to })
      else placed.push({ kind, value, unit: suffix === '' ? stem(after || before) : suffix, from, to })
    }
  }
  for (const [i, { word, from, to }] of tokens.entries()) {
    const lead = tokens[i - 1]?.word ?? ''
    const period = (/^(?:19|20)\d\d$/.test(word) ? word : undefined) ?? months().get(word)
    if (
      period !== undefined &&
      (starts.has(lead) || within.has(lead)) &&
      placed.every((day) => to <= day.from || from >= day.to)
    ) {
      const isStart = starts.has(lead) || tokens[i - 2]?.word === 'as' || tokens[i - 2]?.word === 'partir'
      placed.push({ kind: isStart ? 'since' : 'period', value: String(period), unit: '', from, to })
    }
    const noon = noons.findIndex((names) => names.has(word))
    if (noon !== -1) placed.push({ kind: 'time', value: noon === 0 ? '12:00' : '0:00', unit: '', from, to })
    const day = weekdays().get(word)
    if (day !== undefined) placed.push({ kind: 'weekday', value: String(day % 7), unit: '', from, to })
    // "one cat", not "the one" and "no one".
    const next = tokens[i + 1]?.word ?? ''
    if (
      word === 'one' &&
      next !== '' &&
      !light.has(next) &&
      !places.has(next) &&
      !slots.has(next) &&
      !notCounting.has(lead)
    )
      placed.push({ kind: 'count', value: '1', unit: stem(next), from, to })
    const times = timesOf.indexOf(word)
    if (times !== -1 && /^ (?:an? |per |every |each |daily|weekly|monthly)/.test(part.slice(to)))
      placed.push({ kind: 'count', value: String(times + 1), unit: 'time', from, to })
    const rank = ranks.indexOf(word)
    if (rank !== -1) placed.push({ kind: 'rank', value: String(rank), unit: '', from, to })
  }
  return placed
}

const timeUnits: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'minute minutes hour hours day days week weeks month months year years'.split(' '),
)
/** A number in groups, such as a phone number. */
const longNumber = /\+?\d{2,}(?:[ /-]\d{2,}){1,5}(?![\d:]|[.,]\d)/g
const mail = /(?<![^\s<(])[\p{L}\d._+-]{1,64}@[\p{L}\d-]{1,63}\.[\p{L}\d.-]*[\p{L}\d]/gu
const version = /\b(?:v|version |release )(\d+(?:\.\d+)*)\b/gi
const hourLead = /(?:^|\s)(?:at|um|a las|às|alle|om|until|by|à)\s$/iu
/** "from 9 to 5": hours, where nothing is counted. */
const rangeStart = /\b(?:from|between|von|van)\s\d\d?\s(?:to|and|till|until|bis|und|tot)\s\d?/iu
const rangeEnd = /\b(?:from|between|von|van)\s\d\d?(?::\d\d)?\s(?:to|and|till|until|bis|und|tot)\s$/iu
const notCounting: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'the no any every each this that another which'.split(' '),
)
const noons = ['noon midday midi mediodia mezzogiorno', 'midnight mitternacht minuit medianoche mezzanotte'].map(
  (names): ReadonlySet<string> => new Set(names.split(' ')),
)
const timesOf = ['once', 'twice']
const ranks = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
let weekdayNames: ReadonlyMap<string, number> | null = null

/** Words before a month or a year from which on something holds, and within or until which. Folded. */
const starts: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'from since starting seit ab depuis desde da dal vanaf sinds'.split(' '),
)
const within: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'in of until till by before im bis ende en fin hasta entro de em ate tot'.split(' '),
)
let monthNames: ReadonlyMap<string, number> | null = null

function months(): ReadonlyMap<string, number> {
  monthNames ??= new Map(
    languages.flatMap(({ months: names }) =>
      names.split(' ').flatMap((month, i) => month.split('|').map((name) => [foldWord(name), i + 1] as const)),
    ),
  )
  return monthNames
}

function weekdays(): ReadonlyMap<string, number> {
  weekdayNames ??= new Map(
    languages.flatMap(({ weekdays: names }) =>
      names
        .split(' ')
        .flatMap((day, i) =>
          day.split('|').flatMap((name) => [[foldWord(name), i] as const, [`${foldWord(name)}s`, i] as const]),
        ),
    ),
  )
  return weekdayNames
}
