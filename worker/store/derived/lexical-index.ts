/**
 * Caches what lexical ranking needs: token counts by key, their exact sums, and posting lists by phrase. Token counts come from
 * FTS5's shadow table. The cache of posting lists is cleared when the text of the store changes.
 */
import type { Database } from '../../sqlite/database.ts'
import type { PostingsReader } from '../../sqlite/fts5/postings.ts'
import { emptyPostingList, type PostingList } from '../../sqlite/fts5/postings-list.ts'
import type { PassageShares } from '../../../src/core/model/passage-shares.ts'
import type { PassageStatistics, PassageTable } from '../../../src/core/lexical/passage-scores.ts'
import type { LexicalStatistics, KeySet, RecordPostings, WholeStatistics } from '../port/store.ts'
import { createPassageUnits } from './passage-units.ts'
import { createRecentCache } from './recent-cache.ts'

export interface LexicalIndex {
  lengths(): Uint32Array
  statistics(scopeKeys: KeySet | null): LexicalStatistics
  wholeStatistics(): WholeStatistics
  passages(): PassageTable | null
  passageStatistics(scopeKeys: KeySet | null, by: PassageShares): PassageStatistics
  postings(phrases: readonly string[]): readonly RecordPostings[]
  /** `sizes`: FTS5's row of token counts; null if the text has none. `passages`: the borders of several passages. */
  applied(
    added: readonly { readonly key: number; readonly sizes: Uint8Array | null; readonly passages: Uint8Array | null }[],
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
  let lastPassages: {
    readonly of: KeySet | null
    readonly by: PassageShares
    readonly counted: PassageStatistics
  } | null = null
  const units = createPassageUnits()

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
  database.each(longSql, [], (row) => units.add(row.number(0), numbersIn(row.bytesInPlace(1)), row.bytesInPlace(2)))
  units.settle()

  const statistics = (scopeKeys: KeySet | null): LexicalStatistics => {
    if (scopeKeys === null) return { records, tokens }
    const cached = scopedStatistics.get(scopeKeys)
    if (cached !== undefined) return cached
    let scoped = 0
    for (const key of scopeKeys.keys) scoped += lengths[key]!
    const counted = { records: scopeKeys.keys.length, tokens: scoped }
    scopedStatistics.set(scopeKeys, counted)
    return counted
  }

  return {
    lengths: () => lengths,
    statistics,
    passages: units.table,
    passageStatistics(scopeKeys, by) {
      if (lastPassages?.of !== scopeKeys || lastPassages.by !== by)
        lastPassages = { of: scopeKeys, by, counted: units.statistics(scopeKeys, statistics(scopeKeys), lengths, by) }
      return lastPassages.counted
    },
    wholeStatistics() {
      whole ??= readWhole(database, lengths.length)
      return whole
    },
    postings(phrases) {
      const lists: (RecordPostings | undefined)[] = phrases.map((phrase) => cache.get(phrase))
      if (!lists.includes(undefined)) return lists as RecordPostings[]
      const missing = [...new Set(phrases.filter((_, i) => lists[i] === undefined))]
      const read = new Map(reader.read(missing, units.longKeys()).map((list, i) => [missing[i]!, withPassages(list)]))
      for (const [phrase, list] of read) cache.add(phrase, list)
      return phrases.map((phrase, i) => lists[i] ?? read.get(phrase)!)
    },
    applied(added, removed) {
      for (const key of removed) {
        records--
        tokens -= lengths[key]!
        lengths[key] = 0
        units.remove(key)
      }
      for (const { key, sizes, passages } of added) {
        if (sizes === null) continue
        setLength(key, sizes)
        if (passages !== null) units.add(key, numbersIn(sizes), passages)
      }
      units.settle()
      if (added.length + removed.length > 0) {
        cache.clear()
        whole = null
        lastPassages = null
      }
    },
    cacheBytes: () => cache.bytes() + lengths.byteLength + units.bytes(),
  }

  /** Uses one shared list for all words that occur in no record. */
  function withPassages(list: PostingList): RecordPostings {
    if (list.keys.length === 0) return noPostings
    const { keys, counts, titleCounts } = list
    return { keys, counts, titleCounts, passages: units.postings(list) }
  }
}

/** In the order of keys, as passages are numbered. */
const longSql = `SELECT passages.key, sz, borders FROM passages JOIN record_fts_docsize ON id = passages.key ORDER BY passages.key`

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

function bytesOf(phrase: string, list: RecordPostings): number {
  const own = list === noPostings ? 0 : listBytes
  const { keys, counts, titleCounts, passages } = list
  const ofPassages = passages === null ? 0 : listBytes + bytesPerPassage * passages.keys.length
  return (
    entryBytes + 2 * phrase.length + own + keys.byteLength + counts.byteLength + titleCounts.byteLength + ofPassages
  )
}

/** Its number, its count and that of the title. */
const bytesPerPassage = 7

const noPostings: RecordPostings = { ...emptyPostingList(), passages: null }

/** Sums the first columns of a docsize row. */
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

/** The columns of a docsize row, which has one SQLite varint (big-endian base 128) for each. */
function numbersIn(bytes: Uint8Array): readonly number[] {
  const numbers: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 127)
    if (byte >= 128) continue
    numbers.push(value)
    value = 0
  }
  return numbers
}
