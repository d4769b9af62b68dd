/**
 * Turns the text of a query into weighted terms: folds and stems words, removes stop words (unless nothing else remains), counts
 * repeated words, keeps quoted phrases whole. Pure; notes say what was cut or left out.
 */
import type { LexicalTuning } from '../model/policy.ts'
import type { QueryJoin, QueryPair, QueryTerm } from '../model/query-plan.ts'
import type { Reading } from '../model/result.ts'
import { tuning } from '../model/tuning.ts'
import { completions } from '../text/tokenise/completions.ts'
import { exactForm } from '../text/tokenise/irregular-forms.ts'
import { ctxsiftTerms } from '../text/tokenise/path-tokens.ts'
import { stem } from '../text/tokenise/stem.ts'
import { englishStopWords, type StopWords } from '../text/tokenise/stop-words.ts'
import { type Token, tokenise } from '../text/tokenise/tokenise.ts'
import { writtenNumbers } from '../text/tokenise/written-numbers.ts'
import { jointsOf, writtenApart } from './joined-words.ts'
import { nameTermsOf } from './name-terms.ts'
import { isLoneLetter, isUnspaced, quote } from './phrases.ts'
import type { Span } from './quoted-spans.ts'
import { type SynonymTable, synonymsIn } from './synonyms.ts'

export interface QueryText {
  readonly terms: readonly QueryTerm[]
  /** Distinct, in the order of the text. */
  readonly pairs: readonly QueryPair[]
  readonly joins: readonly QueryJoin[]
  /** FTS5 phrases, one per distinct word, of words that are not terms: stop words, words of phrases, words beyond the limit. */
  readonly otherWords: readonly string[]
  readonly notes: readonly string[]
  /** The folded word that `prefix: 'last'` treats as a prefix; null without one. */
  readonly typed: string | null
  /** The synonyms that were found, with their offsets in the text. */
  readonly read: readonly { readonly at: number; readonly reading: Reading }[]
}

export interface TextOptions {
  readonly prefix: 'last' | 'none'
  readonly stemmer: 'porter' | 'none'
  /** Offsets of the times in the text, in order. Their words do not become terms; each time is one optional phrase. */
  readonly times?: { readonly spans: readonly Span[]; readonly forms: readonly (readonly string[])[] } | undefined
  readonly synonyms?: SynonymTable | null | undefined
  /** Of the languages of the store; default: English. */
  readonly stopWords?: StopWords | undefined
  readonly lexical: Pick<LexicalTuning, 'commonWordWeight' | 'questionWordWeight' | 'units' | 'statistics'>
}

export function parseText(text: string, options: TextOptions): QueryText {
  return options.lexical.units === 'runs' ? parseRuns(text, options) : parseWords(text, options)
}

/** Each distinct run is a phrase. Keeps stop words; quotes have no meaning. */
function parseRuns(text: string, { stemmer }: TextOptions): QueryText {
  const runs = ctxsiftTerms(text.slice(0, tuning.maxQueryCharacters))
  const terms = runs.flatMap((run): QueryTerm[] => {
    const words = tokenise(run).map((token) => token.word)
    if (words.length === 0) return []
    const stems = words.map((word) => (stemmer === 'porter' ? stem(word) : word))
    return [{ phrase: quote(words.join(' ')), word: run, stems, weight: 1 }]
  })
  const notes = text.length > tuning.maxQueryCharacters ? [`text cut at ${tuning.maxQueryCharacters} characters`] : []
  if (terms.length > tuning.maxQueryTerms)
    notes.push(`only the first ${tuning.maxQueryTerms} of ${terms.length} terms used`)
  // Runs are searched for inside words, too, so no whole word needs to exist.
  const kept = terms.slice(0, tuning.maxQueryTerms)
  return { terms: kept, pairs: [], joins: [], otherWords: [], notes, typed: null, read: [] }
}

function parseWords(text: string, options: TextOptions): QueryText {
  const notes: string[] = []
  const given = text.length > tuning.maxQueryCharacters ? text.slice(0, tuning.maxQueryCharacters) : text
  if (given.length < text.length) notes.push(`text cut at ${tuning.maxQueryCharacters} characters`)
  const times = (options.times?.spans ?? []).map((span) => tokenise(given.slice(...span)).map((token) => token.word))
  const cut = withoutSpans(given, options.times?.spans ?? [])
  const segments = split(cut)
  const tokens = segments.flatMap((segment) => (segment.quoted ? [] : movedTokens(segment)))
  const words = tokens.map((token) => token.word)
  const phrases = segments
    .filter((segment) => segment.quoted)
    .map((segment) => tokenise(segment.text).map((token) => token.word))
  const isPrefix = (options.prefix === 'last' && endsInWord(cut)) || (phrases.length === 0 && isLoneLetter(words))
  const last = isPrefix ? words.length - 1 : -1
  const stemOf = (word: string) => (options.stemmer === 'porter' ? stem(word) : word)
  const stemsOfWords = words.map(stemOf)
  const weights = words.map((word) => stopWeight(word, options.lexical, options.stopWords))
  const nothingElse =
    phrases.every((phrase) => phrase.length === 0) && weights.every((weight, i) => i !== last && weight === 0)
  const terms = new Map<string, QueryTerm>()
  const add = (key: string, term: QueryTerm) => {
    const known = terms.get(key)
    terms.set(key, known === undefined ? term : { ...known, weight: known.weight + term.weight })
  }
  const found = synonymsIn(cut, tokens, options.synonyms ?? null, stemOf, last)
  // A policy that counts like FTS5 reproduces another library, which knows no other forms.
  const joinsWords = options.lexical.statistics === 'scope'
  const names = joinsWords ? nameTermsOf(cut, tokens, stemOf, last) : null
  const isBegun = (i: number) => i === last || isStarred(cut, tokens[i]!)
  let dropped = 0
  for (const [i, word] of words.entries()) {
    const weight = (nothingElse || i === last ? 1 : weights[i]!) * (names?.shares.get(i) ?? 1)
    if (weight === 0) dropped++
    else if (isBegun(i)) add(`${quote(word)}*`, typedTerm(word, options.stemmer))
    else {
      const { from, to } = tokens[i]!
      const ofSynonyms = found.ofWords.get(i)
      add(stemsOfWords[i]!, {
        phrase: joinsWords && isLoneLetter([word]) ? `${quote(word)}*` : quote(exactForm(word)),
        word,
        ...(joinsWords && i < tuning.maxQueryForms ? formsOf(cut.slice(from, to), names?.canonical.get(i)) : null),
        ...(ofSynonyms === undefined ? null : { synonyms: ofSynonyms.synonyms }),
        stems: [exactForm(word) === word ? stemsOfWords[i]! : exactForm(word), ...(ofSynonyms?.stems ?? [])],
        weight,
      })
    }
  }
  for (const phrase of phrases) {
    const [word, stems] = [phrase.join(' '), phrase.map(stemOf)]
    if (phrase.length === 0) continue
    const own = joinsWords && isLoneLetter(phrase) ? `${quote(word)}*` : quote(word)
    add(stems.join(' '), { phrase: own, word, stems, weight: 1 })
  }
  // Last, because the numbers of the terms before must not depend on whether a record matches.
  for (const [i, time] of times.entries()) {
    const [word, stems] = [time.join(' '), time.map(stemOf)]
    const [from, to] = options.times!.spans[i]!
    const canonical = joinsWords ? writtenNumbers(given.slice(from, to)).map((number) => number.word) : []
    const completions = [...(options.times?.forms[i] ?? []), ...canonical].filter((form) => form !== word).map(quote)
    add(stems.join(' '), {
      phrase: quote(word),
      ...(completions.length === 0 ? {} : { completions }),
      word,
      stems,
      weight: 1,
      optional: true,
    })
  }
  for (const { word, stems: others, synonyms } of found.phrases) {
    const stems = word.split(' ').map(stemOf)
    const own = { phrase: quote(word), word, stems: [...stems, ...others], weight: 1 }
    add(stems.join(' '), { ...own, optional: true, synonyms })
  }
  // Stop words alone are looked for as they follow each other, too: to be or not to be.
  const isCommon = joinsWords && last === -1 && phrases.length === 0 && weights.every((weight) => weight < 1)
  const whole = isCommon && words.length > 1 && words.length <= mostCommon ? [wholeTerm(words, stemsOfWords)] : []
  for (const term of [...(names?.terms ?? []), ...whole]) {
    const known = terms.get(term.stems.join(' '))
    // A phrase in quotes stays as it is.
    if (known === undefined) add(term.stems.join(' '), term)
  }
  if (dropped > 0) notes.push(`${dropped} stop word${dropped === 1 ? '' : 's'} left out`)
  const kept = [...terms.values()].slice(0, tuning.maxQueryTerms)
  if (kept.length < terms.size) notes.push(`only the first ${tuning.maxQueryTerms} of ${terms.size} terms used`)
  const known = new Set(kept.map(({ phrase }) => phrase))
  const otherWords = [...new Set([...words, ...phrases.flat(), ...times.flat()].map(quote))].filter(
    (phrase) => !known.has(phrase),
  )
  const full = words
    .map((word, i) => ({ i, word, stem: stemsOfWords[i]!, isPart: names?.shares.has(i) === true }))
    .filter(({ i, word }) => !isBegun(i) && weights[i] === 1 && !isUnspaced(word))
  const lastWord = words[last] ?? ''
  // In scripts without spaces each word is a pair of letters already.
  const typed = options.prefix === 'last' && lastWord !== '' && !isUnspaced(lastWord) ? lastWord : null
  const keys = [...terms.keys()]
  const joins = !joinsWords ? [] : joinsOf(cut, last === -1 ? tokens : tokens.slice(0, -1), stemsOfWords, keys, stemOf)
  const read = found.readings.filter(({ key }) => terms.has(key))
  return { terms: kept, pairs: pairsOf(full, keys), joins, otherWords, notes, typed, read }
}

/** `kitch*`: the beginning of a word. In `src/**`, `*a*` and `*.ts` the star is another sign. */
function isStarred(text: string, { word, from, to }: Token): boolean {
  return (
    text[to] === '*' &&
    word.length > 1 &&
    /^\*(?:[\s,;)]|$)/.test(text.slice(to, to + 2)) &&
    /^(?:[\s(]|$)/.test(text[from - 1] ?? '')
  )
}

/** The most stop words that are read as one phrase. */
const mostCommon = 12

function wholeTerm(words: readonly string[], stems: readonly string[]): QueryTerm {
  const word = words.join(' ')
  return { phrase: quote(word), word, stems, isName: true, weight: 2, optional: true }
}

/** Words that may be one word, if they are terms. `stems`: of the tokens. `keys`: of the terms, in their order. */
function joinsOf(
  text: string,
  tokens: readonly Token[],
  stems: readonly string[],
  keys: readonly string[],
  stemOf: (word: string) => string,
): readonly QueryJoin[] {
  const joins = new Map<string, QueryJoin>()
  for (const { first, last, joined, isWritten } of jointsOf(text, tokens)) {
    if (joins.size >= tuning.maxQueryJoins) break
    const terms = stems.slice(first, last + 1).flatMap((key) => {
      const term = keys.indexOf(key)
      return term === -1 ? [] : [term]
    })
    if (terms.length === 0 || terms.some((term) => term >= tuning.maxQueryTerms) || joins.has(joined)) continue
    const words = tokens.slice(first, last + 1).map(({ word }) => word)
    const phrases = { joined: quote(joined), apart: quote(words.join(' ')) }
    joins.set(joined, { ...phrases, stem: stemOf(joined), terms: [...new Set(terms)], always: isWritten })
  }
  return [...joins.values()]
}

/** The forms of a word that are written as several words. */
function formsOf(written: string, canonical: readonly string[] = []): Pick<QueryTerm, 'apart' | 'mayBeCut'> {
  const apart = [...writtenApart(written).map(quote), ...canonical]
  return apart.length === 0 ? { mayBeCut: true } : { apart, mayBeCut: true }
}

/** `keys`: of the terms, in their order. The key of a word is its stem. */
function pairsOf(
  words: readonly { readonly word: string; readonly stem: string; readonly isPart: boolean }[],
  keys: readonly string[],
): readonly QueryPair[] {
  const pairs = new Map<string, QueryPair>()
  for (let i = 1; i < words.length && pairs.size < tuning.maxQueryPairs; i++) {
    const [first, second] = [words[i - 1]!, words[i]!]
    const terms = [keys.indexOf(first.stem), keys.indexOf(second.stem)] as const
    // The parts of one number follow each other in every number that has them.
    if (terms[0] === terms[1] || (first.isPart && second.isPart) || terms.some((term) => term >= tuning.maxQueryTerms))
      continue
    const name = terms.join(' ')
    if (!pairs.has(name)) pairs.set(name, { phrase: quote(`${first.word} ${second.word}`), terms })
  }
  return [...pairs.values()]
}

/** The unfinished last word. It may become a word whose stem does not begin with it. */
export function typedTerm(word: string, stemmer: TextOptions['stemmer']): QueryTerm {
  const phrase = `${quote(word)}*`
  if (stemmer === 'none') return { phrase, word, stems: [word], weight: 1 }
  const { words, beginnings } = completions(word)
  const others = [...words.map(quote), ...beginnings.map((beginning) => `${quote(beginning)}*`)]
  return { phrase, completions: others, word, stems: [word, ...words].map(stem), weight: 1 }
}

/** A MATCH expression for any user text: quoted words joined by OR; empty if the text contains no words [Q1] [Q2]. */
export function matchExpression(text: string): string {
  const { terms } = parseWords(text, {
    prefix: 'none',
    stemmer: 'porter',
    lexical: { commonWordWeight: 0.5, questionWordWeight: 0, units: 'words', statistics: 'scope' },
  })
  return terms.map((term) => term.phrase).join(' OR ')
}

/** 0 for words without a subject: question words and remnants of contractions. Other common words have a low weight. */
export function stopWeight(
  word: string,
  { commonWordWeight, questionWordWeight }: Pick<LexicalTuning, 'commonWordWeight' | 'questionWordWeight'>,
  { question, common }: StopWords = englishStopWords,
): number {
  if (question.has(word)) return questionWordWeight
  return common.has(word) ? commonWordWeight : 1
}

/** The text with line breaks instead of the spans, so that the words around them form no phrase. */
function withoutSpans(text: string, spans: readonly Span[]): string {
  let kept = ''
  let at = 0
  for (const [from, to] of spans) {
    kept += text.slice(at, from) + '\n'.repeat(to - from)
    at = to
  }
  return kept + text.slice(at)
}

/** Text between two double quotes is one phrase. A quote without a partner is a separator. */
function split(text: string): readonly Segment[] {
  const parts = text.split(/["“”„«»]/u)
  const paired = parts.length % 2 === 1 ? parts.length : parts.length - 1
  let at = 0
  return parts.map((part, i) => {
    const from = at
    at += part.length + 1
    return { text: part, from, quoted: i % 2 === 1 && i < paired }
  })
}

interface Segment {
  readonly text: string
  /** Its offset in the whole text. */
  readonly from: number
  readonly quoted: boolean
}

function movedTokens({ text, from: offset }: Segment): readonly Token[] {
  const tokens = tokenise(text)
  return offset === 0 ? tokens : tokens.map(({ word, from, to }) => ({ word, from: from + offset, to: to + offset }))
}

function endsInWord(text: string): boolean {
  const tokens = tokenise(text.slice(-256))
  return tokens.at(-1)?.to === Math.min(text.length, 256)
}
