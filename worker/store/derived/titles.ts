/**
 * Finds titles by their beginning. The titles of one first letter, or of the first two, are kept in memory once a search needed them, until
 * the texts of the store change.
 */
import { topCounts } from '../../../src/core/collections/top-counts.ts'
import { foldTitle } from '../../../src/core/query/suggested-beginning.ts'
import { above } from '../../scheduling/stored-order.ts'
import { all, type Database, first } from '../../sqlite/database.ts'
import type { TitleCount, Titles } from '../port/vocabulary.ts'
import { after } from './after.ts'

interface FoldedTitle extends TitleCount {
  readonly folded: string
}

export function createTitles(database: Database): Titles {
  const byBeginning = new Map<string, readonly FoldedTitle[]>()
  let letters: readonly string[] | null = null
  let bytes = 0

  /** The titles that may begin like a folded text, whose first letter this one folds to. */
  const titlesLike = (letter: string, folded: string) => {
    const two = /^[a-z\d]{2}/.exec(folded)?.[0] ?? ''
    const isPlain = two.startsWith(letter)
    const beginning = isPlain ? two : letter
    const known = byBeginning.get(beginning)
    if (known !== undefined) return known
    const titles = isPlain
      ? // A second letter outside of ASCII may fold to this one.
        [...titlesFrom(two, after(two)), ...titlesFrom(`${letter}\u0080`, afterLetter(letter))]
      : titlesFrom(letter, afterLetter(letter))
    byBeginning.set(beginning, titles)
    bytes += titles.reduce((sum, { title, folded: own }) => sum + titleBytes + 2 * (title.length + own.length), 0)
    return titles
  }
  const titlesFrom = (from: string, to: string): readonly FoldedTitle[] => {
    // As one text, because reading a thousand rows takes longer than the search in them.
    const json = first(database, titlesSql, [from, to], (row) => row.text(0)) ?? '[]'
    return (JSON.parse(json) as [string, number][]).map(([title, records]) => ({
      title,
      records,
      folded: foldTitle(title),
    }))
  }

  return {
    beginning(folded, from, limit) {
      letters ??= firstLetters(database)
      const found: FoldedTitle[] = []
      for (const letter of letters) {
        if (!foldTitle(letter).startsWith(folded.slice(0, 1))) continue
        for (const title of titlesLike(letter, folded)) if (title.folded.startsWith(folded)) found.push(title)
      }
      const counts = found.map(({ title, records }) => ({ value: title, count: records }))
      const top = topCounts(counts, from + limit).slice(from)
      return top.map(({ value, count }) => ({ title: String(value), records: count }))
    },
    keys: (title) =>
      Uint32Array.from(all(database, keysSql, [title, title], (row) => row.number(0)).sort((a, b) => a - b)),
    clear() {
      byBeginning.clear()
      letters = null
      bytes = 0
    },
    bytes: () => bytes,
  }
}

// The index of titles ignores the case of A to Z.
const titlesSql = `SELECT json_group_array(json_array(title, records)) FROM (
  SELECT title, count(*) AS records FROM records WHERE title COLLATE NOCASE >= ? AND title COLLATE NOCASE < ?
  GROUP BY title COLLATE NOCASE, title)`
const keysSql = `SELECT key FROM records WHERE title COLLATE NOCASE = ? AND title = ?`

/** Bytes of a title besides its letters, in V8. */
const titleBytes = 120

function firstLetters(database: Database): readonly string[] {
  const letters: string[] = []
  for (let from = ''; ; from = afterLetter(letters.at(-1)!)) {
    const title = first(
      database,
      `SELECT title FROM records WHERE title COLLATE NOCASE >= ? ORDER BY title COLLATE NOCASE LIMIT 1`,
      [from],
      (row) => row.text(0),
    )
    if (title === undefined) return letters
    const letter = title === '' ? '\0' : String.fromCodePoint(title.codePointAt(0)!).replace(/[A-Z]/, lower)
    letters.push(above(letters.at(-1) ?? '', letter))
  }
}

function lower(letter: string): string {
  return letter.toLowerCase()
}

/** The first text after all that begin with the letter. In the order of the index A to Z are the same as a to z. */
function afterLetter(letter: string): string {
  return letter === '@' ? '[' : after(letter)
}
