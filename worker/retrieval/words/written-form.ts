/**
 * Puts the written form of a word first: in a short question, a record that has only another form of a word (organization for organ) counts as if
 * it had the word half as often. Reads the words of few records, so a word that many records have counts the same in every form.
 */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan, QueryTerm } from '../../../src/core/model/query-plan.ts'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import { joinedWord, type TermPostings } from './term-postings.ts'

/** The posting lists of the terms, in their order, with less of the records that have only other forms. `otherWords`: words that are not terms. */
export function withWrittenForms(
  { terms, joins }: Pick<QueryPlan, 'terms' | 'joins'>,
  otherWords: number,
  lists: readonly TermPostings[],
  store: Store,
  scopeKeys: KeySet | null,
): readonly TermPostings[] {
  const isLong = otherWords + terms.filter(({ optional }) => optional !== true).length > mostWords
  const isOfName = ({ written }: QueryTerm) => written !== undefined && terms.length <= mostTerms
  if (isLong)
    return lists.map((list, i) => (isOfName(terms[i]!) ? withWrittenName(terms[i]!, list, store, scopeKeys) : list))
  const joinedOf = (i: number) => joins.flatMap((join) => (join.terms.includes(i) ? [[joinedWord(join.joined)]] : []))
  return lists.map((list, i) =>
    isOfName(terms[i]!)
      ? withWrittenName(terms[i]!, list, store, scopeKeys)
      : isPlainWord(terms[i]!)
        ? withWrittenForm(terms[i]!, joinedOf(i), list, store, scopeKeys)
        : list,
  )
}

/** Records with the unfinished last word as a whole come before those with a longer one. */
export function withTypedWord(
  terms: readonly QueryTerm[],
  typed: string,
  lists: readonly TermPostings[],
  store: Store,
): readonly TermPostings[] {
  return lists.map((list, i) => {
    const { word, phrase } = terms[i]!
    if (word !== typed || !phrase.endsWith('*')) return list
    const whole = new Set(store.postings([phrase.slice(0, -1)])[0]!.keys)
    return withLower(
      list,
      Array.from(list.keys.keys()).filter((at) => !whole.has(list.keys[at]!)),
      store,
    )
  })
}

/**
 * Names that signs join: parse_config_file, not parse-config-file. Of a number, a record that has neither the written form nor another one of it has
 * only its parts: 10, 4, 0 for 10.4.0.
 */
function withWrittenName(
  { written, apart = [] }: QueryTerm,
  list: TermPostings,
  store: Store,
  scopeKeys: KeySet | null,
): TermPostings {
  const places = placesIn(list, scopeKeys)
  if (places.length < 2 || places.length > mostNames) return list
  const isWritten = (text: string) => text.toLowerCase().includes(written!)
  const others = new Set(store.postings(apart).flatMap(({ keys }) => [...keys]))
  return withLower(
    list,
    places.filter((i) => !others.has(list.keys[i]!) && !store.vocabulary.isHeldAsText([list.keys[i]!], isWritten)),
    store,
    places.length,
    /^v?\d[^a-z]*$/.test(written!) ? 0 : otherForm,
  )
}

/** Longer questions are prose, in which forms follow from the grammar. */
const mostWords = 2

/** What is read at most for a word. */
const mostRecords = 256
const mostTokens = 50_000
const mostNames = 32
const mostTerms = 12

/** What an occurrence of another form counts. */
const otherForm = 0.5

function isPlainWord({ mayBeCut, weight, share, synonyms }: QueryTerm): boolean {
  return mayBeCut === true && weight >= 1 && share === undefined && synonyms === undefined
}

function withWrittenForm(
  term: QueryTerm,
  joined: readonly (readonly string[])[],
  list: TermPostings,
  store: Store,
  scopeKeys: KeySet | null,
): TermPostings {
  const { word, forms = [] } = term
  const places = placesIn(list, scopeKeys)
  const lengths = store.lengths()
  const tokens = places.reduce((sum, i) => sum + lengths[list.keys[i]!]!, 0)
  if (places.length < 2 || places.length > mostRecords || tokens > mostTokens) return list
  if (store.vocabulary.records(word) === 0) return list
  const stemOf = (one: string) => (store.settings.stemmer === 'porter' ? stem(one) : one)
  const others = [...joined, ...forms.flatMap((form) => (form.isWhole === true ? [] : [form.word.split(' ')]))]
  const isOther = (one: string) => one[0] === word[0] && stemOf(one) === stemOf(word)
  const lower = places.filter((i) => {
    const held = store.vocabulary.wordsOf(list.keys[i]!)
    const holdsAll = (parts: readonly string[]) => parts.every((part) => part.length === 1 || held.has(part))
    return !held.has(word) && (others.some(holdsAll) || [...held].some(isOther))
  })
  return withLower(list, lower, store, places.length)
}

function placesIn({ keys }: TermPostings, scopeKeys: KeySet | null): readonly number[] {
  return Array.from(keys, (_, i) => i).filter((i) => scopeKeys === null || holdsKey(scopeKeys, keys[i]!))
}

/** The list with less of the records at some places; the list itself if these are none, or all. */
function withLower(
  list: TermPostings,
  lower: readonly number[],
  store: Store,
  all = list.keys.length,
  share = otherForm,
): TermPostings {
  if (lower.length === 0 || lower.length === all) return list
  const counts = Float64Array.from(list.counts)
  const titleCounts = Float64Array.from(list.titleCounts)
  for (const i of lower) {
    counts[i] = counts[i]! * share
    titleCounts[i] = titleCounts[i]! * share
  }
  return { keys: list.keys, counts, titleCounts, passages: lowerPassages(list, lower, store, share) }
}

/** A passage of a record without the word has only other forms. */
function lowerPassages({ keys, passages }: TermPostings, lower: readonly number[], store: Store, share: number) {
  const table = store.passages()
  if (passages === null || table === null) return passages
  const lowerKeys = new Set(lower.map((i) => keys[i]!))
  const less = (counts: ArrayLike<number>) =>
    Float64Array.from(passages.keys, (unit, i) => counts[i]! * (lowerKeys.has(table.keyOf[unit]!) ? share : 1))
  return { keys: passages.keys, counts: less(passages.counts), titleCounts: less(passages.titleCounts) }
}
