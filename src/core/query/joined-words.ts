/**
 * Other forms of joined words: `node.js` and `e-mail` as one word, `useEffect` and `nodejs` as two. The index cuts words at every sign
 * and folds capitals, so it holds `node` and `js`, but `useeffect`. All words here are folded, unless they say `written`.
 */
import type { QueryTerm } from '../model/query-plan.ts'
import { groupsOf } from '../text/tokenise/number-groups.ts'
import { commonWords, contractionRemnants, contractions, questionWords } from '../text/tokenise/stop-words.ts'
import type { Token } from '../text/tokenise/tokenise.ts'
import { isApostrophe } from './apostrophes.ts'
import { quote } from './phrases.ts'

/** Tokens from `first` to `last` that may be one word. */
export interface Joint {
  readonly first: number
  readonly last: number
  readonly joined: string
  /** The text joins them by a sign; otherwise white space is between them. */
  readonly isWritten: boolean
}

/** Neighbours that may be one word, and whole runs such as `state-of-the-art`. */
export function jointsOf(text: string, tokens: readonly Token[]): readonly Joint[] {
  const joints: Joint[] = []
  const plain = tokens.map(({ word }) => plainWord.test(word) && !isStopWord(word))
  const add = (first: number, last: number, isWritten: boolean) =>
    joints.push({
      first,
      last,
      joined: tokens
        .slice(first, last + 1)
        .map(({ word }) => word)
        .join(''),
      isWritten,
    })
  let start = 0
  for (let i = 1; i <= tokens.length; i++) {
    const isWritten = i < tokens.length && isJoined(text, tokens[i - 1]!, tokens[i]!)
    if (isWritten) add(i - 1, i, true)
    else {
      if (i - start > 2 && i - start <= mostParts) add(start, i - 1, true)
      start = i
      const areParts = (plain[i - 1] && plain[i]) || isNumbered(tokens[i - 1]!.word, tokens[i]?.word ?? '')
      if (areParts && isSpace(text, tokens[i - 1]!.to, tokens[i]!.from)) add(i - 1, i, false)
    }
  }
  for (const [first, last] of groupsIn(text, tokens)) add(first, last, false)
  return joints
}

/** Runs of three and more numbers, or words with digits, that only spaces and hyphens join: `DE89 3704 0044`. */
function groupsIn(text: string, tokens: readonly Token[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  let first = 0
  for (let i = 1; i <= tokens.length; i++) {
    const isInside = i < tokens.length && /^[ :-]$/.test(text.slice(tokens[i - 1]!.to, tokens[i]!.from))
    const isFirst = i - 1 === first && i < tokens.length && isCountry(tokens[first]!.word)
    if (isInside && isOfGroups.test(tokens[i]!.word) && (isFirst || isOfGroups.test(tokens[i - 1]!.word))) continue
    if (i - first > 2 && i - first <= mostGroups) runs.push([first, i - 1])
    first = i
  }
  return runs
}

const isOfGroups = /^(?:(?=.*\d)[\da-z]{1,9}|[a-f]{2})$/
const isCountry = (word: string) => /^[a-z]{2}$/.test(word) && !isStopWord(word)
const mostGroups = 9

/** Letters and a number, or a number and letters: `ios 18`, `42 km`. */
function isNumbered(before: string, after: string): boolean {
  const [letters, digits] = /^\d/.test(before) ? [after, before] : [before, after]
  return /^\d{1,6}[a-z]?$/.test(digits) && /^[a-z]{1,32}$/.test(letters) && !isStopWord(letters)
}

/** The one word that a whole text such as `e-mail` may be written as; null for other texts. */
export function joinedForm(text: string, tokens: readonly Token[]): string | null {
  const isRun = tokens.length > 1 && tokens.every((token, i) => i === 0 || isJoined(text, tokens[i - 1]!, token))
  return isRun ? tokens.map(({ word }) => word).join('') : null
}

/** The parts of a word whose form shows them, with spaces between: `use effect`, `node js`, `e mail`. At most two forms. */
export function writtenApart(written: string): readonly string[] {
  const contraction = contractions.get(written.toLowerCase())
  if (contraction !== undefined) return [contraction]
  if (!/.[A-Z]|^[EXex]|[Jj][Ss]$/.test(written) || !/^[A-Za-z][A-Za-z0-9]{3,63}$/.test(written)) return []
  const word = written.toLowerCase()
  const byCase = cutAtCapitals(written)
  const ofTwo = /^([ex])([a-z]{3,})$|^([a-z]{2,})(js)$/.exec(word)
  const other = ofTwo === null ? word : ofTwo.slice(1).filter(Boolean).join(' ')
  return [...new Set([byCase, other])].filter((form) => form !== word)
}

/**
 * The parts by which a record with the word is found: `effect` of `useEffect`. Distinct; at least three letters, and no stop word. Words without
 * a capital inside have none, and neither has the plural of an abbreviation (`URLs`).
 */
export function partsOf(written: string): readonly string[] {
  if (!hasInnerCapital(written) || !/^[A-Za-z][A-Za-z0-9]{3,31}$/.test(written) || /^[A-Z0-9]+s$/.test(written))
    return []
  const parts = cutAtCapitals(written).split(' ')
  return [...new Set(parts.filter((part) => /^[a-z]{3}/.test(part) && !isStopWord(part)))]
}

/** Whether a capital begins a part inside a word of the text. Fast: nearly all texts of prose have none. */
export function hasInnerCapital(text: string): boolean {
  return /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/.test(text)
}

function cutAtCapitals(written: string): string {
  return written
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
}

/** The FTS5 phrases of every cut of the term's word in two. For words that no record holds. */
export function cutsOfTerm({ phrase, word, apart = [], mayBeCut }: QueryTerm): readonly string[] {
  if (mayBeCut !== true) return []
  const fields = phrase.slice(0, phrase.indexOf('"'))
  return [...new Set([...cutsOf(word), ...groupsOf(word)])]
    .map((cut) => fields + quote(cut))
    .filter((cut) => !apart.includes(cut))
}

/** Without stop words among the parts. */
export function cutsOf(word: string): readonly string[] {
  if (!/^[a-z][a-z0-9]{3,19}$/.test(word)) return []
  const cuts: string[] = []
  for (let at = 1; at < word.length - 1; at++) {
    const [first, second] = [word.slice(0, at), word.slice(at)]
    if (!isStopWord(first) && !isStopWord(second)) cuts.push(`${first} ${second}`)
  }
  return cuts
}

const mostParts = 4

function isJoined(text: string, before: Token, after: Token): boolean {
  const sign = text[before.to]
  if (after.from - before.to !== 1 || /^\p{N}/u.test(before.word)) return false
  if (isApostrophe(sign!)) return !contractionRemnants.has(after.word) || contractions.has(before.word + after.word)
  if (!'-._\u00ad\u2010\u2011'.includes(sign!)) return false
  // A number after a dot is a version, and a part of its own.
  return sign !== '.' || !/^\p{N}/u.test(after.word)
}

const plainWord = /^[a-z]{2,32}$/

/** Whether there is nothing but spaces and tabs. */
function isSpace(text: string, from: number, to: number): boolean {
  return /^[ \t]+$/.test(text.slice(from, to))
}

function isStopWord(word: string): boolean {
  return questionWords.has(word) || contractionRemnants.has(word) || commonWords.has(word)
}
