/** The records that hold a term of a query: its phrase, and for a word still being typed what its stem would hide; and its pairs. */
import type { QueryPlan, QueryTerm } from '../../src/core/model/query-plan.ts'
import type { PostingList } from '../sqlite/fts5/postings-list.ts'
import type { Store } from '../store/port/store.ts'

export interface QueryPostings {
  /** One list a term, in their order. */
  readonly terms: readonly PostingList[]
  /** One list a pair. */
  readonly pairs: readonly PostingList[]
}

export function postingsOf(store: Store, { terms, pairs }: Pick<QueryPlan, 'terms' | 'pairs'>): QueryPostings {
  const lists = store.postings([...terms.flatMap(phrasesOf), ...pairs.map(({ phrase }) => phrase)])
  let next = 0
  const ofTerms = terms.map((term) => {
    const own = lists.slice(next, (next += phrasesOf(term).length)).filter((list) => list.keys.length > 0)
    return own.length === 1 ? own[0]! : united(own)
  })
  return { terms: ofTerms, pairs: lists.slice(next) }
}

/** Every FTS5 phrase that counts as the term. */
export function phrasesOf({ phrase, completions = [] }: QueryTerm): readonly string[] {
  return [phrase, ...completions]
}

/** One list of all keys; occurrences add up, to the most that a list can say. */
function united(lists: readonly PostingList[]): PostingList {
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
