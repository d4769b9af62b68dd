/**
 * Reads posting lists with ordinary statements over FTS5's vocabulary table (`fts5vocab`, instance). Used for builds of SQLite in
 * which the bridge's feature test fails, and as the reference of that test and of the bridge's tests: the same bytes, but slow.
 * FTS5 tokenises the phrases in a temporary table with the same tokenizer. Both temporary tables are in the connection's temp schema,
 * are created again if a rollback removed them, and change the results of `sqlite3_changes` and `last_insert_rowid`.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { SqliteModule } from '../types.ts'
import { emptyPostingList, type LongKeys, noLongKeys, type PostingList, type PostingsReader } from './postings-list.ts'
import { type Phrase, parsePhrase } from './postings-phrase.ts'
import { runOnce } from './postings-statement.ts'

/** One occurrence of a word: the name of its column, and its offset in words from 0. */
interface Occurrence {
  readonly key: number
  readonly column: string
  readonly offset: number
}

/** Opens a plain reader of a detail=full FTS5 table in the main schema. `fallbackReason`: why the bridge is not used. */
export function createPlainReader(
  sqlite3: SqliteModule,
  database: number,
  table: string,
  fallbackReason: string,
): PostingsReader {
  const { capi } = sqlite3
  const run = (sql: string, values: readonly (string | number)[] = [], visit?: (statement: number) => void) =>
    runOnce(sqlite3, database, sql, values, visit)
  const words = `temp."${table}_plain_words"`
  const places = `temp."${table}_plain_places"`
  const tokens = `temp."${table}_plain_tokens"`
  const columnNames = readText(
    `SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info(?1) ORDER BY cid)`,
    table,
  ).split(',')
  const titleColumn = columnNames[0]
  // The tokenizer option exactly as in the table's definition; without one, both tables use FTS5's default.
  const definition = readText('SELECT sql FROM main.sqlite_schema WHERE name = ?1', table)
  const tokenizer = /,\s*tokenize\s*=\s*(?:'(?:[^']|'')*'|"(?:[^"]|"")*")/i.exec(definition)?.[0] ?? ''
  let closed = false

  return {
    mode: 'plain',
    fallbackReason,
    read(phrases, long = noLongKeys) {
      if (closed) throw recallError('CLOSED', 'The posting reader is closed')
      const parsed = phrases.map(parsePhrase)
      createTables()
      const wordsByPhrase = tokenise(parsed)
      return parsed.map(({ prefix, columns }, i) => {
        const found = occurrencesOf(wordsByPhrase[i] ?? [], prefix)
        return listOf(columns === null ? found : found.filter(({ column }) => columns.includes(column)), long)
      })
    },
    close() {
      if (closed) return
      closed = true
      dropTables()
    },
  }

  function readText(sql: string, value: string): string {
    let text = ''
    run(sql, [value], (statement) => {
      text = capi.sqlite3_column_text(statement, 0)
    })
    if (text === '') throw recallError('INVALID_ARGUMENT', 'The main schema has no such table', { value })
    return text
  }

  function createTables(): void {
    run(`CREATE VIRTUAL TABLE IF NOT EXISTS ${places} USING fts5vocab(main, "${table}", instance)`)
    run(`CREATE VIRTUAL TABLE IF NOT EXISTS ${words} USING fts5(text${tokenizer})`)
    run(`CREATE VIRTUAL TABLE IF NOT EXISTS ${tokens} USING fts5vocab(temp, "${table}_plain_words", instance)`)
  }

  function dropTables(): void {
    for (const name of [tokens, words, places]) run(`DROP TABLE IF EXISTS ${name}`)
  }

  /** The words of each phrase, in order, as the index stores them. */
  function tokenise(phrases: readonly Phrase[]): string[][] {
    const wordsByPhrase: string[][] = phrases.map(() => [])
    try {
      for (const [i, phrase] of phrases.entries()) {
        run(`INSERT INTO ${words}(rowid, text) VALUES (?1, ?2)`, [i, phrase.text])
      }
      run(`SELECT doc, term FROM ${tokens} ORDER BY doc, "offset"`, [], (statement) => {
        wordsByPhrase[capi.sqlite3_column_double(statement, 0)]?.push(capi.sqlite3_column_text(statement, 1))
      })
    } finally {
      run(`DELETE FROM ${words}`)
    }
    return wordsByPhrase
  }

  /** Where the phrase begins: occurrences of its first word that all other words follow at their distance. */
  function occurrencesOf(phraseWords: readonly string[], prefix: boolean): Occurrence[] {
    let begins: Occurrence[] | null = null
    for (const [distance, word] of phraseWords.entries()) {
      const next = placesOf(word, prefix && distance === phraseWords.length - 1)
      if (begins === null) begins = next
      else {
        const names = new Set(next.map((place) => nameOf(place, 0)))
        begins = begins.filter((place) => names.has(nameOf(place, distance)))
      }
    }
    return begins ?? []
  }

  function placesOf(word: string, prefix: boolean): Occurrence[] {
    const occurrences: Occurrence[] = []
    // No word contains U+10FFFF, because it is not a letter. So it is an upper bound of all words with the prefix.
    const condition = prefix ? 'term >= ?1 AND term < ?1 || char(1114111)' : 'term = ?1'
    run(`SELECT doc, col, "offset" FROM ${places} WHERE ${condition}`, [word], (statement) => {
      occurrences.push({
        key: capi.sqlite3_column_double(statement, 0),
        column: capi.sqlite3_column_text(statement, 1),
        offset: capi.sqlite3_column_double(statement, 2),
      })
    })
    return occurrences
  }

  function listOf(occurrences: readonly Occurrence[], long: LongKeys): PostingList {
    if (occurrences.length === 0) return emptyPostingList()
    const tallies = new Map<number, { count: number; titleCount: number }>()
    for (const { key, column } of occurrences) {
      const tally = tallies.get(key) ?? { count: 0, titleCount: 0 }
      tally.count++
      if (column === titleColumn) tally.titleCount++
      tallies.set(key, tally)
    }
    const rows = [...tallies].sort(([some], [other]) => some - other)
    for (const [key] of rows) {
      if (key < 0 || key > 0xffffffff)
        throw recallError('STORE_CORRUPT', 'A rowid has more than 32 bits', { value: key })
    }
    return {
      keys: Uint32Array.from(rows, ([key]) => key),
      counts: Uint16Array.from(rows, ([, { count }]) => Math.min(count, 65535)),
      titleCounts: Uint8Array.from(rows, ([, { titleCount }]) => Math.min(titleCount, 255)),
      places: placesIn(occurrences, new Map(rows.map(([key], i) => [key, i])), long),
    }
  }

  function placesIn(occurrences: readonly Occurrence[], rowOf: ReadonlyMap<number, number>, long: LongKeys) {
    const places = occurrences
      .filter(({ key }) => ((long[key >>> 3] ?? 0) >> (key & 7)) & 1)
      .map(({ key, column, offset }) => [rowOf.get(key)!, columnNames.indexOf(column) * 2 ** 24 + offset] as const)
      .sort(([someRow, some], [otherRow, other]) => someRow - otherRow || some - other)
    return Uint32Array.from(places.flat())
  }
}

function nameOf(place: Occurrence, distance: number): string {
  return `${place.key} ${place.offset + distance} ${place.column}`
}
