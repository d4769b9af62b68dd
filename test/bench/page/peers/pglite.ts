/**
 * Adapts Postgres in WebAssembly with pgvector's graph, in memory, with default settings but `ef`; filled before it is indexed.
 */
import { PGlite } from '@electric-sql/pglite'
import { vector as pgvector } from '@electric-sql/pglite-pgvector'
import { dimensions, type Records, rowOf } from '../load-collection.ts'
import { efs } from '../peer-table.ts'
import type { Peer } from './peer.ts'
import { vectorOf } from './vector-peer.ts'

const insertBatch = 200

export async function createPglite({ records, vectors }: Records): Promise<Peer> {
  const database = await PGlite.create({ extensions: { vector: pgvector } })
  await database.exec(`
    create extension if not exists vector;
    create table record (row int primary key, id text, body text, tags text[], embedding vector(${dimensions}));
  `)
  for (let from = 0; from < records.length; from += insertBatch) {
    const values: unknown[] = []
    const places = records.slice(from, from + insertBatch).map(({ id, text, tags }, i) => {
      const at = values.length
      values.push(
        from + i,
        id,
        text,
        `{${tags.map((tag) => JSON.stringify(tag)).join(',')}}`,
        literal(rowOf(vectors, from + i)),
      )
      return `($${at + 1},$${at + 2},$${at + 3},$${at + 4}::text[],$${at + 5}::vector)`
    })
    await database.query(`insert into record values ${places.join(',')}`, values)
  }
  await database.exec(`
    set maintenance_work_mem = '512MB';
    create index on record using hnsw (embedding vector_cosine_ops);
    create index on record using gin (tags);
    set hnsw.iterative_scan = strict_order;
    set hnsw.ef_search = ${efs[0]};
  `)
  return {
    async search(ask) {
      const nearest = 'order by embedding <=> $1::vector limit 10'
      const value = literal(vectorOf(ask, 'PGlite'))
      const { rows } = await (ask.tag === null
        ? database.query<Stored>(`select id, body from record ${nearest}`, [value])
        : database.query<Stored>(`select id, body from record where tags @> array[$2::text] ${nearest}`, [
            value,
            ask.tag,
          ]))
      return { ids: rows.map(({ id }) => id), records: rows.map(({ id, body }) => ({ id, text: body })) }
    },
    async update(changed) {
      await database.transaction(async (within) => {
        for (const { row, record, vector } of changed)
          await within.query('update record set body = $2, embedding = $3::vector where row = $1', [
            row,
            record.text,
            literal(vector),
          ])
      })
    },
    async remove(rows) {
      await database.query('delete from record where row = any($1::int[])', [
        `{${rows.map(({ row }) => row).join(',')}}`,
      ])
    },
    async setEf(ef) {
      await database.exec(`set hnsw.ef_search = ${ef}`)
    },
    wasmBytes: () => database.Module.HEAPU8.byteLength,
  }
}

interface Stored {
  readonly id: string
  readonly body: string
}

function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}
