/** Tests the rows in PostgreSQL: the compare-and-set, row-level security, and that nodes over them answer as an ordinary store. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { blockKinds } from '../../../src/protocol/blocks.ts'
import { createSchema, postgresBlocks } from '../../../src/server/postgres/block-store.ts'
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openNode, type TestNode } from '../../support/stores/open-node.ts'
import { contentOf, exported, fillRich, imported, openRich, portableOptions } from '../../support/stores/portable.ts'

if (noPostgres !== null) console.warn(`skipped: ${noPostgres}`)

const schema = 'scrubjay'
const bytes = (text: string) => new TextEncoder().encode(text)

describe.skipIf(noPostgres !== null)('rows in PostgreSQL', () => {
  let server: Postgres
  let pool: pg.Pool
  beforeAll(async () => {
    server = await startPostgres()
    pool = server.pool()
    await createSchema(pool, schema)
  })
  afterAll(async () => {
    await pool?.end()
    await server?.stop()
  })

  it('[N3] are written once: a writer that planned from an older revision writes nothing', async () => {
    const blocks = postgresBlocks(pool, schema, 'race')
    const row = { kind: blockKinds.record, id: 'a\0é', frames: bytes('one') }
    expect(await blocks.head()).toEqual({ revision: 0, settings: null })
    expect(await blocks.ship({ from: 0, to: 1, settings: '{}', rows: [row] })).toBe('written')
    expect(await blocks.ship({ from: 0, to: 1, settings: '{}', rows: [{ ...row, frames: bytes('two') }] })).toBe('lost')
    const races = Array.from({ length: 8 }, (_, n) =>
      blocks.ship({ from: 1, to: 2 + n, settings: '{}', rows: [{ ...row, frames: bytes(`race ${n}`) }] }),
    )
    const won = (await Promise.all(races)).flatMap((outcome, n) => (outcome === 'lost' ? [] : [n]))
    expect(won).toHaveLength(1)
    const { revision, rows } = await blocks.pull(1)
    expect({ revision, rows: rows.map(({ id, frames }) => [id, String(frames)]) }).toEqual({
      revision: 2 + won[0]!,
      rows: [['a\0é', `race ${won[0]}`]],
    })
    expect((await blocks.pull(2 + won[0]!)).rows).toEqual([])
    expect((await blocks.pull(2 + won[0]!, [row])).rows).toHaveLength(1)
  })

  it('tell the winner of a race for a second that another node waits', async () => {
    const blocks = postgresBlocks(pool, schema, 'waiting')
    const ship = (from: number) => blocks.ship({ from, to: from + 1, settings: '{}', rows: [] })
    expect(await ship(0)).toBe('written')
    expect([await ship(0), await ship(1), await ship(2)]).toEqual(['lost', 'awaited', 'written'])
    expect(await ship(0)).toBe('lost')
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    expect(await ship(3)).toBe('written')
  })

  it('of an older version get the newer functions, and keep their content', async () => {
    const old = 'of_version_1'
    await createSchema(pool, old)
    const blocks = postgresBlocks(pool, old, 'a')
    await blocks.ship({
      from: 0,
      to: 1,
      settings: '{}',
      rows: [{ kind: blockKinds.record, id: 'x', frames: bytes('y') }],
    })
    await pool.query(`ALTER TABLE ${old}.stores DROP COLUMN awaited_at; COMMENT ON SCHEMA ${old} IS 'scrubjay 1';
      DROP FUNCTION ${old}.ship; CREATE FUNCTION ${old}.ship(text, bigint, bigint, text, smallint[], bytea[], bytea[])
      RETURNS boolean LANGUAGE sql AS 'SELECT false'`)
    await createSchema(pool, old)
    expect(await blocks.ship({ from: 1, to: 2, settings: '{}', rows: [] })).toBe('written')
    expect(await blocks.pull(0)).toMatchObject({ revision: 2, rows: [{ id: 'x' }] })
  })

  it('two nodes that start together create the schema once', async () => {
    for (let round = 0; round < 20; round++) {
      const together = `together_${round}`
      await Promise.all([1, 2, 3, 4].map(() => createSchema(pool, together)))
      expect(await postgresBlocks(pool, together, 'x').head()).toMatchObject({ revision: 0 })
    }
    await expect(createSchema(pool, 'a"b')).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'schema' })
  })

  it('[N1] row-level security shows no row to a statement without its tenant', async () => {
    const settings = '{}'
    const rows = [{ kind: blockKinds.record, id: 'x', frames: bytes('canary') }]
    await postgresBlocks(pool, schema, 'hers').ship({ from: 0, to: 1, settings, rows })
    const count = `SELECT count(*)::int AS n FROM ${schema}.blocks`
    expect((await pool.query(count)).rows[0]).toEqual({ n: 0 })
    const seen = await pool.query(
      `SELECT set_config('scrubjay.tenant', 'hers', true), (${count.replace('::int AS n', '::int')}) AS n`,
    )
    expect(seen.rows[0]).toMatchObject({ n: 1 })
    const other = `BEGIN; SELECT set_config('scrubjay.tenant', 'his', true); UPDATE ${schema}.blocks SET frames = NULL; COMMIT`
    await pool.query(other)
    expect(String((await postgresBlocks(pool, schema, 'hers').pull(0)).rows[0]?.frames)).toBe('canary')
    expect((await postgresBlocks(pool, schema, 'his').pull(0)).rows).toEqual([])
  })

  it('[N2] a node that makes its engine of the rows has the content and the answers of an ordinary store', async () => {
    const ordinary = await openRich(60)
    const blocks = postgresBlocks(pool, schema, 'rich')
    const first = await openNode(blocks, portableOptions)
    await imported(first, await exported(ordinary))
    const second = await openNode(blocks, portableOptions)
    const content = canonicalJson(contentOf(await exported(ordinary)))
    for (const node of [first, second]) expect(canonicalJson(contentOf(await exported(node)))).toBe(content)
    const vector = Float32Array.from({ length: 8 }, (_, i) => (i - 3) / 4)
    for (const [name, policy] of everyPolicy) {
      for (const text of ['jay acorn', 'failure in src/app.ts', '橡子 café']) {
        const ask = async ({ call }: Pick<TestNode, 'call'>) => {
          const { receipt, ...answer } = await call('recall', { query: { text, vector, policy, ledger: true } })
          return canonicalJson(
            JSON.parse(JSON.stringify({ ...answer, receipt: { ...receipt, id: 0, storeRevision: 0 } })),
          )
        }
        const expected = await ask(ordinary)
        expect(await ask(first), `${name}: ${text}`).toBe(expected)
        expect(await ask(second), `${name}: ${text}`).toBe(expected)
      }
    }
  })

  it('[N2] every kind of learned state reaches the other node', async () => {
    const blocks = postgresBlocks(pool, schema, 'learned')
    const [first, second] = [await openNode(blocks, portableOptions), await openNode(blocks, portableOptions)]
    await fillRich({ ...first, database: undefined as never }, 40, 2).catch(() => undefined)
    const content = canonicalJson(contentOf(await exported(first)))
    expect(content.length).toBeGreaterThan(10_000)
    expect(canonicalJson(contentOf(await exported(second)))).toBe(content)
  })

  it('a database that is out of reach gives a typed error, and the store goes on when it is back', async () => {
    const blocks = postgresBlocks(pool, schema, 'away')
    let isAway = false
    const over = { ...blocks }
    for (const name of ['head', 'pull', 'ship'] as const)
      over[name] = (async (...given: never[]) => {
        if (isAway) throw new Error('away')
        return (blocks[name] as (...all: never[]) => unknown)(...given)
      }) as never
    const { call } = await openNode(over)
    await call('put', { batch: [{ id: 'a', body: 'before' }] })
    isAway = true
    await expect(call('put', { batch: [{ id: 'b', body: 'meanwhile' }] })).rejects.toThrow('away')
    await expect(call('get', { ids: ['a'] })).rejects.toThrow('away')
    isAway = false
    expect((await call('get', { ids: ['a', 'b'] })).map((record) => record?.body)).toEqual(['before', undefined])
    await call('put', { batch: [{ id: 'b', body: 'after' }] })
    expect((await (await openNode(blocks)).call('get', { ids: ['b'] }))[0]?.body).toBe('after')
  })
})
