/**
 * Looks up the word forms of a query's terms: words of the scope's records that are forms of a term in the languages of the store,
 * compounds of it with another word of the scope, and words of which the term is a part.
 */
import type { HeldBack, QueryPlan, QueryTerm, TermForm } from '../../../src/core/model/query-plan.ts'
import { typedTerm } from '../../../src/core/query/parse-text.ts'
import { inFields, quote } from '../../../src/core/query/phrases.ts'
import { exactForm } from '../../../src/core/text/tokenise/irregular-forms.ts'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import type { RecordPostings } from '../../store/port/store.ts'
import type { FormOfWord } from '../../store/port/forms.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import {
  isWrittenSo,
  longerWords,
  transcribed,
  withApostrophe,
  withArticles,
  withDots,
  withSoftHyphens,
} from './other-spellings.ts'
import { isInScope, joinedWord, listsOfForms } from './term-postings.ts'

type Fields = Parameters<typeof inFields>[1]

/** Letters of a part of a compound that no record of the scope has. */
const leastUnknown = 4

/** Letters of a word that is hardly by chance in a longer one: the other part may have one letter less. */
const evident = 6

/** A word has rarely more; the first by code points count. */
const mostForms = 128

/** The plan with the forms of its terms, except those of `formed`. The same plan for policies that reproduce another library. */
export function withForms(
  plan: QueryPlan,
  store: Store,
  scopeKeys: KeySet | null,
  formed: QueryPlan | null = null,
): QueryPlan {
  const { units, statistics } = plan.policy.lexical
  if (units !== 'words' || statistics !== 'scope') return plan
  const { terms, typed } = plan
  readForms(store, { ...plan, terms: [...terms, ...(typed?.complete ?? [])] })
  const done = new Set(formed === null ? [] : [...formed.terms, ...(formed.typed?.complete ?? [])])
  const withOwn = (term: QueryTerm) =>
    done.has(term) ? term : withFormsOf(term, plan.fields ?? null, store, scopeKeys)
  return {
    ...plan,
    terms: terms.map(withOwn),
    typed: typed === null ? null : { ...typed, complete: typed.complete.map(withOwn) },
  }
}

/** Reads the forms of all words at once, because each statement takes time. */
export function readForms(
  { forms }: Store,
  { terms, joins, without = [] }: Pick<QueryPlan, 'terms' | 'joins' | 'without'>,
): void {
  const words = [...terms.map(({ word }) => word.split(' ')), ...without.map((entry) => entry.words)].flat()
  forms.read([...words, ...joins.flatMap(({ always, joined }) => (always ? joinedWord(joined) : []))])
}

/** A time is found as it is written. */
export function withFormsOf(term: QueryTerm, fields: Fields, store: Store, scopeKeys: KeySet | null): QueryTerm {
  if (term.forms !== undefined || term.optional === true) return term
  const forms = term.word.includes(' ')
    ? formsOfPhrase(term.word.split(' '), fields, store, scopeKeys)
    : store.forms.kept([term.word, term.phrase, fields, term.mayBeCut].join('\n'), scopeKeys, () =>
        formsOfWord(term, fields, store, scopeKeys),
      )
  if (forms.length === 0) return term
  const stemOfForm = (word: string) => (exactForm(word) === word ? stemOf(store)(word) : exactForm(word))
  // Of a word with an apostrophe only the longest part is marked: `an` of Qur'an is a word of its own elsewhere.
  const marked = (parts: string[]) =>
    term.word.includes(' ') ? parts : [parts.reduce((some, part) => (part.length > some.length ? part : some))]
  const stems = forms.flatMap(({ word }) => marked(word.split(' ')).map(stemOfForm))
  return { ...term, forms, stems: [...term.stems, ...stems] }
}

/**
 * Excluded words and phrases match forms, too: the words of an entry in any form, one after the other. Neither compounds count nor words of which
 * a word is a part.
 */
export function listsOfExcluded({ phrases, words }: HeldBack, store: Store): readonly RecordPostings[] {
  return [...store.postings(phrases), ...listsOfForms(store, formsOfPhrase(words, null, store, null))]
}

/** By key, the number from 1 of the first entry of `plan.without` that the record contains. */
export function keysWithExcluded({ without = [] }: QueryPlan, store: Store): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>()
  for (const [i, entry] of without.entries()) {
    for (const { keys } of listsOfExcluded(entry, store))
      for (const key of keys) if (!numbers.has(key)) numbers.set(key, i + 1)
  }
  return numbers
}

/** Other spellings of the phrase in the scope: words that follow each other and are forms of its words. */
function formsOfPhrase(
  words: readonly string[],
  fields: Fields,
  store: Store,
  scopeKeys: KeySet | null,
): readonly TermForm[] {
  if (words.every((word) => store.forms.of(word).length === 0)) return []
  const key = (spelling: readonly string[]) => spelling.map(stemOf(store)).join(' ')
  const counted = new Set([key(words)])
  let spellings: readonly FormOfWord[] = [{ word: '', languages: null }]
  for (const word of words) {
    const typed = { word, languages: null }
    // Of spellings that the index counts as one, the reason names the one that is written.
    const own = store.vocabulary.records(word) > 0 ? [typed, ...store.forms.of(word)] : [...store.forms.of(word), typed]
    spellings = spellings
      .flatMap((before) =>
        own.map((next) => ({
          word: before.word === '' ? next.word : `${before.word} ${next.word}`,
          languages: inBoth(before.languages, next.languages),
        })),
      )
      // The beginning of a phrase that occurs occurs, too.
      .filter(
        ({ word: spelling, languages }) =>
          languages?.length !== 0 && isInScope(store.postings([inFields(quote(spelling), fields)])[0]!.keys, scopeKeys),
      )
      .slice(0, mostForms)
  }
  return spellings.flatMap(({ word, languages }) => {
    const own = key(word.split(' '))
    // A phrase that the index counts as the same one must not count twice.
    if (counted.has(own)) return []
    counted.add(own)
    return [{ phrase: inFields(quote(word), fields), word, languages }]
  })
}

function inBoth(some: TermForm['languages'], others: TermForm['languages']): TermForm['languages'] {
  if (some === null || others === null) return some ?? others
  return some.filter((tag) => others.includes(tag))
}

function stemOf({ settings }: Store): (word: string) => string {
  return (word) => (settings.stemmer === 'porter' ? stem(word) : word)
}

function formsOfWord(term: QueryTerm, fields: Fields, store: Store, scopeKeys: KeySet | null): readonly TermForm[] {
  const stemOfWord = stemOf(store)
  const isInIndex = (phrase: string) => isInScope(store.postings([phrase])[0]!.keys, scopeKeys)
  // A word that the index counts as the same one must not count twice.
  const counted = new Set([stemOfWord(term.word)])
  const isTyped = term.phrase.endsWith('*')
  const forms: TermForm[] = []
  const found = isTyped ? [term.word] : []
  for (const word of isTyped ? store.forms.beginningsOf(term.word) : []) {
    // The index has the stem of the typed word as a beginning.
    if (forms.length >= mostForms || word.startsWith(stemOfWord(term.word))) continue
    const { phrase, completions = [] } = typedTerm(word, store.settings.stemmer)
    for (const own of [phrase, ...completions])
      if (isInIndex(own)) forms.push({ phrase: inFields(own, fields), word, languages: null })
    found.push(word)
  }
  const isFound = (word: string) => found.some((beginning) => word.startsWith(beginning))
  const add = (word: string, languages: TermForm['languages'], own: Pick<TermForm, 'isWhole'> = {}) => {
    const phrase = inFields(quote(exactForm(word)), fields)
    if (forms.length === mostForms || counted.has(stemOfWord(word)) || isFound(word) || !isInIndex(phrase)) return
    counted.add(stemOfWord(word))
    forms.push({ phrase, word, languages, ...own })
  }
  if (isTyped || term.mayBeCut === true)
    for (const word of withApostrophe(term, fields, store, scopeKeys))
      forms.push({ phrase: inFields(quote(word) + (isTyped ? '*' : ''), fields), word, languages: null })
  const unknown: string[] = []
  if (!isTyped) for (const word of withArticles(term.word)) add(word, null)
  const own = store.forms.of(term.word)
  for (const { word, languages } of own) add(word, languages)
  const isKnown = (word: string) =>
    isInIndex(quote(word)) || store.forms.of(word).some((form) => isInIndex(quote(form.word)))
  const compoundsOf = (part: string) =>
    store.forms.compoundsOf(part).flatMap(({ word, others }) => {
      if (others.some(isKnown)) return word
      const least = part.length < evident ? leastUnknown : leastUnknown - 1
      if (others.some(({ length }) => length >= least)) unknown.push(word)
      return []
    })
  for (const part of [term.word, ...own.map(({ word }) => word)]) for (const word of compoundsOf(part)) add(word, null)
  // A compound that no record has is looked for by its parts.
  if (forms.length + unknown.length === 0 && term.mayBeCut === true && !isInIndex(term.phrase)) {
    for (const word of store.forms.partsOf(term.word)) add(word, null, { isWhole: true })
    for (const other of transcribed(term.word))
      for (const word of [other, ...store.forms.of(other).map((form) => form.word), ...compoundsOf(other)])
        if (other.length >= term.word.length || isWrittenSo(word, store)) add(word, null)
    for (const word of withDots(term.word, store))
      forms.push({ phrase: inFields(quote(word), fields), word, languages: null })
    for (const word of longerWords(term.word, store)) add(word, null)
    for (const word of withSoftHyphens(term.word, store, isInIndex)) add(word, null)
  }
  // The other part need not be a word of the scope, but then it may be no compound, and counts less.
  for (const word of unknown) add(word, null, { isWhole: true })
  // Between quotes a word stands for itself.
  const whole = term.mayBeCut === true || isTyped ? store.forms.withPart(term.word) : []
  // Many lists are read faster at once.
  for (let from = 0; from < whole.length && forms.length < mostForms; from += mostForms) {
    const some = whole.slice(from, from + mostForms)
    store.postings(some.map((word) => inFields(quote(word), fields)))
    for (const word of some) add(word, null, { isWhole: true })
  }
  return forms
}
