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
  const ownPhrases = terms.map((term) => [...phrasesOf(term), ...formsOf(term)])
  // In one call, because lists that are not cached are read together.
  const lists = store.postings([
    ...ownPhrases.flat(),
    ...joins.map(({ always, joined, apart }) => (always ? joined : apart)),
    ...pairs.map(({ phrase }) => phrase),
  ])
  let at = 0
  const next = (count: number) => lists.slice(at, (at += count))
  const ofTerms = ownPhrases.map(({ length }) => next(length))
  const ofJoins = next(joins.length)
  const exists = (some: readonly PostingList[]) => some.some(({ keys }) => isInScope(keys, scopeKeys))
  for (const [i, { always, joined, terms: parts }] of joins.entries()) {
    if (!always && exists([ofJoins[i]!])) continue
    const [list] = always ? [ofJoins[i]!] : store.postings([joined])
    for (const part of parts) ofTerms[part]!.push(list!)
  }
  for (const [i, term] of terms.entries()) {
    if (term.forms !== undefined) ofTerms[i]!.push(...listsOfForms(store, term.forms))
    if (term.mayBeCut === true && !exists(ofTerms[i]!)) ofTerms[i]!.push(...store.postings(cutsOfTerm(term)))
  }
  return {
    terms: ofTerms.map((all) => {
      const own = all.filter((list) => list.keys.length > 0)
      return own.length === 1 ? own[0]! : mergeLists(own)
    }),
    pairs: next(pairs.length),
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
