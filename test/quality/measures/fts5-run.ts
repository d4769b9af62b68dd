/**
 * Ranks by SQLite's FTS5 alone: a table per scope with the porter tokenizer, the words of the question joined by OR,
 * ordered by `bm25()`. Question words (Scrubjay's list, for a fair comparison) and Lucene's 33 stop words are left out
 * of the question: the best plain setting found. With only Lucene's left out it ranks worse (locomo .418 instead of
 * .484).
 */
import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
import { questionWords } from '../../../src/core/text/tokenise/stop-words.ts'
import type { Dataset } from '../datasets.ts'
import type { Score } from './metrics.ts'
import { stopWords } from './plain-runs.ts'
import { scoreIds } from './score-all.ts'

export async function runFts5(dataset: Dataset, rows: readonly number[]): Promise<readonly Score[]> {
  const sqlite3 = await sqlite3InitModule()
  const database = new sqlite3.oo1.DB(':memory:')
  try {
    const tables = new Map<string, string>()
    database.exec('BEGIN')
    for (const [i, { scope, title, text }] of dataset.documents.entries()) {
      const table = tables.get(scope) ?? `scope_${tables.size}`
      if (!tables.has(scope)) {
        tables.set(scope, table)
        database.exec(`CREATE VIRTUAL TABLE ${table} USING fts5 (text, tokenize = 'porter unicode61')`)
      }
      database.exec({ sql: `INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, bind: [i + 1, `${title} ${text}`] })
    }
    database.exec('COMMIT')
    return rows.map((i) => {
      const question = dataset.questions[i]!
      const table = tables.get(question.scope)
      const match = matchOf(question.text)
      const ids =
        table === undefined || match === ''
          ? []
          : database
              .selectValues(
                `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY bm25(${table}), rowid LIMIT 10`,
                [match],
              )
              .map((rowid) => dataset.documents[Number(rowid) - 1]?.id ?? '')
      return scoreIds(dataset, i, ids)
    })
  } finally {
    database.close()
  }
}

function matchOf(question: string): string {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)]
    .filter((word) => !stopWords.has(word) && !questionWords.has(word))
    .map((word) => `"${word}"`)
    .join(' OR ')
}
