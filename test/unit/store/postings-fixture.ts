/**
 * A small store of the engine's shape for the posting tests, and a naive oracle that counts words in JavaScript.
 * Invented words (`q17x`) pass the stemmer unchanged; the English ones come with the stem SQLite gives them.
 */
import init, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { PostingList } from '../../../worker/sqlite/fts5/postings.ts'

export const columns = ['title', 'summary', 'body', 'instruction', 'command', 'paths', 'terms'] as const
export type Columns = readonly string[]

export interface PostingsFixture {
  readonly sqlite3: Sqlite3Static
  readonly pointer: number
  /** The current rows of the table, by key. */
  readonly records: Map<number, Columns>
  exec(sql: string): void
  put(key: number, record: Columns): void
  remove(key: number): void
  rows(sql: string, bind: readonly string[]): unknown[][]
  /** Rowids that MATCH returns, ascending. */
  matches(expression: string): number[]
  close(): void
}

const list = columns.join(', ')
const news = columns.map((column) => `new.${column}`).join(', ')
const olds = columns.map((column) => `old.${column}`).join(', ')
const schema = `
CREATE TABLE record(key INTEGER PRIMARY KEY, ${list});
CREATE VIRTUAL TABLE record_fts USING fts5(${list}, content='record', content_rowid='key',
  tokenize='porter unicode61 remove_diacritics 2');
CREATE TRIGGER record_insert AFTER INSERT ON record BEGIN
  INSERT INTO record_fts(rowid, ${list}) VALUES (new.key, ${news}); END;
CREATE TRIGGER record_delete AFTER DELETE ON record BEGIN
  INSERT INTO record_fts(record_fts, rowid, ${list}) VALUES ('delete', old.key, ${olds}); END;`

let loading: Promise<Sqlite3Static> | null = null

/** One SQLite module for the whole test file, as in a worker. */
export function loadSqlite(): Promise<Sqlite3Static> {
  loading ??= init()
  return loading
}

export async function openFixture(): Promise<PostingsFixture> {
  const sqlite3 = await loadSqlite()
  const database = new sqlite3.oo1.DB(':memory:')
  // The same hardening as for the engine's own connections.
  sqlite3.capi.sqlite3_db_config(database.pointer!, sqlite3.capi.SQLITE_DBCONFIG_DEFENSIVE, 1, 0 as never)
  database.exec(
    'PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY',
  )
  database.exec(schema)
  const insert = database.prepare(`INSERT INTO record(key, ${list}) VALUES (?${', ?'.repeat(columns.length)})`)
  const remove = database.prepare('DELETE FROM record WHERE key = ?')
  const records = new Map<number, Columns>()
  const removeRecord = (key: number) => {
    records.delete(key)
    remove.bind([key]).stepReset()
  }
  return {
    sqlite3,
    pointer: database.pointer!,
    records,
    exec: (sql) => void database.exec(sql),
    put(key, record) {
      if (records.has(key)) removeRecord(key)
      records.set(key, record)
      insert.bind([key, ...record]).stepReset()
    },
    remove: removeRecord,
    rows: (sql, bind) => database.selectArrays(sql, [...bind]),
    matches: (expression) =>
      database.selectValues('SELECT rowid FROM record_fts WHERE record_fts MATCH ?', [expression]) as number[],
    close() {
      insert.finalize()
      remove.finalize()
      database.close()
    },
  }
}

/** A repeatable source of numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const inflected = ['cells', 'cell', 'studies', 'study', 'running', 'runs', 'café', 'cafe', 'flowing', 'memories']
const stems: Readonly<Record<string, string>> = {
  cells: 'cell',
  studies: 'studi',
  study: 'studi',
  running: 'run',
  runs: 'run',
  café: 'cafe',
  flowing: 'flow',
  memories: 'memori',
}
const bigrams = ['東京', '京都', '都市', '記憶']

/** A record whose words follow a steep frequency curve, with the empty columns real records have. */
export function createRecord(random: () => number): Columns {
  const word = (): string => {
    const draw = random()
    if (draw < 0.04) return 'the'
    if (draw < 0.14) return inflected[Math.floor(random() * inflected.length)]!
    if (draw < 0.16) return bigrams[Math.floor(random() * bigrams.length)]!
    return `q${Math.floor(600 * random() ** 2)}x`
  }
  const text = (length: number) => Array.from({ length }, word).join(' ')
  const body = text(8 + Math.floor(random() * 14))
  return [
    text(1 + Math.floor(random() * 4)),
    random() < 0.2 ? text(3) : '',
    `the ${body}`,
    '',
    random() < 0.1 ? text(2) : '',
    '',
    text(1),
  ]
}

/** Every invented word that records may hold, the English ones, the bigrams, and a few that no record holds. */
export function everyPhrase(): string[] {
  const made = Array.from({ length: 440 }, (_, i) => `q${i}x`)
  return [...made, 'the', ...inflected, ...bigrams, 'absent', 'nowhere'].map((word) => `"${word}"`)
}

/** Phrases of several words and prefixes, with frequent and rare members. */
export const compoundPhrases: readonly string[] = [
  '"q0x q1x"',
  '"the q2x"',
  '"the the"',
  '"cells running"',
  '"running cells q0x"',
  '"東京 京都"',
  '"q599x q598x q597x"',
  '"q1"*',
  '"q59"*',
  '"ru"*',
  '"東"*',
  '"the q1"*',
  '"the q0x q"*',
  '"absen"*',
  '"q"*',
  '{title} : "the"',
  '{body terms} : "q0x q1x"',
  '{title paths} : "q1"*',
  '{title summary body instruction command paths terms} : "q2x"',
]

/** Counts by brute force what a reader must return for the current records. */
export function createOracle(records: ReadonlyMap<number, Columns>): (phrase: string) => PostingList {
  const stemmed = [...records]
    .sort(([some], [other]) => some - other)
    .map(([key, record]) => ({ key, columns: record.map((text) => text.split(' ').filter(Boolean).map(stem)) }))
  // Only to skip records that lack the first word; prefixes of one word check all.
  const holders = new Map<string, Set<(typeof stemmed)[number]>>()
  for (const record of stemmed) {
    for (const word of record.columns.flat()) holders.set(word, (holders.get(word) ?? new Set()).add(record))
  }
  return (expression) => {
    const [, names, phrase = ''] = /^(?:\{([a-z ]+)\} : )?(".*)$/s.exec(expression) ?? []
    const isCounted = columns.map((name) => names?.split(' ').includes(name) ?? true)
    const prefix = phrase.endsWith('*')
    const wanted = phrase
      .slice(1, prefix ? -2 : -1)
      .split(' ')
      .map(stem)
    const last = wanted.length - 1
    const begins = (column: readonly string[], at: number) =>
      wanted.every((word, i) => (prefix && i === last ? column[at + i]?.startsWith(word) : column[at + i] === word))
    const candidates = prefix && last === 0 ? stemmed : [...(holders.get(wanted[0]!) ?? [])]
    const rows = candidates
      .map(({ key, columns }) => {
        const counts = columns.map((column, i) =>
          isCounted[i] === true ? column.filter((_, at) => begins(column, at)).length : 0,
        )
        return { key, count: counts.reduce((sum, count) => sum + count, 0), title: counts[0]! }
      })
      .filter(({ count }) => count > 0)
    return {
      keys: Uint32Array.from(rows, ({ key }) => key),
      counts: Uint16Array.from(rows, ({ count }) => Math.min(count, 65535)),
      titleCounts: Uint8Array.from(rows, ({ title }) => Math.min(title, 255)),
      places: new Uint32Array(0),
    }
  }
}

function stem(word: string): string {
  return stems[word] ?? word
}
