/** Times of day next to a day: "15 July 2017, 10:57", "at 10:57 on 15 July", "3 December at 10 am", "am 3. Dezember um 10 Uhr", "Friday noon", "Freitag halb drei". */

export interface Clock {
  /** UTF-16 offsets [from, to) of the day together with its time of day. */
  readonly at: readonly [from: number, to: number]
  /** Since midnight, half-open: a minute, or an hour without minutes. */
  readonly fromMs: number
  readonly beforeMs: number
}

const preposition = '(at|um|gegen|à|vers|a las?|às|alle|ore|om)\\s'
const time = '(\\d{1,2})(?:([:.h])(\\d{2}))?\\s?(a\\.?m\\.?|p\\.?m\\.?|uhr|heures?|hrs?|h|horas?|uur)?'
const behind = new RegExp(`[\\s,]{0,3}(?:${preposition})?${time}(?![\\p{L}\\p{N}:%])`, 'iuy')
const ahead = new RegExp(
  `(?:^|[\\s,(])(?:${preposition})?${time}[\\s,]{1,2}(?:(?:on|am|le|el|il|em|op|del?|no|dia|of|den)\\s)?(?:the\\s)?$`,
  'iu',
)
/** Hours in words behind a half: of English the hour that is over, of German and Dutch the one that comes. */
const hours = [
  'one two three four five six seven eight nine ten eleven twelve',
  'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'een twee drie vier vijf zes zeven acht negen tien elf twaalf',
].map((names) => names.split(' '))
const named = `(?:(noon|midday|mittags?|midi|mediodía|mezzogiorno)|(midnight|mitternacht|minuit|medianoche|mezzanotte|middernacht)|(half past|halb|half) (${hours.flat().join('|')}))(?![\\p{L}\\p{N}])`
const behindNamed = new RegExp(`[\\s,]{0,3}(?:${preposition})?${named}`, 'iuy')
const aheadNamed = new RegExp(`(?:^|[\\s,(])(?:${preposition})?${named}[\\s,]{1,2}(?:(?:on|am|le|el|il|op) )?$`, 'iu')

/** The longest text before a day that belongs to it. */
const reach = 32

/** `at`: offsets of the day. Null without a time of day next to it. */
export function clockNextTo(text: string, [from, to]: readonly [number, number]): Clock | null {
  const start = Math.max(0, from - reach)
  behindNamed.lastIndex = to
  const namedAfter = behindNamed.exec(text)
  if (namedAfter !== null) {
    const own = readNamed(namedAfter)
    if (own !== null) return { at: [from, behindNamed.lastIndex], ...own }
  }
  const namedBefore = aheadNamed.exec(text.slice(start, from))
  const ofBefore = namedBefore === null ? null : readNamed(namedBefore)
  if (ofBefore !== null)
    return { at: [start + namedBefore!.index + (/^[\s,(]/.test(namedBefore![0]) ? 1 : 0), to], ...ofBefore }
  behind.lastIndex = to
  const after = behind.exec(text)
  const clock = after === null ? null : read(after, text.slice(behind.lastIndex, behind.lastIndex + 2))
  if (clock !== null) return { at: [from, to + after![0].length], ...clock }
  const before = ahead.exec(text.slice(Math.max(0, from - reach), from))
  const own = before === null ? null : read(before, '')
  const sign = before !== null && /[\s,(]/.test(before[0][0]!) ? 1 : 0
  return own === null ? null : { at: [from - before![0].length + sign, to], ...own }
}

function read([, word, hours, sign, minutes, half]: RegExpExecArray, next: string): Omit<Clock, 'at'> | null {
  const [hour, minute] = [Number(hours), Number(minutes ?? 0)]
  // "At 10" may count what follows.
  const isTime =
    (sign !== undefined && sign !== '.' && minutes !== undefined) ||
    half !== undefined ||
    (word !== undefined && !/^\s?[\p{L}$€]/u.test(next))
  const isHalf = half !== undefined && /^[ap]/i.test(half) && !/^a$/i.test(half)
  if (!isTime || minute > 59 || hour > (isHalf ? 12 : 23) || (isHalf && hour === 0)) return null
  const ofDay = isHalf ? (hour % 12) + (/^p/i.test(half) ? 12 : 0) : hour
  const fromMs = (ofDay * 60 + minute) * minuteMs
  return { fromMs, beforeMs: fromMs + (minutes === undefined ? 60 : 1) * minuteMs }
}

function readNamed([, , noon, midnight, half, hour]: RegExpExecArray): Omit<Clock, 'at'> | null {
  if (noon !== undefined) return minuteAt(12 * 60)
  // At the end of the day that is named.
  if (midnight !== undefined) return minuteAt(24 * 60 - 1)
  const isPast = /past/i.test(half!)
  const names = isPast ? hours.slice(0, 1) : hours.slice(1)
  const number = Math.max(...names.map((list) => list.indexOf(hour!.toLowerCase()))) + (isPast ? 1 : 0)
  if (number < (isPast ? 1 : 0)) return null
  // Of half past two, the one of the afternoon is meant.
  return minuteAt((number < 7 ? number + 12 : number) * 60 + 30)
}

function minuteAt(minute: number): Omit<Clock, 'at'> {
  return { fromMs: minute * minuteMs, beforeMs: (minute + 1) * minuteMs }
}

const minuteMs = 60_000
