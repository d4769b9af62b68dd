/**
 * Finds where sentences begin. In doubt a sentence goes on: a full stop after an abbreviation, an initial or an ordinal, or before a small letter,
 * ends none. The end of a short line and the line of another speaker end one.
 */

/** Offsets within [from, to), ascending, the first `from`. White space belongs to the sentence before it. */
export function sentenceStarts(text: string, from: number, to: number): readonly number[] {
  const starts = [from]
  let lineFrom = from
  for (let at = from; at < to; ) {
    const sign = text[at]!
    const isFull = fullStops.includes(sign)
    if (!isFull && sign !== '\n' && !stops.includes(sign)) {
      at++
      continue
    }
    let next = at + 1
    while (
      next < to &&
      (stops.includes(text[next]!) || fullStops.includes(text[next]!) || closers.includes(text[next]!))
    )
      next++
    const spaceFrom = sign === '\n' ? at : next
    next = spaceFrom
    let lineAfter = lineFrom
    for (; next < to && isSpace(text, next); next++) if (text[next] === '\n') lineAfter = next + 1
    const isEnd =
      sign === '\n'
        ? at - lineFrom < shortLine || isSpeaker(text, next, to)
        : isFull || (next > spaceFrom && (sign !== '.' || spaceFrom - at > 1 || endsAtStop(text, at, next, from)))
    if (isEnd && next < to && next > starts.at(-1)!) starts.push(next)
    lineFrom = lineAfter
    at = Math.max(next, at + 1)
  }
  return starts
}

const stops = '.!?…'
/** They end a sentence without white space after them. */
const fullStops = '。！？｡।۔؟'
const closers = '"\')]}»”’」』）*_'

/** Paragraphs that are broken into lines have longer ones. */
const shortLine = 40

/** Whether the full stop at `at` ends a sentence that goes on at `next`. */
function endsAtStop(text: string, at: number, next: number, from: number): boolean {
  const follower = text[next] ?? ''
  if (follower !== follower.toUpperCase()) return false
  let start = at
  while (start > from && at - start < longestAbbreviation && !isSpace(text, start - 1)) start--
  const word = text.slice(start, at)
  const letters = word.startsWith('(') ? word.slice(1) : word
  if (letters.length <= 1 || /^\d{1,2}$/.test(letters) || /^(?:\w\.)+\w$/.test(letters)) return false
  return !abbreviations.has(letters.toLowerCase())
}

const longestAbbreviation = 10
const abbreviations = new Set(
  'mr mrs ms dr prof st vs etc no nr fig figs vol pp p ca approx dept inc ltd co jr sr bzw usw vgl evtl ggf str sog abs art hr fr tel sra sres ud uds pág núm env ex mme mlle'.split(
    ' ',
  ),
)

/** Whether a line begins with a name and a colon, or with a time, like the line of a chat. */
function isSpeaker(text: string, at: number, to: number): boolean {
  return /^(?:\[?\d{1,2}[:.]\d{2}|[^\n.!?:]{1,40}: )/.test(text.slice(at, Math.min(to, at + 44)))
}

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit === 0x20 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000
}
