/**
 * The wholes in the text of a query, each one term next to its parts: names that signs join (`10.4.0`, `/usr/sbin/arp`, `left-pad`), numbers with a
 * canonical form (`5k`, `2:30 pm`), signs and options (`c++`, `rm -rf`), and symbols. A whole is worth more than any set of its parts.
 */
import type { QueryTerm } from '../model/query-plan.ts'
import { signWords } from '../text/tokenise/sign-words.ts'
import { commonWords, questionWords } from '../text/tokenise/stop-words.ts'
import type { Token } from '../text/tokenise/tokenise.ts'
import { writtenNumbers } from '../text/tokenise/written-numbers.ts'
import { isUnspaced, quote } from './phrases.ts'

export interface NameTerms {
  readonly terms: readonly QueryTerm[]
  /** By the number of a token: what it counts as a part of a whole; 1 for tokens that are missing. */
  readonly shares: ReadonlyMap<number, number>
  /** By the number of a token: canonical forms of the number that it is. */
  readonly canonical: ReadonlyMap<number, readonly string[]>
}

/** `tokens`: of the text, without those between quotes. The word at index `unfinished` is part of no whole. */
export function nameTermsOf(
  text: string,
  tokens: readonly Token[],
  stemOf: (word: string) => string,
  unfinished: number,
): NameTerms {
  const terms: QueryTerm[] = []
  const shares = new Map<number, number>()
  const canonical = new Map<number, readonly string[]>()
  const numbers = writtenNumbers(text)
  const claimed = new Set<Token>()
  const end = unfinished === -1 ? tokens.length : unfinished
  type Own = Pick<QueryTerm, 'weight' | 'optional' | 'written'>
  const add = (words: readonly string[], others: readonly string[], own: Own) => {
    const [phrase, ...apart] = [words.join(' '), ...others]
    const term = { phrase: quote(phrase!), word: phrase!, stems: words.map(stemOf), isName: true as const, ...own }
    terms.push(apart.length === 0 ? term : { ...term, apart: [...new Set(apart)].map(quote) })
  }
  for (const [first, last] of runsOf(text, tokens, end)) {
    const parts = tokens.slice(first, last + 1)
    const words = withoutScheme(parts.map(({ word }) => word))
    const kind = kindOf(text, parts)
    if (kind === null || words.length < 2 || terms.length >= mostNames) continue
    const inside = numbers.filter(({ from, to }) => from >= parts[0]!.from && to <= parts.at(-1)!.to)
    for (const number of inside) claimed.add(number)
    const isWhole = (number: Token) => number.from <= parts[0]!.from && number.to >= parts.at(-1)!.to
    const written = text.slice(tokens[last - words.length + 1]!.from, parts.at(-1)!.to).toLowerCase()
    add(words, [...versionForms(words), ...inside.filter(isWhole).map(({ word }) => word)], {
      ...weights[kind],
      written,
    })
    if (kind === 'number' || kind === 'version')
      for (let i = first; i <= last; i++) if (/^v?\d+$/.test(tokens[i]!.word)) shares.set(i, shareOfPart)
  }
  for (const number of numbers.slice(0, mostNumbers)) {
    if (claimed.has(number) || terms.length >= mostNames) continue
    const inside = tokens.flatMap(({ from, to }, i) => (i < end && from >= number.from && to <= number.to ? [i] : []))
    if (inside.length === 0) continue
    const forms = numbers.filter(({ from }) => from === number.from).map(({ word }) => word)
    for (const other of numbers) if (other.from === number.from) claimed.add(other)
    if (inside.length === 1) canonical.set(inside[0]!, forms.map(quote))
    else {
      const words = inside.map((i) => tokens[i]!.word)
      add(words, forms, weights.number)
      // Of a size or a mixed number, no part says much.
      if (/[ x×]/i.test(text.slice(number.from, number.to)) && words.every((word) => /^(?:\d+|x)$/.test(word)))
        for (const i of inside) shares.set(i, shareOfPart)
    }
  }
  if (unfinished > 0) terms.push(...typedNames(text, tokens, stemOf))
  // A letter that ends the text names something: vitamin A.
  const [before, letter] = tokens.slice(-2)
  if (unfinished === -1 && letter !== undefined && before !== undefined && !isStopWord(before.word))
    if (/^[a-z]$/.test(letter.word) && isStopWord(letter.word) && text.slice(before.to, letter.from) === ' ')
      add([before.word, letter.word], [], weights.name)
  for (const { word, from, to } of signWords(text).slice(0, mostNames)) {
    const written = text.slice(from, to).toLowerCase()
    terms.push({ phrase: quote(word), word: written, stems: [word], isName: true, ...weights.sign })
  }
  return { terms, shares, canonical }
}

/** A number with signs, of which the last part is still being typed: `v10.4` of 10.4.1. */
function typedNames(text: string, tokens: readonly Token[], stemOf: (word: string) => string): readonly QueryTerm[] {
  let first = tokens.length - 1
  while (first > 0 && isJoined(text, tokens[first - 1]!, tokens[first]!)) first--
  const words = tokens.slice(first).map(({ word }) => word)
  if (words.length < 2 || words.length > mostParts || !words.every((word) => /^v?\d+$/.test(word))) return []
  const [word, ...apart] = [words.join(' '), ...versionForms(words)]
  const own = { word: word!, stems: words.map(stemOf), isName: true as const, ...weights.number }
  return [{ phrase: `${quote(word!)}*`, apart: apart.map((form) => `${quote(form)}*`), ...own }]
}

/** The most wholes of each kind that are read. */
const mostNames = 24

/** The most numbers whose canonical forms are read. */
const mostNumbers = 96

/**
 * What a whole counts. A version that no record of the scope has counts as missing; other wholes are left out then. Two words with a hyphen are
 * mostly prose.
 */
const weights = {
  version: { weight: 2 },
  number: { weight: 2, optional: true },
  sign: { weight: 2, optional: true },
  name: { weight: 1.5, optional: true },
  hyphen: { weight: 0.5, optional: true },
} as const satisfies Record<string, Pick<QueryTerm, 'weight' | 'optional'>>

/** What a number counts that is a part of a whole. */
const shareOfPart = 0.25

/** First and last tokens of each run that only signs join. */
function runsOf(text: string, tokens: readonly Token[], end: number): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  let first = 0
  for (let i = 1; i <= end; i++) {
    if (i < end && isJoined(text, tokens[i - 1]!, tokens[i]!)) continue
    if (i - 1 > first && i - first <= mostParts) runs.push([first, i - 1])
    first = i
  }
  return runs
}

const mostParts = 16

function isJoined(text: string, before: Token, after: Token): boolean {
  if (isUnspaced(before.word) || isUnspaced(after.word)) return false
  const between = text.slice(before.to, after.from)
  if (between === ',') return /\d$/.test(before.word) && /^\d/.test(after.word)
  return /^[-._/\\:@+~#%&=?\u2010\u2011]{1,3}$/.test(between)
}

function kindOf(text: string, parts: readonly Token[]): keyof typeof weights | null {
  const words = parts.map(({ word }) => word)
  const withDigits = words.filter((word) => /\d/.test(word)).length
  if (words.every((word) => /^v?\d+$/.test(word)))
    return words.length > 2 && text[parts[0]!.to] === '.' ? 'version' : 'number'
  if (withDigits > 0 || words.length > 2) return words.every(isStopWord) ? null : 'name'
  if (text[parts[0]!.to] === '_') return 'name'
  // `A/B` and `AT&T`, but not `and/or`.
  const isName = text[parts[0]!.to] === '&' || (text[parts[0]!.to] === '/' && words.every((word) => word.length === 1))
  if (words.some(isStopWord)) return isName ? 'name' : null
  return text[parts[0]!.to] === '-' ? 'hyphen' : 'name'
}

function isStopWord(word: string): boolean {
  return questionWords.has(word) || commonWords.has(word)
}

/** An address is found without `https` and `www`, too. */
function withoutScheme(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => word !== 'http' && word !== 'https' && word !== 'www')
  return first <= 0 ? words : words.slice(first)
}

/** `v10.4.1` and `10.4.1`. */
function versionForms([first, ...others]: readonly string[]): readonly string[] {
  if (!/^v?\d+$/.test(first!) || !others.every((word) => /^\d/.test(word))) return []
  return [[first!.startsWith('v') ? first!.slice(1) : `v${first}`, ...others].join(' ')]
}
