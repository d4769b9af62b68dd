/** suggest: completes what was typed, with words and titles of the scope's records. */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import { topCounts } from '../../../src/core/collections/top-counts.ts'
import type { SuggestRequest } from '../../../src/core/model/query.ts'
import type { FacetCount, Suggestion } from '../../../src/core/model/receipts.ts'
import { tuning } from '../../../src/core/model/tuning.ts'
import { parseSuggest } from '../../../src/core/query/parse-query.ts'
import { quote } from '../../../src/core/query/phrases.ts'
import { foldTitle, readBeginning } from '../../../src/core/query/suggested-beginning.ts'
import { foldLetters } from '../../../src/core/text/tokenise/fold-letters.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { nearWords } from '../../retrieval/words/typos.ts'
import type { KeySet, Store } from '../../store/port/store.ts'
import { matching } from '../common/matching.ts'
import { checkDeclared } from '../common/scope.ts'

/** A word or title, with the number of records of the whole store that hold it: at least that of the scope. */
interface Candidate {
  readonly name: string
  readonly records: number
}

interface Source {
  /** Most records first. */
  candidates(from: number, limit: number): readonly Candidate[]
  /** Number of records of the scope for each candidate. */
  count(candidates: readonly Candidate[], scopeKeys: KeySet): readonly number[]
  /** The suggestions. */
  textOf(name: string): string
}

export function suggest(store: Store, prefix: string, input?: SuggestRequest): readonly Suggestion[] {
  const { scope = {}, limit = tuning.defaultSuggestLimit } = parseSuggest(prefix, input)
  checkDeclared(scope, store)
  const { before, word, folded } = readBeginning(prefix)
  if (folded === '') return []
  return store.reading(() => {
    const scopeKeys = matching(store, scope, before)
    const completed = (beginnings: readonly string[]) => {
      const whole = (beginning: string) =>
        folded.slice(0, folded.length - foldLetters(word).length) + foldLetters(beginning)
      const words = beginnings.map((beginning) => wordsFrom(store, before, beginning))
      const titles = [...new Set(beginnings.map(whole))].map((beginning) => titlesFrom(store, beginning))
      return together(word === '' ? [] : top(words, scopeKeys, limit), top(titles, scopeKeys, limit), limit)
    }
    const found = completed(word === '' ? [word] : [word, ...store.forms.beginningsOf(word)])
    if (found.length > 0 || word === '') return found
    const near = nearWords(store, word, true).filter(({ edits }) => edits === 1)
    return completed([...new Set(near.map((one) => one.word))])
  })
}

function wordsFrom({ vocabulary, postings }: Store, before: string, beginning: string): Source {
  const known = new Map<number, ReadonlySet<string>>()
  const wordsOf = (key: number) => {
    const words = known.get(key) ?? vocabulary.wordsOf(key)
    known.set(key, words)
    return words
  }
  return {
    candidates: (from, limit) =>
      vocabulary.beginning(beginning, from, limit).map(({ word, records }) => ({ name: word, records })),
    count: (words, scopeKeys) => {
      const counts = countsWithin(scopeKeys)
      const unknown = words.filter(({ name }) => !counts.has(name))
      const lists = postings(unknown.map(({ name }) => quote(name)))
      for (const [i, { name, records }] of unknown.entries()) {
        const { keys } = lists[i]!
        const inside = keys.filter((key) => holdsKey(scopeKeys, key))
        // The list has the records that hold a form of the word. If the word has no other form, the texts need not be read.
        const isOnly = keys.length === records
        counts.set(name, isOnly ? inside.length : inside.filter((key) => wordsOf(key).has(name)).length)
      }
      return words.map(({ name }) => counts.get(name)!)
    },
    textOf: (name) => before + name,
  }
}

/** The counts of words that were found for a scope. The store makes its keys again at each change. */
const countsOfScopes = new WeakMap<KeySet, Map<string, number>>()

function countsWithin(scopeKeys: KeySet): Map<string, number> {
  const counts = countsOfScopes.get(scopeKeys) ?? new Map<string, number>()
  countsOfScopes.set(scopeKeys, counts)
  return counts
}

function titlesFrom({ titles }: Store, beginning: string): Source {
  return {
    candidates: (from, limit) =>
      titles.beginning(beginning, from, limit).map(({ title, records }) => ({ name: title, records })),
    count: (given, scopeKeys) =>
      given.map(({ name }) => titles.keys(name).filter((key) => holdsKey(scopeKeys, key)).length),
    textOf: (name) => name,
  }
}

/** The most frequent of several sources, each text once. */
function top(sources: readonly Source[], scopeKeys: KeySet | null, limit: number): readonly FacetCount[] {
  const found = sources.flatMap((source) => mostFrequent(source, scopeKeys, limit))
  return topCounts(new Map(found.map((one) => [one.value, one])).values(), limit)
}

/** Words and titles. A title that is a suggested word is left out. */
function together(words: readonly FacetCount[], titles: readonly FacetCount[], limit: number): readonly Suggestion[] {
  const known = new Set(words.map(({ value }) => foldTitle(String(value))))
  const others = titles.filter(({ value }) => !known.has(foldTitle(String(value))))
  return topCounts([...words, ...others], limit).map(({ value, count }) => ({ text: String(value), records: count }))
}

/** Counts the most frequent candidates of the store first, until no other one can have as many records of the scope. */
function mostFrequent(source: Source, scopeKeys: KeySet | null, limit: number): readonly FacetCount[] {
  let top: readonly FacetCount[] = []
  for (let from = 0, some = limit; ; from += some, some *= 2) {
    const candidates = source.candidates(from, some)
    const counts = scopeKeys === null ? candidates.map(({ records }) => records) : source.count(candidates, scopeKeys)
    const found = candidates.map(({ name }, i) => ({ value: source.textOf(name), count: counts[i]! }))
    top = topCounts([...top, ...found.filter(({ count }) => count > 0)], limit)
    if (candidates.length < some || isBefore(top[limit - 1], candidates.at(-1)!, source)) return top
  }
}

/** Whether an entry comes before all candidates after this one, however many records of the scope they have. */
function isBefore(entry: FacetCount | undefined, { name, records }: Candidate, { textOf }: Source): boolean {
  if (entry === undefined || entry.count !== records) return entry !== undefined && entry.count > records
  return compareCodePoints(String(entry.value), textOf(name)) <= 0
}
