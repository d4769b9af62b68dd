/**
 * Looks up the word forms of a query's terms: words of the scope's records that are forms of a term in the languages of the store, and
 * compounds of it with another word of the scope.
 */
import type { QueryPlan, QueryTerm, TermForm } from '../../src/core/model/query-plan.ts'
import { inFields, quote } from '../../src/core/query/phrases.ts'
import { stem } from '../../src/core/text/tokenise/stem.ts'
import type { Members, Store } from '../store/port/store.ts'
import { isInScope } from './term-postings.ts'

/** A word has rarely more; the first by code points count. */
const mostForms = 128

/** The plan with the forms of its terms. The same plan in a store in English alone, and for policies that reproduce another library. */
export function withForms(plan: QueryPlan, store: Store, members: Members | null): QueryPlan {
  const { units, statistics } = plan.policy.lexical
  if (!store.forms.hasForms || units !== 'words' || statistics !== 'scope') return plan
  const withOwn = (term: QueryTerm) => withFormsOf(term, plan.fields ?? null, store, members)
  return {
    ...plan,
    terms: plan.terms.map(withOwn),
    typed: plan.typed === null ? null : { ...plan.typed, complete: plan.typed.complete.map(withOwn) },
  }
}

/** A quoted phrase and a time are found as they are written. */
export function withFormsOf(
  term: QueryTerm,
  fields: Parameters<typeof inFields>[1],
  store: Store,
  members: Members | null,
): QueryTerm {
  if (!store.forms.hasForms || term.forms !== undefined || term.optional === true || term.word.includes(' '))
    return term
  const stemOf = (word: string) => (store.settings.stemmer === 'porter' ? stem(word) : word)
  const isInIndex = (phrase: string) => isInScope(store.postings([phrase])[0]!.keys, members)
  // What the index counts as the same word must not count twice.
  const counted = new Set([stemOf(term.word)])
  const isFound = (word: string) => term.phrase.endsWith('*') && word.startsWith(term.word)
  const forms: TermForm[] = []
  const add = (word: string, languages: TermForm['languages']) => {
    const phrase = inFields(quote(word), fields)
    if (forms.length === mostForms || counted.has(stemOf(word)) || isFound(word) || !isInIndex(phrase)) return
    counted.add(stemOf(word))
    forms.push({ phrase, word, languages })
  }
  const own = store.forms.of(term.word)
  for (const { word, languages } of own) add(word, languages)
  const isKnown = (word: string) =>
    isInIndex(quote(word)) || store.forms.of(word).some((form) => isInIndex(quote(form.word)))
  for (const part of [term.word, ...own.map(({ word }) => word)])
    for (const { word, others } of store.forms.compoundsOf(part)) if (others.some(isKnown)) add(word, null)
  return forms.length === 0
    ? term
    : { ...term, forms, stems: [...term.stems, ...forms.map(({ word }) => stemOf(word))] }
}
