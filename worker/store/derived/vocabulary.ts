/**
 * Reads the vocabulary: the words of all texts as they are written, with the number of records that hold each. The words of one first
 * letter are kept in memory once a search needed them, and so are the words near a typed one, until the texts of the store change.
 */
import { isUnspaced } from '../../../src/core/query/phrases.ts'
import { eachNear, forgivenEdits } from '../../../src/core/similarity/edits.ts'
import { above } from '../../scheduling/stored-order.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { NearWord, Vocabulary } from '../port/vocabulary.ts'
import { heldWords, textsOfRecord, wordsOf } from '../rows/vocabulary-rows.ts'
import { after } from './after.ts'
import { createRecentCache } from './recent-cache.ts'

/** Limits of the cache of words near typed ones. */
export const nearCache = Object.freeze({ bytes: 1024 * 1024, entries: 4096 })

export function createVocabulary(database: Database): Vocabulary {
  const byLetter = new Map<string, readonly string[]>()
  let letters: readonly string[] | null = null
  let bytes = 0

  const wordsWith = (letter: string) => {
    const known = byLetter.get(letter)
    if (known !== undefined) return known
    // As one text, because reading a thousand rows takes longer than the search in them.
    const joined = first(database, wordsSql, [letter, after(letter)], (row) => row.text(0)) ?? ''
    const words = joined === '' ? [] : joined.split(' ').sort()
    byLetter.set(letter, words)
    bytes += words.reduce((sum, word) => sum + wordBytes + 2 * word.length, 0)
    return words
  }
  const count = (word: string) =>
    first(database, `SELECT records FROM vocabulary WHERE word = ?`, [word], (row) => row.number(0)) ?? 0
  /** Those of the texts with which a word begins. */
  const heldBeginnings = (texts: readonly string[]) => {
    const ranges = texts.map((text) => [text, after(text)])
    return all(database, heldBeginningsSql, [JSON.stringify(ranges)], (row) => row.text(0))
  }
  const nearTo = (typed: string, asBeginning: boolean): readonly NearWord[] => {
    const most = forgivenEdits(typed)
    if (most === 0) return []
    const near: NearWord[] = []
    const words = wordsWith(typed[0]!)
    eachNear(words, typed, most, (length, index, edits) => {
      const word = words[index]!
      if (edits === 0 || (!asBeginning && length < word.length)) return
      near.push({ word: word.slice(0, length), edits: edits as 1 | 2, isSameFirst: true })
    })
    if (most < 2) return near
    letters ??= firstLetters(database).filter((letter) => !isUnspaced(letter))
    const others = [...withOtherFirst(typed, letters)]
    for (const word of asBeginning ? heldBeginnings(others) : heldWords(database, others))
      near.push({ word, edits: 1, isSameFirst: false })
    return near
  }
  const nearWords = createRecentCache<string, readonly NearWord[]>(nearCache, (typed, near) =>
    near.reduce((sum, { word }) => sum + nearBytes + 2 * word.length, nearBytes + 2 * typed.length),
  )

  return {
    near(typed, asBeginning) {
      const key = asBeginning ? `${typed}*` : typed
      const cached = nearWords.get(key)
      if (cached !== undefined) return cached
      const near = nearTo(typed, asBeginning)
      nearWords.add(key, near)
      return near
    },
    records: count,
    beginning: (folded, from, limit, below = after(folded)) =>
      all(database, beginningSql, [folded, below, limit, from], (row) => ({
        word: row.text(0),
        records: row.number(1),
      })),
    wordsOf: (key) => wordsOf(database, key),
    held: (words) => new Set(heldWords(database, words)),
    isHeldAsText(keys, isText) {
      for (const key of keys)
        if (textsOfRecord(database, key).some((text) => text !== null && isText(text))) return true
      return false
    },
    isHeld(keys, isWord) {
      for (const key of keys) for (const word of wordsOf(database, key)) if (isWord(word)) return true
      return false
    },
    clear() {
      byLetter.clear()
      nearWords.clear()
      letters = null
      bytes = 0
    },
    bytes: () => bytes + nearWords.bytes(),
  }
}

const wordsSql = `SELECT group_concat(word, ' ') FROM vocabulary WHERE word >= ? AND word < ?`
// The text order of SQLite is that of code points.
const beginningSql = `SELECT word, records FROM vocabulary WHERE word >= ? AND word < ?
  ORDER BY records DESC, word LIMIT ? OFFSET ?`

const heldBeginningsSql = `SELECT value ->> 0 FROM json_each(?)
  WHERE EXISTS (SELECT 1 FROM vocabulary WHERE word >= value ->> 0 AND word < value ->> 1)`

/** Bytes of a word besides its letters, in V8. */
const wordBytes = 24
/** Bytes of a word near a typed one besides its letters, in V8. */
const nearBytes = 96

/** One edit away, with another first letter: it was left out, added or replaced, or exchanged with the second. */
function withOtherFirst(typed: string, letters: readonly string[]): ReadonlySet<string> {
  const rest = typed.slice(1)
  const words = [rest, typed[1]! + typed[0]! + typed.slice(2)]
  for (const letter of letters) words.push(letter + typed, letter + rest)
  return new Set(words.filter((word) => word[0] !== typed[0]))
}

function firstLetters(database: Database): readonly string[] {
  const letters: string[] = []
  for (let from = ''; ; from = after(letters.at(-1)!)) {
    const word = first(database, `SELECT min(word) FROM vocabulary WHERE word >= ?`, [from], (row) => row.textOrNull(0))
    if (word == null) return letters
    letters.push(above(letters.at(-1) ?? '', String.fromCodePoint(word.codePointAt(0)!)))
  }
}
