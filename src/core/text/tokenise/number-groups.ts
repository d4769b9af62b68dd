/**
 * Numbers, and words of letters and digits, are written in groups or without gaps: `42 km` and 42km, `978-3-16-148410-0` and 9783161484100,
 * `DE89 3704 0044` and DE8937040044. All words here are folded.
 */

/** How a word that no record holds may be written in groups, with spaces between. At most some fifty forms. */
export function groupsOf(word: string): readonly string[] {
  if (!/^[a-z0-9]{1,34}$/.test(word) || !/\d/.test(word)) return []
  const forms = [...cutAtDigits(word), ...cutByLength(word)]
  if (/^v\d+$/.test(word)) forms.push(word.slice(1))
  if (/^\d{1,4}$/.test(word)) forms.push(`v${word}`)
  if (/^[\da-f]{4,16}$/.test(word)) forms.push(`0x${word}`)
  return [...new Set(forms)]
}

/** Every choice of the places where letters and digits meet. A name of a few letters and digits may have a gap in its letters, too: BXY482. */
function cutAtDigits(word: string): readonly string[] {
  const borders = Array.from(word.matchAll(/[a-z](?=\d)|\d(?=[a-z])/g), ({ index }) => index + 1)
  if (borders.length === 0 || borders.length > mostBorders) return []
  const forms: string[] = []
  for (let choice = 1; choice < 1 << borders.length; choice++)
    forms.push(
      cutAt(
        word,
        borders.filter((_, i) => (choice >> i) & 1),
      ),
    )
  const [, letters = ''] = /^([a-z]{2,5})\d+$/.exec(word) ?? []
  for (let at = 1; at < letters.length; at++) forms.push(cutAt(word, [at, letters.length]))
  return forms
}

const mostBorders = 4

function cutByLength(word: string): readonly string[] {
  const forms: string[] = []
  const add = (places: readonly number[]) => forms.push(cutAt(word, places))
  const digits = word.replace(/\D/g, '').length
  const every = (length: number, from: number) =>
    Array.from({ length: Math.max(0, Math.ceil((word.length - from) / length)) }, (_, i) => from + i * length).filter(
      (at) => at > 0,
    )
  // Thousands; a year is written without a gap.
  if (digits === word.length && digits <= 12 && !/^(?:19|20)\d\d$/.test(word)) add(every(3, word.length % 3))
  // Accounts and cards; dates; addresses of devices; ids.
  if (word.length >= 8 && digits > 4) add(every(4, 0))
  if (/^(?:19|20)\d{6}$/.test(word)) add([4, 6])
  // Telephones: the area, and the rest in one to three groups, or pairs.
  const isPhone = /^\d{7,11}$/.test(word)
  if (isPhone || word.length === 12) add(every(2, word.length % 2))
  for (const places of isPhone ? [[2], [3], [4], [5], [3, 6], [3, 7], [4, 7], [3, 6, 8]] : []) add(places)
  if (word.length === 32) add([8, 12, 16, 20])
  const [, start, number] = /^(97[89])?(\d{9}[\dx])$/.exec(word) ?? []
  if (number === undefined) return forms
  const head = start === undefined ? [] : [start.length]
  const own = head[0] ?? 0
  // Books: country, publisher, title and a check digit.
  if (start !== undefined) add(head)
  for (let first = 1; first <= 5; first++)
    for (let second = first + 1; second < 9; second++) add([...head, own + first, own + second, own + 9])
  return forms
}

function cutAt(word: string, places: readonly number[]): string {
  return [0, ...places].map((from, i) => word.slice(from, places[i] ?? word.length)).join(' ')
}
