/**
 * Caches what lexical ranking needs: token counts by key, their exact sums, and posting lists by phrase. Token counts come from
 * FTS5's shadow table. The cache of posting lists is cleared when the text of the store changes.
 */
import type { Database } from '../../sqlite/database.ts'
import type { PostingsReader } from '../../sqlite/fts5/postings.ts'
import { emptyPostingList, type PostingList } from '../../sqlite/fts5/postings-list.ts'
import type { LexicalStatistics, KeySet, WholeStatistics } from '../port/store.ts'
import { createRecentCache } from './recent-cache.ts'

export interface LexicalIndex {
  lengths(): Uint32Array
  statistics(scopeKeys: KeySet | null): LexicalStatistics
  wholeStatistics(): WholeStatistics
  postings(phrases: readonly string[]): readonly PostingList[]
  /** `sizes`: FTS5's row of token counts; null if the text has none. */
  applied(
    added: readonly { readonly key: number; readonly sizes: Uint8Array | null }[],
    removed: readonly number[],
  ): void
  cacheBytes(): number
}

/**
 * Limits of the cache of posting lists. Every posting of 100,000 short records takes about 14 MB. The number of entries is limited,
 * too: lists of unknown words are small, and a store that is only read would cache every word ever queried.
 */
export const postingsCache = Object.freeze({ bytes: 32 * 1024 * 1024, entries: 16_384 })

/** Bytes of an entry besides its lists and its phrase: measured in V8, where a list is three views of three buffers. */
const entryBytes = 96
const listBytes = 560

/** The columns whose tokens count. `paths` and `terms` repeat parts of the other texts. FTS5 itself counts all columns. */
const textColumns = 5
const allColumns = 7

export function createLexicalIndex(database: Database, reader: PostingsReader): LexicalIndex {
  let lengths = new Uint32Array(1024)
  let records = 0
  let tokens = 0
  // The statistics of FTS5's own bm25(), read when a policy first needs them.
  let whole: WholeStatistics | null = null
  const cache = createRecentCache(postingsCache, bytesOf)
  // Entries need no invalidation: every change of the store creates a new `KeySet` (scope-keys.ts).
  const scopedStatistics = new WeakMap<KeySet, LexicalStatistics>()

  const setLength = (key: number, sizes: Uint8Array) => {
    if (key >= lengths.length) {
      const larger = new Uint32Array(Math.max(lengths.length * 2, key + 1024))
      larger.set(lengths)
      lengths = larger
    }
    const length = sumOfVarints(sizes, textColumns)
    lengths[key] = length
    records++
    tokens += length
  }
  database.each(`SELECT id, sz FROM record_fts_docsize`, [], (row) => setLength(row.number(0), row.bytesInPlace(1)))

  return {
    lengths: () => lengths,
    statistics(scopeKeys) {
      if (scopeKeys === null) return { records, tokens }
      const cached = scopedStatistics.get(scopeKeys)
      if (cached !== undefined) return cached
      let scoped = 0
      for (const key of scopeKeys.keys) scoped += lengths[key]!
      const statistics = { records: scopeKeys.keys.length, tokens: scoped }
      scopedStatistics.set(scopeKeys, statistics)
      return statistics
    },
    wholeStatistics() {
      whole ??= readWhole(database, lengths.length)
      return whole
    },
    postings(phrases) {
      const lists: (PostingList | undefined)[] = phrases.map((phrase) => cache.get(phrase))
      if (!lists.includes(undefined)) return lists as PostingList[]
      const missing = [...new Set(phrases.filter((_, i) => lists[i] === undefined))]
      const read = new Map(reader.read(missing).map((list, i) => [missing[i]!, sharedIfEmpty(list)]))
      for (const [phrase, list] of read) cache.add(phrase, list)
      return phrases.map((phrase, i) => lists[i] ?? read.get(phrase)!)
    },
    applied(added, removed) {
      for (const key of removed) {
        records--
        tokens -= lengths[key]!
        lengths[key] = 0
      }
      for (const { key, sizes } of added) if (sizes !== null) setLength(key, sizes)
      if (added.length + removed.length > 0) {
        cache.clear()
        whole = null
      }
    },
    cacheBytes: () => cache.bytes() + lengths.byteLength,
  }
}

function readWhole(database: Database, size: number): WholeStatistics {
  const lengths = new Uint32Array(size)
  let records = 0
  let tokens = 0
  database.each(`SELECT id, sz FROM record_fts_docsize`, [], (row) => {
    const length = sumOfVarints(row.bytesInPlace(1), allColumns)
    lengths[row.number(0)] = length
    records++
    tokens += length
  })
  return { records, tokens, lengths }
}

function bytesOf(phrase: string, list: PostingList): number {
  const own = list === noPostings ? 0 : listBytes
  return (
    entryBytes + 2 * phrase.length + own + list.keys.byteLength + list.counts.byteLength + list.titleCounts.byteLength
  )
}

/** Uses one shared list for all words that occur in no record. */
function sharedIfEmpty(list: PostingList): PostingList {
  return list.keys.length === 0 ? noPostings : list
}

const noPostings = emptyPostingList()

/** Sums the first columns of a docsize row, which has one SQLite varint (big-endian base 128) for each column. */
function sumOfVarints(bytes: Uint8Array, columns: number): number {
  let sum = 0
  let value = 0
  let seen = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 127)
    if (byte >= 128) continue
    sum += value
    value = 0
    if (++seen === columns) break
  }
  return sum
}
