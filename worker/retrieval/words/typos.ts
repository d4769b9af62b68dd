/**
 * Corrects words of a query that no record of the scope holds in any form, from the words of the scope's records. Which word is taken
 * depends on the records of the scope alone.
 */
import { placesOf } from '../../../src/core/collections/key-set.ts'
import type { QueryPlan } from '../../../src/core/model/query-plan.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { type Correction, correctedTerm, correctWords, type Sought } from '../../../src/core/query/correct-words.ts'
import { areOfOneFamily, isKnownWord } from '../../../src/core/query/known-words.ts'
import { isUnspaced, quote } from '../../../src/core/query/phrases.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import type { NearWord } from '../../store/port/vocabulary.ts'
import { isInScope, isTermInScope, postingsOf } from './term-postings.ts'

/** The plan with corrected words; the same plan if it has none. */
export function withCorrections(plan: QueryPlan, store: Store, scopeKeys: KeySet | null): QueryPlan {
  if (!plan.needs.typos || plan.query.typos === 'off') return plan
  const corrections = correctionsOf(plan, store, scopeKeys)
  return corrections.size === 0 ? plan : correctWords(plan, corrections, store.settings.stemmer)
}

/** By the typed word, folded. */
export function correctionsOf(asked: Asked, store: Store, scopeKeys: KeySet | null): ReadonlyMap<string, Correction> {
  const corrections = new Map<string, Correction>()
  // Words that were looked for in the vocabulary, with or without success.
  const sought = new Set<string>()
  const asWritten = new Set(asked.asWritten)
  for (const [i, term] of asked.terms.entries()) {
    if (term.optional === true || isHeld(asked, i, store, scopeKeys)) continue
    const words = term.word.split(' ')
    const beginning = words.length === 1 && isBeginning(term.phrase)
    for (const word of words) {
      if (sought.size === tuning.maxQueryTypos || sought.has(word) || asWritten.has(word) || !isCorrectable(word))
        continue
      if (isInScope(store.postings([quote(word) + (beginning ? '*' : '')])[0]!.keys, scopeKeys)) continue
      if (isHeldAsForm(word, store, scopeKeys)) continue
      sought.add(word)
      const correction = correctionOf(asked, word, beginning, store, scopeKeys)
      if (correction !== null) corrections.set(word, correction)
    }
  }
  return corrections
}

interface Asked extends Pick<QueryPlan, 'terms' | 'joins' | 'asWritten'>, Sought {}

/** Words with numbers are names of something. */
function isCorrectable(word: string): boolean {
  return word.length <= 32 && /^\p{L}{4,}$/u.test(word) && !isUnspaced(word) && !/[\ud800-\udfff]/.test(word)
}

/** Whether a record of the scope holds the word or phrase, or one of the forms that count as it. */
function isHeld({ terms, joins }: Asked, i: number, store: Store, scopeKeys: KeySet | null): boolean {
  const term = terms[i]!
  if (isInScope(store.postings([term.phrase])[0]!.keys, scopeKeys)) return true
  const own = joins.filter((join) => join.terms.includes(i)).map((join) => ({ ...join, terms: [0] }))
  return isTermInScope(store, term, own, scopeKeys)
}

function isHeldAsForm(word: string, store: Store, scopeKeys: KeySet | null): boolean {
  const phrases = store.forms.of(word).map((form) => quote(form.word))
  return store.postings(phrases).some(({ keys }) => isInScope(keys, scopeKeys))
}

function isBeginning(phrase: string): boolean {
  return phrase.endsWith('*')
}

/** Words that may have been meant: none for a word of a language of the store; for a word of English only those of its family. */
export function nearWords(store: Store, typed: string, beginning: boolean): readonly NearWord[] {
  if (store.forms.isListed(typed)) return []
  const near = store.vocabulary.near(typed, beginning)
  if (!isWordOfStore(store, typed)) return near
  return near.filter(({ word }) => areOfOneFamily(typed, word))
}

/** Whether it is a word of a language of the store, as far as these are known. */
function isWordOfStore({ settings, forms }: Store, typed: string): boolean {
  return forms.isListed(typed) || (settings.languages.includes('en') && isKnownWord(typed))
}

/** The best word: fewest edits, the same first letter, the same letters in another order, most records of the scope, then code points. */
function correctionOf(
  sought: Sought,
  typed: string,
  beginning: boolean,
  store: Store,
  scopeKeys: KeySet | null,
): Correction | null {
  const near = nearWords(store, typed, beginning).filter(({ word }) => !/\p{N}/u.test(word))
  // Of two beginnings the shorter has more records, so the one of the typed length comes first.
  const rankOf = ({ word, edits, isSameFirst }: NearWord) =>
    (edits * 2 + (isSameFirst ? 0 : 1)) * 64 + (beginning ? Math.abs(word.length - typed.length) : 0)
  const ranked = near.map((one) => ({ ...one, rank: rankOf(one) })).sort((a, b) => a.rank - b.rank)
  for (let from = 0; from < ranked.length; ) {
    const { rank } = ranked[from]!
    const equal = ranked.filter((one) => one.rank === rank)
    from += equal.length
    const found = equal
      .map(({ word, edits }) => ({ as: word, edits, isBeginning: beginning }))
      .map((correction) => ({ correction, records: recordsOf(correction, sought, store, scopeKeys) }))
      .filter(({ records }) => records > 0)
      .map((one) => ({ ...one, isExchange: sorted(one.correction.as) === sorted(typed) }))
      .sort(
        (a, b) =>
          Number(b.isExchange) - Number(a.isExchange) ||
          b.records - a.records ||
          compareCodePoints(a.correction.as, b.correction.as),
      )
    if (found.length > 0) return found[0]!.correction
  }
  return beginning ? null : longerThan(sought, typed, store, scopeKeys)
}

/** Of a long word that is a word of no known language: the words that begin with it, such as compounds. */
function longerThan(sought: Sought, typed: string, store: Store, scopeKeys: KeySet | null): Correction | null {
  if (typed.length < leastBeginning || isWordOfStore(store, typed)) return null
  const beginnings = [typed, ...store.forms.beginningsOf(typed)].map(
    (as) => ({ as, edits: 1, isBeginning: true }) as const,
  )
  return beginnings.find((correction) => recordsOf(correction, sought, store, scopeKeys) > 0) ?? null
}

const leastBeginning = 6

function sorted(word: string): string {
  return Array.from(word).sort().join('')
}

/** Records of the scope that the word finds; 0 if none holds the word as it is written. */
function recordsOf(correction: Correction, { policy }: Sought, store: Store, scopeKeys: KeySet | null): number {
  const { as } = correction
  const term = correctedTerm(correction, { policy }, 1, store.settings.stemmer)
  const { keys } = postingsOf(store, { terms: [term], pairs: [], joins: [] }, null).terms[0]!
  if (scopeKeys === null) return keys.length
  const places = new Uint32Array(keys.length)
  const inside = places.subarray(0, placesOf(keys, scopeKeys, places)).map((place) => keys[place]!)
  if (inside.length === 0) return 0
  // Other records than those that hold the word as it is written hold another form of it.
  const others = correction.isBeginning ? keys.length : keys.length - store.vocabulary.records(as)
  if (inside.length > others) return inside.length
  const isWord = (word: string) => (correction.isBeginning ? word.startsWith(as) : word === as)
  return store.vocabulary.isHeld(inside, isWord) ? inside.length : 0
}
