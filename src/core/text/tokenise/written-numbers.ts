/**
 * Finds numbers that people write in several ways, and gives each its canonical word: `1,299.99` and `1 299,99`, `5k` and `5,000`, `2:30 pm` and
 * `14:30`, `06-17-2026` and `17.06.2026`, `+49 170 1234567` and `0170 1234567`. The rules are asked in order; a place belongs to the first.
 */
import { withPlainDigits } from './compatible-letters.ts'
import type { Token } from './tokenise.ts'

export interface NumberRule {
  readonly name: string
  readonly examples: readonly (readonly [written: string, word: string])[]
  readonly pattern: RegExp
  /** The canonical words; none for another number. A word of digits alone is a plain number. */
  words(match: RegExpMatchArray): readonly string[]
}

/** In canonical words, private characters for a dot, a colon, a minus between the parts of a date, a telephone, and the sign of sizes. */
const [dot, colon, dash, phone, by] = ['\ue02e', '\ue03a', '\ue02d', '\ue028', '\ue078']

export const numberRules: readonly NumberRule[] = [
  {
    name: 'date with the year first',
    examples: [['2026-06-17', `2026${dash}06${dash}17`]],
    pattern: /(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d]|[-/.]\d)/g,
    words: ([, year, , month, day]) => dateOf(year!, month!, day!),
  },
  {
    name: 'date with the year last: day and month in both orders',
    examples: [
      ['06-17-2026', `2026${dash}06${dash}17`],
      ['17.6.2026', `2026${dash}06${dash}17`],
    ],
    pattern: /(?<![\d.])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?![\d]|[-/.]\d)/g,
    words: ([, first, , second, year]) => [
      ...new Set([...dateOf(year!, second!, first!), ...dateOf(year!, first!, second!)]),
    ],
  },
  {
    name: 'telephone number: its last eight digits',
    examples: [
      ['+49 170 1234567', `${phone}01234567`],
      ['(0170) 123-4567', `${phone}01234567`],
    ],
    pattern: /(?<![\d.,])(?:\+|\(?0|\(?(?=\d{3}\)?[- ]\d{3}[- ]\d{4}(?!\d)))\d(?:[ ()/-]{0,2}\d){6,14}(?![\d.,]?\d)/g,
    words([written]) {
      const digits = written.replace(/\D/g, '')
      return digits.length >= 8 ? [phone + digits.slice(-8)] : []
    },
  },
  {
    name: 'time of day',
    examples: [
      ['2:30 pm', `14${colon}30`],
      ['14:30', `14${colon}30`],
      ['9 am', `09${colon}00`],
    ],
    pattern: /(?<![\d.,:])(\d{1,2})(?::(\d{2})|(?=\s?[ap]\.?m\b))(?!:?\d)(?:\s?([ap])\.?m\b)?/gi,
    words: ([, hour, minute, half]) => timeOf(Number(hour), Number(minute ?? 0), half?.toLowerCase()),
  },
  {
    name: 'sizes',
    examples: [
      ['55 x 40 × 20', `55${by}40${by}20`],
      ['3,20x4.10', `3${dot}20${by}4${dot}10`],
    ],
    pattern:
      /(?<![\p{L}\d.,])(?!0x)\d{1,4}(?:[.,]\d{1,3})?(?:[ \u00a0]?[x×][ \u00a0]?\d{1,4}(?:[.,]\d{1,3})?){1,2}(?![\p{L}\d]|[.,]\d)/giu,
    words: ([written]) => [
      written
        .replace(/[ \u00a0]/g, '')
        .replace(/[.,]/g, dot)
        .replace(/[x×]/gi, by),
    ],
  },
  {
    name: 'fractions behind a number, and alone',
    examples: [
      ['2½', `2${dot}5`],
      ['2 1/2', `2${dot}5`],
    ],
    pattern:
      /(?<![\p{L}\d.,/])(?:(\d{1,4})[ \u00a0]?)?([½¼¾⅛⅜⅝⅞])|(?<![\p{L}\d.,/])(\d{1,4})[ \u00a0](\d)\/([248])(?![\p{L}\d/])/gu,
    words([, first, sign, whole, above, below]) {
      const share = sign === undefined ? Number(above) / Number(below) : ('⅛¼⅜½⅝¾⅞'.indexOf(sign) + 1) / 8
      return share < 1 ? [`${first ?? whole ?? 0}${String(share).replace('0.', dot)}`] : []
    },
  },
  {
    name: 'thousands and millions by a letter',
    examples: [
      ['5k', '5000'],
      ['2.5M', '2500000'],
    ],
    pattern: /(?<![\d.,\p{L}])(\d{1,3})(?:\.(\d{1,3}))?([kKM])(?![\p{L}\d])/gu,
    words: ([, whole, decimals = '', unit]) => [whole + decimals.padEnd(unit === 'M' ? 6 : 3, '0')],
  },
  {
    name: 'thousands and decimals',
    examples: [
      ['1,299.99', `1299${dot}99`],
      ['1 299,99', `1299${dot}99`],
      ['3,14', `3${dot}14`],
      ['1,000,000', '1000000'],
    ],
    pattern:
      /(?<![\d.,])(?:(\d{1,3})((?:([,.'’\u00a0\u202f ])\d{3}(?!\d))(?:\3\d{3}(?!\d)){0,5})|(\d{1,15}))(?:([.,])(\d{1,6}))?(?![\d]|[.,:/-]\d)/g,
    words([, first, groups, separator, plain, point, decimals]) {
      if (groups === undefined) return decimals === undefined ? [] : [`${plain}${dot}${decimals}`]
      // `1 299` alone may be two numbers, and `1.299` a decimal; one separator has one meaning.
      if (decimals === undefined && groups.length < 8 && (separator === ' ' || separator === '.')) return []
      if (separator === point) return []
      const whole = first + groups.replace(/\D/g, '')
      // An amount without cents is the number, too.
      const isWhole = decimals === '00' ? [whole] : []
      return decimals === undefined ? [whole] : [`${whole}${dot}${decimals}`, ...isWhole]
    },
  },
]

/** In the order of the rules; places never overlap. */
export function writtenNumbers(written: string): Token[] {
  const text = withPlainDigits(written)
  if (!/\d[\d.,:/' ()a-zA-Z\u00a0\u202f’×-]|[½¼¾⅛⅜⅝⅞]/.test(text)) return []
  const found: Token[] = []
  const isTaken = new Uint8Array(text.length)
  for (const { pattern, words } of numberRules) {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length]
      if (isTaken.subarray(from, to).includes(1)) continue
      const own = words(match)
      if (own.length > 0) isTaken.fill(1, from, to)
      for (const word of own) found.push({ word, from, to })
    }
  }
  return found
}

function dateOf(year: string, month: string, day: string): readonly string[] {
  const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
  return isDate ? [[year, month.padStart(2, '0'), day.padStart(2, '0')].join(dash)] : []
}

function timeOf(hour: number, minute: number, half: string | undefined): readonly string[] {
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0)) return []
  const of24 = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  return [`${String(of24).padStart(2, '0')}${colon}${String(minute).padStart(2, '0')}`]
}
