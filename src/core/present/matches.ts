/** Finds the words of a text that match a query. Runs for every hit, so it stems only words that may match. */

import { isLoneLetter } from '../query/phrases.ts'
import { foldLetters } from '../text/tokenise/fold-letters.ts'
import { furtherTokens } from '../text/tokenise/index-form.ts'
import { isSignWord } from '../text/tokenise/sign-words.ts'
import { stem } from '../text/tokenise/stem.ts'
import { foldWord, lastLetters, tokenise } from '../text/tokenise/tokenise.ts'

/** A word of a text that matches, with its UTF-16 offsets [from, to). */
export interface Match {
  /** The stem or prefix that it matches. */
  readonly stem: string
  readonly from: number
  readonly to: number
}

export interface Wanted {
  readonly stems: ReadonlySet<string>
  /** Folded beginning of a word; empty: no prefix. */
  readonly prefix: string
}

/** Finds the words of a text whose stem matches, in order. */
export type Matcher = (text: string) => Match[]

export function matcherOf({ stems, prefix: typed }: Wanted): Matcher {
  const prefix = foldLetters(typed)
  const wanted = { stems, prefix }
  const beginnings = beginningsOf(prefix === '' ? stems : new Set([...stems, prefix]))
  const letters = [...stems].filter((word) => isLoneLetter([word]))
  const wantsFurther = letters.length > 0 || [...stems].some(isSignWord)
  if (!wantsFurther) return (text) => findMatches(text, wanted, beginnings)
  const plain = {
    stems: new Set([...stems].filter((word) => !letters.includes(word))),
    prefix: isLoneLetter([prefix]) ? '' : prefix,
  }
  return (text) => {
    const further = furtherTokens(text).flatMap(({ word, from, to }) =>
      stems.has(word) ? [{ stem: word, from, to }] : [],
    )
    const all = [...findMatches(text, plain, beginnings), ...further, ...lettersIn(text, letters)]
    return all.sort((a, b) => a.from - b.from || a.to - b.to)
  }
}

/** Of a letter of a script without spaces, the letter itself and not the pair that begins with it. */
function lettersIn(text: string, letters: readonly string[]): Match[] {
  if (letters.length === 0) return []
  return [...tokenise(text), ...lastLetters(text)].flatMap(({ word, from, to }) => {
    const letter = letters.find((one) => word.startsWith(one))
    return letter === undefined ? [] : [{ stem: letter, from, to: Math.min(to, from + letter.length) }]
  })
}

function findMatches(text: string, wanted: Wanted, beginnings: Uint8Array): Match[] {
  const matches: Match[] = []
  for (let at = 0; at < text.length; ) {
    const from = at
    let seen = 0
    // Up to the next ASCII gap, where every word ends.
    for (let unit = text.charCodeAt(at); unit >= 0x80 || asciiWord[unit] === 1; unit = text.charCodeAt(++at))
      seen |= unit
    if (at === from) at++
    else if (seen >= 0x80) addMatches(matches, text.slice(from, at), from, wanted)
    else if (beginnings[beginningOf(text.charCodeAt(from), at - from > 1 ? text.charCodeAt(from + 1) : 0)] === 1) {
      const found = matchOf(foldWord(text.slice(from, at)), wanted)
      if (found !== null) matches.push({ stem: found, from, to: at })
    }
  }
  return matches
}

const asciiWord = /* @__PURE__ */ Uint8Array.from({ length: 0x80 }, (_, unit) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(unit)) ? 1 : 0,
)

/** By the first two characters of an ASCII word, whether its stem may match. Porter changes at most the second of them (y to
 *  i), and a word may lose all characters but the first. */
function beginningsOf(stems: ReadonlySet<string>): Uint8Array {
  const beginnings = new Uint8Array(64 * 64)
  for (const wanted of stems) {
    const [first, second] = [wanted.charCodeAt(0), wanted.charCodeAt(1)]
    if (!(first < 0x80)) continue
    if (wanted.length > 1) beginnings[beginningOf(first, second)] = 1
    else for (let any = 0; any < 0x80; any++) beginnings[beginningOf(first, any)] = 1
  }
  return beginnings
}

/** Upper and lower case are equal; 64 rows of 64. */
function beginningOf(first: number, second: number): number {
  const folded = (second | 0x20) === 0x79 ? 0x69 : second
  return (((first | 0x20) & 0x3f) << 6) | ((folded | 0x20) & 0x3f)
}

/** The stem or prefix that a folded word matches; null without a match. */
function matchOf(word: string, { stems, prefix }: Wanted): string | null {
  const stemmed = stem(word)
  if (stems.has(stemmed)) return stemmed
  // A store without a stemmer searches for unstemmed words.
  if (stems.has(word)) return word
  return prefix !== '' && foldLetters(word).startsWith(prefix) ? prefix : null
}

function addMatches(matches: Match[], segment: string, offset: number, wanted: Wanted): void {
  for (const { word, from, to } of tokenise(segment)) {
    const found = matchOf(word, wanted)
    if (found !== null) matches.push({ stem: found, from: offset + from, to: offset + to })
  }
}
