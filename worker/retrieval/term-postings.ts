/**
 * Reads the posting lists of a query's terms and pairs. A term also matches its other forms: completions of a word still being typed,
 * synonyms, joined words and their parts.
 */
import { meet } from '../../src/core/collections/key-set.ts'
import type { QueryPlan, QueryTerm, TermForm } from '../../src/core/model/query-plan.ts'
import { cutsOfTerm } from '../../src/core/query/joined-words.ts'
import type { PostingList } from '../sqlite/fts5/postings-list.ts'
import type { KeySet, Store } from '../store/port/store.ts'

export interface QueryPostings {
  /** One list per term, in the order of the terms. */
  readonly terms: readonly PostingList[]
  /** One list per pair. */
  readonly pairs: readonly PostingList[]
}

/** `scopeKeys`: the keys in scope, which decide whether a word or a sequence of words exists. */
export function postingsOf(
  store: Store,
  { terms, pairs, joins }: Pick<QueryPlan, 'terms' | 'pairs' | 'joins'>,
  scopeKeys: KeySet | null,
): QueryPostings {
  const phrases = [
    ...terms.flatMap((term) => [...phrasesOf(term), ...formsOf(term)]),
    ...joins.map(({ always, joined, apart }) => (always ? joined : apart)),
    ...pairs.map(({ phrase }) => phrase),
  ]
  const byPhrase = new Map(store.postings(phrases).map((list, i) => [phrases[i]!, list]))
  const exists = (lists: readonly PostingList[]) => lists.some(({ keys }) => isInScope(keys, scopeKeys))
  const ofTerms = terms.map((term) => [...phrasesOf(term), ...formsOf(term)].map((phrase) => byPhrase.get(phrase)!))
  const joined = joins.filter(({ always, apart }) => always || !exists([byPhrase.get(apart)!]))
  for (const [i, list] of store.postings(joined.map((join) => join.joined)).entries())
    for (const term of joined[i]!.terms) ofTerms[term]!.push(list)
  for (const [i, { forms = [] }] of terms.entries()) ofTerms[i]!.push(...listsOfForms(store, forms))
  for (const [i, term] of terms.entries())
    if (term.mayBeCut === true && !exists(ofTerms[i]!)) ofTerms[i]!.push(...store.postings(cutsOfTerm(term)))
  return {
    terms: ofTerms.map((lists) => {
      const own = lists.filter((list) => list.keys.length > 0)
      return own.length === 1 ? own[0]! : mergeLists(own)
    }),
    pairs: pairs.map(({ phrase }) => byPhrase.get(phrase)!),
  }
}

/** The posting lists of word forms, without the records in other languages. */
export function listsOfForms(store: Store, forms: readonly TermForm[]): readonly PostingList[] {
  return store
    .postings(forms.map(({ phrase }) => phrase))
    .map((list, i) => inLanguages(list, forms[i]!.languages, store))
}

function inLanguages(list: PostingList, languages: TermForm['languages'], { forms }: Store): PostingList {
  if (languages === null) return list
  const isIn = forms.inLanguages(list.keys, languages)
  return {
    keys: list.keys.filter((_, i) => isIn[i]),
    counts: list.counts.filter((_, i) => isIn[i]),
    titleCounts: list.titleCounts.filter((_, i) => isIn[i]),
  }
}

/** The FTS5 phrases of the term itself. */
export function phrasesOf({ phrase, completions = [] }: QueryTerm): readonly string[] {
  return [phrase, ...completions]
}

/** The FTS5 phrases of its other forms. */
export function formsOf({ apart = [], synonyms = [] }: QueryTerm): readonly string[] {
  return [...apart, ...synonyms.map(({ phrase }) => phrase)]
}

export function isInScope(keys: Uint32Array, scopeKeys: KeySet | null): boolean {
  return scopeKeys === null ? keys.length > 0 : meet(keys, scopeKeys)
}

/** Merges lists: one entry per key. Counts add up to at most the maximum of their type. */
function mergeLists(lists: readonly PostingList[]): PostingList {
  const tallies = new Map<number, { count: number; titleCount: number }>()
  for (const { keys, counts, titleCounts } of lists) {
    for (const [i, key] of keys.entries()) {
      const tally = tallies.get(key) ?? { count: 0, titleCount: 0 }
      tally.count += counts[i]!
      tally.titleCount += titleCounts[i]!
      tallies.set(key, tally)
    }
  }
  const rows = [...tallies].sort(([some], [other]) => some - other)
  return {
    keys: Uint32Array.from(rows, ([key]) => key),
    counts: Uint16Array.from(rows, ([, { count }]) => Math.min(count, 65535)),
    titleCounts: Uint8Array.from(rows, ([, { titleCount }]) => Math.min(titleCount, 255)),
  }
}
