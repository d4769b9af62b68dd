/**
 * Reads the posting lists of a query's terms and pairs. A term also matches its other forms: completions of a word still being typed,
 * synonyms, joined words and their parts.
 */
import { type KeySet, meet } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan, QueryTerm, TermForm } from '../../../src/core/model/query-plan.ts'
import { cutsOfTerm } from '../../../src/core/query/joined-words.ts'
import { emptyPostingList, type PostingList } from '../../sqlite/fts5/postings-list.ts'
import type { Store } from '../../store/port/store.ts'

/** The records that match a term. Counts are fractions where a part of a word matches. */
export interface TermPostings extends Pick<PostingList, 'keys'> {
  readonly counts: ArrayLike<number>
  readonly titleCounts: ArrayLike<number>
}

export interface QueryPostings {
  /** One list per term, in the order of the terms. */
  readonly terms: readonly TermPostings[]
  /** One list per pair. */
  readonly pairs: readonly PostingList[]
}

type Words = Pick<QueryPlan, 'terms' | 'pairs' | 'joins'>

/** `scopeKeys`: the scope, which decides whether a word or a sequence of words exists. */
export function postingsOf(store: Store, words: Words, scopeKeys: KeySet | null): QueryPostings {
  const { terms, ofWhole, pairs } = listsOf(store, words, scopeKeys)
  return { terms: terms.map((lists, i) => withWhole(mergeLists(lists), ofWhole[i]!)), pairs }
}

/** Whether the scope has a record with the term in any form. */
export function isTermInScope(store: Store, term: QueryTerm, joins: Words['joins'], scopeKeys: KeySet | null): boolean {
  const { terms, ofWhole } = listsOf(store, { terms: [term], pairs: [], joins }, scopeKeys)
  return [...terms, ...ofWhole].flat().some(({ keys }) => isInScope(keys, scopeKeys))
}

/** The lists of each term, with those of its other forms; those of words of which it is a part; and one list per pair. */
function listsOf(store: Store, { terms, pairs, joins }: Words, scopeKeys: KeySet | null) {
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
  const joined = joins.filter(({ always }, i) => always || !exists([ofJoins[i]!]))
  for (const [i, list] of store.postings(joined.map((join) => join.joined)).entries())
    for (const part of joined[i]!.terms) ofTerms[part]!.push(list)
  const ofWhole = terms.map(({ forms = [] }, i) => {
    if (forms.length === 0) return []
    ofTerms[i]!.push(
      ...listsOfForms(
        store,
        forms.filter(({ isWhole }) => isWhole !== true),
      ),
    )
    return listsOfForms(
      store,
      forms.filter(({ isWhole }) => isWhole === true),
    )
  })
  for (const [i, term] of terms.entries()) {
    if (term.mayBeCut === true && !exists([...ofTerms[i]!, ...ofWhole[i]!]))
      ofTerms[i]!.push(...store.postings(cutsOfTerm(term)))
  }
  return { terms: ofTerms, ofWhole, pairs: next(pairs.length) }
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

/** Occurrences that a word counts as that has the term as a part. Measured: docs/quality.md#signs-and-joined-words. */
const partCount = 0.5

/** Adds the records that hold only words of which the term is a part. */
function withWhole(list: PostingList, whole: readonly PostingList[]): TermPostings {
  if (whole.length === 0) return list
  let at = 0
  const added = mergeLists(whole).keys.filter((key) => {
    while (list.keys[at]! < key) at++
    return list.keys[at] !== key
  })
  if (added.length === 0) return list
  const keys = new Uint32Array(list.keys.length + added.length)
  const counts = new Float64Array(keys.length)
  const titleCounts = new Uint8Array(keys.length)
  for (let to = 0, own = 0, other = 0; to < keys.length; to++) {
    // Beyond its end a list has no key, and no comparison holds.
    if (!(list.keys[own]! < (added[other] ?? Number.POSITIVE_INFINITY))) {
      keys[to] = added[other++]!
      counts[to] = partCount
    } else {
      keys[to] = list.keys[own]!
      counts[to] = list.counts[own]!
      titleCounts[to] = list.titleCounts[own++]!
    }
  }
  return { keys, counts, titleCounts }
}

/** Merges lists: one entry per key. Counts add up to at most the maximum of their type. */
function mergeLists(given: readonly PostingList[]): PostingList {
  const lists = given.filter(({ keys }) => keys.length > 0)
  if (lists.length <= 1) return lists[0] ?? emptyPostingList()
  const middle = lists.length >> 1
  return mergeTwo(mergeLists(lists.slice(0, middle)), mergeLists(lists.slice(middle)))
}

function mergeTwo(some: PostingList, others: PostingList): PostingList {
  const most = some.keys.length + others.keys.length
  const keys = new Uint32Array(most)
  const counts = new Uint16Array(most)
  const titleCounts = new Uint8Array(most)
  let length = 0
  for (let i = 0, j = 0; i < some.keys.length || j < others.keys.length; length++) {
    const own = some.keys[i] ?? Number.POSITIVE_INFINITY
    const other = others.keys[j] ?? Number.POSITIVE_INFINITY
    let count = 0
    let titleCount = 0
    if (own <= other) {
      count += some.counts[i]!
      titleCount += some.titleCounts[i++]!
    }
    if (other <= own) {
      count += others.counts[j]!
      titleCount += others.titleCounts[j++]!
    }
    keys[length] = Math.min(own, other)
    counts[length] = Math.min(count, 65535)
    titleCounts[length] = Math.min(titleCount, 255)
  }
  return {
    keys: keys.subarray(0, length),
    counts: counts.subarray(0, length),
    titleCounts: titleCounts.subarray(0, length),
  }
}
