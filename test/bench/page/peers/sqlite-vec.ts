/** Adapts sqlite-vec in SQLite, in memory: every question reads every vector, so it is exact. */
import load from 'sqlite-vec-wasm-demo'
import { dimensions, type Records, rowOf } from '../load-collection.ts'
import type { Peer } from './peer.ts'
import { foundRows, rowsByTag, vectorOf } from './vector-peer.ts'

export async function createSqliteVec(records: Records): Promise<Peer> {
  const sqlite = await load()
  const database = new sqlite.oo1.DB(':memory:')
  database.exec(`create virtual table record using vec0(embedding float[${dimensions}] distance_metric=cosine)`)
  const insert = database.prepare('insert into record(rowid, embedding) values (?, ?)')
  const within = (work: () => void) => {
    database.exec('begin')
    work()
    database.exec('commit')
  }
  within(() => {
    for (let row = 0; row < records.records.length; row++)
      insert.bind([BigInt(row), bytesOf(rowOf(records.vectors, row))]).stepReset()
  })
  const nearest = database.prepare('select rowid from record where embedding match ? and k = 10 order by distance')
  const nearestOf = database.prepare(
    'select rowid from record where embedding match ? and k = 10 and rowid in (select value from json_each(?)) order by distance',
  )
  const update = database.prepare('update record set embedding = ? where rowid = ?')
  const remove = database.prepare('delete from record where rowid = ?')
  const members = new Map([...rowsByTag(records)].map(([tag, rows]) => [tag, JSON.stringify([...rows])]))
  return {
    search(ask) {
      const value = bytesOf(vectorOf(ask, 'sqlite-vec'))
      const statement = ask.tag === null ? nearest.bind([value]) : nearestOf.bind([value, members.get(ask.tag) ?? '[]'])
      const rows: number[] = []
      while (statement.step()) rows.push(Number(statement.get(0)))
      statement.reset()
      return foundRows(records, rows)
    },
    update(changed) {
      within(() => {
        for (const { row, vector } of changed) update.bind([bytesOf(vector), BigInt(row)]).stepReset()
      })
    },
    remove(rows) {
      within(() => {
        for (const { row } of rows) remove.bind([BigInt(row)]).stepReset()
      })
    },
    wasmBytes: () => sqlite.wasm.heap8().byteLength,
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}
