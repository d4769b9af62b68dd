/** Finds the values that a sentence gives: amounts of money, shares, times of day, days and counts, each in one spelling. */
import { languages } from '../time/languages.ts'
import { foldWord } from '../text/tokenise/tokenise.ts'

export interface FoundValue {
  readonly kind: 'amount' | 'share' | 'time' | 'day' | 'count'
  readonly value: string
  /** Letters right after a count, as in `250ms`. */
  readonly suffix: string
  /** UTF-16 offsets [from, to) in the sentence. */
  readonly from: number
  readonly to: number
}

export function valuesIn(sentence: string): readonly FoundValue[] {
  patterns ??= patternsOf()
  const { anyValue, months, numbers } = patterns
  return Array.from(sentence.matchAll(anyValue), (match): FoundValue => {
    const given = match.groups!
    const place = { suffix: '', from: match.index, to: match.index + match[0].length }
    const month = (name: string) => months.get(foldWord(name))
    if (given.amount !== undefined)
      return { kind: 'amount', value: plain(given.amount) + (given.thousands ?? '').toLowerCase(), ...place }
    if (given.share !== undefined) return { kind: 'share', value: plain(given.share), ...place }
    if (given.hour !== undefined)
      return {
        kind: 'time',
        value: `${hourOf(Number(given.hour), given.half24 ?? given.half)}:${given.minute ?? '00'}`,
        ...place,
      }
    if (given.isoMonth !== undefined)
      return { kind: 'day', value: `${Number(given.isoMonth)}-${Number(given.isoDay)}`, ...place }
    if (given.monthFirst !== undefined)
      return { kind: 'day', value: `${month(given.monthFirst)}-${Number(given.dayAfter)}`, ...place }
    if (given.monthLast !== undefined)
      return { kind: 'day', value: `${month(given.monthLast)}-${Number(given.dayBefore)}`, ...place }
    const number = given.number!
    const value = /^\d/.test(number) ? plain(number) : String(numbers.get(foldWord(number)))
    return { kind: 'count', value, ...place, suffix: (given.suffix ?? '').toLowerCase() }
  }).filter(({ kind, from, to }) => kind !== 'count' || !isYear.test(sentence.slice(from, to)))
}

/** 0 to 23. */
function hourOf(written: number, half: string | undefined): number {
  if (half === undefined) return written
  return (written % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

const isYear = /^(?:19|20)\d\d$/

/** Without separators of thousands, leading zeros and `.0`. */
function plain(written: string): string {
  return written
    .replace(/[,.](?=\d{3}(?!\d))/g, '')
    .replace(',', '.')
    .replace(/\.0+$/, '')
    .replace(/^0+(?=\d)/, '')
}

interface Patterns {
  readonly anyValue: RegExp
  /** By folded name, 1 to 12. */
  readonly months: ReadonlyMap<string, number>
  readonly numbers: ReadonlyMap<string, number>
}

/** Built at the first use. */
let patterns: Patterns | null = null

function patternsOf(): Patterns {
  const months = new Map<string, number>()
  const numbers = new Map<string, number>()
  const written = { months: new Set<string>(), numbers: new Set<string>() }
  for (const { tag, months: long, shortMonths, numbers: words } of languages) {
    // Other languages' short months are words of each other: "set", "out", "mar".
    for (const list of tag === 'en' ? [long, shortMonths] : [long])
      for (const [i, names] of list.split(' ').entries())
        for (const name of names.split('|')) {
          months.set(foldWord(name), i + 1)
          written.months.add(name)
        }
    // From two on: "one" and "ein" are articles and pronouns, too.
    for (const [i, names] of words.split(' ').entries())
      for (const name of i === 0 ? [] : names.split('|').filter((word) => !vague.has(word))) {
        if (numbers.has(foldWord(name))) continue
        numbers.set(foldWord(name), i + 1)
        written.numbers.add(name)
      }
  }
  const choice = (names: ReadonlySet<string>) => [...names].toSorted((a, b) => b.length - a.length).join('|')
  const month = choice(written.months)
  const number = String.raw`\d[\d,.]*(?<![,.])`
  const edge = String.raw`(?<![\p{L}\d.,/\-])`
  const source = [
    String.raw`[$€£¥]\s?(?<amount>${number})(?<thousands>[km](?!\p{L}))?`,
    String.raw`${edge}(?<share>${number})\s?(?:%|percent(?!\p{L})|prozent(?!\p{L}))`,
    String.raw`${edge}(?<hour>\d{1,2})(?::(?<minute>\d\d)(?!\d)(?:\s?(?<half24>[ap])\.?m(?!\p{L}))?|\s?(?<half>[ap])\.?m(?!\p{L}))`,
    String.raw`${edge}\d{4}-(?<isoMonth>\d\d)-(?<isoDay>\d\d)(?!\d)`,
    String.raw`(?<!\p{L})(?<monthFirst>${month})\.?\s(?<dayAfter>\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\d])`,
    String.raw`${edge}(?<dayBefore>\d{1,2})(?:st|nd|rd|th|\.|er)?(?:\sde|\sof)?\s(?<monthLast>${month})(?!\p{L})`,
    String.raw`${edge}(?<number>${number}|(?:${choice(written.numbers)})(?!\p{L}))(?![\d/:\-])(?<suffix>(?!st|nd|rd|th)\p{L}{1,3}(?!\p{L}))?`,
  ]
  return { anyValue: new RegExp(source.join('|'), 'giu'), months, numbers }
}

const vague: ReadonlySet<string> = /* @__PURE__ */ new Set(['couple', 'few'])
