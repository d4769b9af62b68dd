/** Compares the oracles' BM25 with bm25() of SQLite on random stores, phrases and repeated ones included. */
import init from '@sqlite.org/sqlite-wasm'
import { expect, it } from 'vitest'
import { textFields } from '../../../src/core/model/record.ts'
import { createRandom } from '../../support/data/random.ts'
import { type OracleRecord, oracleRecordOf } from '../../support/oracles/oracle-record.ts'
import { plainBm25, plainBm25Constants } from '../../support/oracles/plain-bm25.ts'
import { indexedText } from '../../support/oracles/plain-text.ts'
import { randomWalk } from '../../support/oracles/random-store.ts'

const seeds = Array.from({ length: 20 }, (_, i) => 8100 + i)
const phrases = ['alpha', 'run', 'running', 'src/auth.py', 'auth.py', 'CAFE', 'latest left', '--', 'alpha beta', 'run']

it('equals bm25() of FTS5', async () => {
  const bm25 = await openBm25()
  let found = 0
  for (const seed of seeds) {
    const { records, asked } = storeOf(seed)
    const ours = plainBm25(records, asked)
    const theirs = bm25(records, asked)
    expect([...ours.keys()].sort(), `seed ${seed}`).toEqual([...theirs.keys()].sort())
    for (const [id, score] of theirs) {
      expect(Math.abs(score - (ours.get(id) ?? NaN)), `seed ${seed}, ${id}`).toBeLessThan(1e-12)
      found++
    }
  }
  expect(found).toBeGreaterThan(100)
})

it('control: another b gives other scores', async () => {
  const bm25 = await openBm25()
  const { records, asked } = storeOf(8104)
  const ours = plainBm25(records, asked, { ...plainBm25Constants, b: 0.7 })
  expect([...bm25(records, asked)].some(([id, score]) => Math.abs(score - (ours.get(id) ?? NaN)) > 1e-6)).toBe(true)
})

function storeOf(seed: number): { readonly records: readonly OracleRecord[]; readonly asked: readonly string[] } {
  const random = createRandom(seed)
  const [first] = randomWalk(random, `${seed}`, 1)
  return {
    records: (first?.put ?? []).map(oracleRecordOf),
    asked: random.shuffled(phrases).slice(0, 1 + random.below(4)),
  }
}

async function openBm25(): Promise<
  (records: readonly OracleRecord[], phrases: readonly string[]) => ReadonlyMap<string, number>
> {
  const sqlite = await init()
  const database = new sqlite.oo1.DB(':memory:')
  database.exec(
    `CREATE VIRTUAL TABLE texts USING fts5(${textFields.join(', ')}, tokenize='porter unicode61 remove_diacritics 2')`,
  )
  return (records, asked) => {
    database.exec('DELETE FROM texts')
    for (const [row, record] of records.entries()) {
      const paths = record.files.map(({ path }) => path).join('\n')
      const terms = record.terms.map(({ term }) => term).join('\n')
      const { title, summary, body, instruction, command } = record
      database.exec({
        sql: 'INSERT INTO texts(rowid, title, summary, body, instruction, command, paths, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        bind: [
          row,
          ...[title, summary, body, instruction, command, paths, terms].map((text) => indexedText(text ?? '')),
        ],
      })
    }
    const scores = new Map<string, number>()
    database.exec({
      sql: 'SELECT rowid, bm25(texts) FROM texts WHERE texts MATCH ?',
      bind: [asked.map((phrase) => `"${phrase}"`).join(' OR ')],
      callback: (row: unknown) => {
        const [number, score] = row as [number, number]
        scores.set(records[number]!.id, -score)
      },
    })
    return scores
  }
}
