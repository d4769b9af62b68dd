/**
 * Reads the posting lists of a query's terms and pairs. A term also matches its other forms: completions of a word still being typed,
 * synonyms, joined words and their parts.
 */
import { type KeySet, meet } from '../../../src/core/collections/key-set.ts'
import type { QueryJoin, QueryPlan, QueryTerm, TermForm } from '../../../src/core/model/query-plan.ts'
import { cutsOfTerm } from '../../../src/core/query/joined-words.ts'
import { foldLetters } from '../../../src/core/text/tokenise/fold-letters.ts'
import type { PassagePostings } from '../../../src/core/lexical/passage-scores.ts'
import type { RecordPostings, Store } from '../../store/port/store.ts'

/** The records that match a term. Counts are fractions where a part of a word matches. */
export interface TermPostings extends Pick<RecordPostings, 'keys' | 'passages'> {
  readonly counts: ArrayLike<number>
  readonly titleCounts: ArrayLike<number>
}

export interface QueryPostings {
  /** One list per term, in the order of the terms. */
  readonly terms: readonly TermPostings[]
  /** One list per pair. */
  readonly pairs: readonly RecordPostings[]
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
  const exists = (some: readonly RecordPostings[]) => some.some(({ keys }) => isInScope(keys, scopeKeys))
  const joined = joins.filter(({ always }, i) => always || !exists([ofJoins[i]!]))
  const spellings = joined.flatMap((join) => spellingsOf(join, store).map((phrase) => ({ phrase, terms: join.terms })))
  for (const [i, list] of store.postings(spellings.map(({ phrase }) => phrase)).entries())
    for (const part of spellings[i]!.terms) ofTerms[part]!.push(list)
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

/** The word in the phrase of a join. */
export function joinedWord(joined: string): string {
  return joined.slice(joined.indexOf('"') + 1, -1)
}

/** The phrases of one word in every spelling with the same folded letters. */
export function spellingsOf({ always, joined }: QueryJoin, { forms }: Store): readonly string[] {
  if (!always) return [joined]
  const word = joinedWord(joined)
  const folded = foldLetters(word)
  const others = forms.of(word).filter((form) => foldLetters(form.word) === folded)
  return [joined, ...others.map((form) => joined.replace(word, form.word))]
}

/** The posting lists of word forms, without the records in other languages. */
export function listsOfForms(store: Store, forms: readonly TermForm[]): readonly RecordPostings[] {
  return store
    .postings(forms.map(({ phrase }) => phrase))
    .map((list, i) => inLanguages(list, forms[i]!.languages, store))
}

function inLanguages(
  list: RecordPostings,
  languages: TermForm['languages'],
  { forms, passages }: Store,
): RecordPostings {
  if (languages === null) return list
  const isIn = forms.inLanguages(list.keys, languages)
  const { keyOf } = passages() ?? { keyOf: noKeys }
  const left = list.passages === null ? new Set<number>() : new Set(list.keys.filter((_, i) => isIn[i]))
  return {
    passages: list.passages === null ? null : passagesWhere(list.passages, (unit) => left.has(keyOf[unit]!)),
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
function withWhole(list: RecordPostings, whole: readonly RecordPostings[]): TermPostings {
  if (whole.length === 0) return list
  const all = mergeLists(whole)
  const passages = all.passages === null ? list.passages : withParts(list.passages ?? noPassages, all.passages)
  return { ...withParts(list, all), passages }
}

interface CountedKeys {
  /** Ascending. */
  readonly keys: Uint32Array
  readonly counts: ArrayLike<number>
  readonly titleCounts: ArrayLike<number>
}

/** Adds the keys of `all` that a list lacks; the list itself if it lacks none. */
function withParts<List extends CountedKeys>(list: List, all: CountedKeys) {
  let at = 0
  const added = all.keys.filter((key) => {
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

function passagesWhere(
  { keys, counts, titleCounts }: PassagePostings,
  holds: (unit: number) => boolean,
): PassagePostings {
  const places = Array.from(keys.keys()).filter((i) => holds(keys[i]!))
  return {
    keys: Uint32Array.from(places, (i) => keys[i]!),
    counts: places.map((i) => counts[i]!),
    titleCounts: places.map((i) => titleCounts[i]!),
  }
}

const noKeys = new Uint32Array(0)
const noPassages: PassagePostings = { keys: noKeys, counts: [], titleCounts: [] }
const noPostings: RecordPostings = {
  keys: noKeys,
  counts: new Uint16Array(0),
  titleCounts: new Uint8Array(0),
  passages: null,
}

/** Merges lists: one entry per key. Counts add up to at most the maximum of their type. */
function mergeLists(given: readonly RecordPostings[]): RecordPostings {
  const lists = given.filter(({ keys }) => keys.length > 0)
  if (lists.length === 0) return noPostings
  const passages = lists.flatMap((list) => list.passages ?? [])
  if (lists.length === 1) return lists[0]!
  return { ...merged(lists), passages: passages.length === 0 ? null : merged(passages) }
}

function merged<List extends CountedKeys>(lists: readonly List[]): List | ReturnType<typeof mergeTwo> {
  if (lists.length === 1) return lists[0]!
  const middle = lists.length >> 1
  return mergeTwo(merged(lists.slice(0, middle)), merged(lists.slice(middle)))
}

function mergeTwo(some: CountedKeys, others: CountedKeys) {
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
