/** Reads the posting lists of a query's terms and pairs. A word still being typed also matches its completions. */
import type { QueryPlan, QueryTerm } from '../../src/core/model/query-plan.ts'
import type { PostingList } from '../sqlite/fts5/postings-list.ts'
import type { Store } from '../store/port/store.ts'

export interface QueryPostings {
  /** One list per term, in the order of the terms. */
  readonly terms: readonly PostingList[]
  /** One list per pair. */
  readonly pairs: readonly PostingList[]
}

export function postingsOf(store: Store, { terms, pairs }: Pick<QueryPlan, 'terms' | 'pairs'>): QueryPostings {
  const lists = store.postings([...terms.flatMap(phrasesOf), ...pairs.map(({ phrase }) => phrase)])
  let next = 0
  const ofTerms = terms.map((term) => {
    const own = lists.slice(next, (next += phrasesOf(term).length)).filter((list) => list.keys.length > 0)
    return own.length === 1 ? own[0]! : mergeLists(own)
  })
  return { terms: ofTerms, pairs: lists.slice(next) }
}

/** All FTS5 phrases that match the term. */
export function phrasesOf({ phrase, completions = [] }: QueryTerm): readonly string[] {
  return [phrase, ...completions]
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
