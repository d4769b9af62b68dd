/**
 * Numbers the passages of long records, and counts in which of them a phrase is. The first number of a record is its head: summary, instruction
 * and command. The others are the passages of its body. Numbers ascend with the keys and have no meaning beyond this table.
 */
import { holdsKey } from '../../../src/core/collections/key-set.ts'
import {
  countsByPassage,
  type PassagePostings,
  type PassageStatistics,
  type PassageTable,
} from '../../../src/core/lexical/passage-scores.ts'
import type { PassageShares } from '../../../src/core/model/passage-shares.ts'
import type { KeySet, LexicalStatistics } from '../port/store.ts'
import { numbersOfPassage } from '../../../src/core/text/passages/passage-borders.ts'
import { type LongKeys, noLongKeys, type PostingList } from '../../sqlite/fts5/postings-list.ts'

export interface PassageUnits {
  /** The keys of the long records. */
  longKeys(): LongKeys
  /** Null without long records. */
  table(): PassageTable | null
  /** `given`: of the whole records. `recordLengths`: by key. */
  statistics(
    scope: KeySet | null,
    given: LexicalStatistics,
    recordLengths: Uint32Array,
    by: PassageShares,
  ): PassageStatistics
  /** The passages with a phrase; null if it is in no long record. */
  postings(list: PostingList): PassagePostings | null
  /** `sizes`: the token counts of its columns; `borders`: of the passages. */
  add(key: number, sizes: readonly number[], borders: Uint8Array): void
  remove(key: number): void
  /** To be called after the last of several changes. */
  settle(): void
  bytes(): number
}

/** Columns of the text index. */
const titleColumn = 0
const bodyColumn = 2
const headColumns = [1, 3, 4]

export function createPassageUnits(): PassageUnits {
  let keyOf = new Uint32Array(0)
  let lengths = new Uint32Array(0)
  let wordFrom = new Uint32Array(0)
  let wordTo = new Uint32Array(0)
  let used = 0
  let removed = 0
  let first = new Uint32Array(0)
  let counts = new Uint16Array(0)
  let bits: LongKeys = noLongKeys
  let isChanged = false
  /** How much more a record counts in the statistics than a short one. */
  const surplus = new Map<number, LexicalStatistics>()

  return {
    longKeys: () => bits,
    table: () => (surplus.size === 0 ? null : { first, counts, keyOf, lengths }),
    statistics(scope, given, recordLengths, by) {
      const long = longKeysIn(scope)
      const short = long.reduce((tokens, key) => tokens - recordLengths[key]!, given.tokens)
      const shortRecords = given.records - long.length
      const isMixed = shortRecords * fewestShort >= given.records && shortRecords > 0
      const limits = {
        most: by.most,
        longerThan: isMixed ? (by.lengths * short) / shortRecords : Number.MAX_SAFE_INTEGER,
      }
      let { records, tokens } = given
      for (const key of long) {
        if (!countsByPassage({ ...limits, meanLength: 0 }, { first, counts }, key, recordLengths[key]!)) continue
        const own = surplus.get(key)!
        records += own.records
        tokens += own.tokens
      }
      return { ...limits, meanLength: records === 0 ? 0 : tokens / records }
    },
    postings(list) {
      const { places } = list
      if (places.length === 0) return null
      const units: number[] = []
      const amounts: number[] = []
      const titles: number[] = []
      for (let at = 0; at < places.length; ) {
        const row = places[at]!
        const key = list.keys[row]!
        const head = first[key]! - 1
        const from = at
        while (at < places.length && places[at] === row) at += 2
        if (head >= 0) addRecord(units, amounts, places.subarray(from, at), head, counts[key]!)
        while (titles.length < units.length) titles.push(list.titleCounts[row]!)
      }
      if (units.length === 0) return null
      return {
        keys: Uint32Array.from(units),
        counts: Uint16Array.from(amounts, (amount) => Math.min(amount, 65535)),
        titleCounts: Uint8Array.from(titles),
      }
    },
    add(key, sizes, bytes) {
      isChanged = true
      const borders = new Uint32Array(bytes.slice().buffer)
      const passages = borders.length / numbersOfPassage
      grow(used + passages + 1, key)
      const title = sizes[titleColumn] ?? 0
      const head = headColumns.reduce((sum, column) => sum + (sizes[column] ?? 0), 0)
      first[key] = used + 1
      counts[key] = passages + 1
      const own = { records: -1, tokens: -(title + head + (sizes[bodyColumn] ?? 0)) }
      const addUnit = (words: number, from: number, to: number) => {
        const length = words === 0 ? 0 : words + title
        keyOf[used] = key
        lengths[used] = length
        wordFrom[used] = from
        wordTo[used++] = to
        if (length > 0) own.records++
        own.tokens += length
      }
      addUnit(head, 0, 0)
      for (let i = 0; i < borders.length; i += numbersOfPassage)
        addUnit(borders[i + 3]! - borders[i + 2]!, borders[i + 2]!, borders[i + 3]!)
      surplus.set(key, own)
    },
    remove(key) {
      const own = surplus.get(key)
      if (own === undefined) return
      isChanged = true
      surplus.delete(key)
      removed += counts[key]!
      first[key] = 0
      counts[key] = 0
    },
    settle() {
      if (!isChanged) return
      isChanged = false
      if (removed > leastRemoved && removed * 2 > used) compact()
      let largest = 0
      for (const key of surplus.keys()) largest = Math.max(largest, key)
      bits = new Uint8Array(surplus.size === 0 ? 0 : (largest >> 3) + 1)
      for (const key of surplus.keys()) bits[key >> 3] = bits[key >> 3]! | (1 << (key & 7))
    },
    bytes: () => 16 * keyOf.length + 6 * first.length + bits.length,
  }

  function longKeysIn(scope: KeySet | null): readonly number[] {
    if (scope === null) return [...surplus.keys()]
    if (surplus.size < scope.keys.length) return [...surplus.keys()].filter((key) => holdsKey(scope, key))
    return [...scope.keys].filter((key) => surplus.has(key))
  }

  /** Adds the passages of a record with these places, ascending. */
  function addRecord(units: number[], amounts: number[], places: Uint32Array, head: number, count: number): void {
    const found = new Map<number, number>()
    let inHead = 0
    for (let i = 1; i < places.length; i += 2) {
      const place = places[i]!
      const column = place >>> 24
      if (headColumns.includes(column)) inHead++
      if (column !== bodyColumn) continue
      const word = place & 0xffffff
      // The last passage that begins at the word or before it; those before may overlap with it.
      for (let unit = lastFrom(word, head + 1, head + count); unit > head && wordTo[unit]! > word; unit--)
        found.set(unit, (found.get(unit) ?? 0) + 1)
    }
    if (inHead > 0) found.set(head, inHead)
    for (const unit of [...found.keys()].sort((a, b) => a - b)) {
      units.push(unit)
      amounts.push(found.get(unit)!)
    }
  }

  /** The last unit within [from, to) that begins at the word or before it; `from` − 1 if there is none. */
  function lastFrom(word: number, from: number, to: number): number {
    let low = from
    for (let high = to; low < high; ) {
      const middle = (low + high) >> 1
      if (wordFrom[middle]! <= word) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  function grow(units: number, key: number): void {
    if (units > keyOf.length) {
      const size = Math.max(1024, units, keyOf.length * 2)
      keyOf = enlarged(keyOf, size)
      lengths = enlarged(lengths, size)
      wordFrom = enlarged(wordFrom, size)
      wordTo = enlarged(wordTo, size)
    }
    if (key < first.length) return
    const size = Math.max(1024, key + 1, first.length * 2)
    first = enlarged(first, size)
    const larger = new Uint16Array(size)
    larger.set(counts)
    counts = larger
  }

  /** Gives the numbers of removed passages to others, in the same order. */
  function compact(): void {
    let to = 0
    for (let unit = 0; unit < used; unit++) {
      const key = keyOf[unit]!
      const head = first[key]! - 1
      // The numbers of a record are adjacent, and its first is moved first.
      const isOfRecord = head >= 0 && (unit === head || (to > 0 && keyOf[to - 1] === key && unit > head))
      if (!isOfRecord) continue
      if (unit === head) first[key] = to + 1
      keyOf[to] = key
      lengths[to] = lengths[unit]!
      wordFrom[to] = wordFrom[unit]!
      wordTo[to++] = wordTo[unit]!
    }
    used = to
    removed = 0
  }
}

const leastRemoved = 4096

/** A record of a few passages is long if at least one of so many records is short. */
const fewestShort = 4

function enlarged(list: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size)
  larger.set(list)
  return larger
}
