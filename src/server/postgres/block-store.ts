/** Keeps the rows of stores in PostgreSQL: each operation is one statement. */
import { recallError } from '../../core/model/errors.ts'
import type { BlockKey, BlockKind, BlockRow, BlockStore, ShipOutcome } from '../../protocol/blocks.ts'
import { schemaPattern, schemaSql, schemaVersion } from './schema.ts'

/** The part of a pool of `pg` that is used. */
export interface Queries {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** Creates the schema if it does not exist. The role needs the right to create one then. */
export async function createSchema(pool: Queries, schema: string): Promise<void> {
  if (!schemaPattern.test(schema)) {
    throw recallError('INVALID_CONFIG', 'must be a name of lower-case letters, digits and _', {
      field: 'schema',
      value: schema,
      hint: 'Choose another name, for example "scrubjay".',
    })
  }
  const isCurrent = async () => {
    const described = `SELECT obj_description(to_regnamespace('${schema}'), 'pg_namespace') AS version`
    const [found] = (await reaching(pool.query(described))).rows as readonly { readonly version: string | null }[]
    return found?.version === schemaVersion
  }
  if (await isCurrent()) return
  try {
    // One message, so one transaction: two nodes that start together wait for each other.
    await reaching(pool.query(`SELECT pg_advisory_xact_lock(7265636); ${schemaSql(schema)}`))
  } catch (error) {
    // PostgreSQL's cache of names may not yet have what another node created.
    if (!(await isCurrent())) throw error
  }
}

export function postgresBlocks(pool: Queries, schema: string, tenant: string): BlockStore {
  const call = async <T>(text: string, values: readonly unknown[]): Promise<readonly T[]> =>
    (await reaching(pool.query(text, [tenant, ...values]))).rows as readonly T[]
  return {
    async head() {
      const [found] = await call<Head>(`SELECT stored, options FROM ${schema}.head($1)`, [])
      return { revision: Number(found?.stored ?? 0), settings: found?.options ?? null }
    },
    async pull(after, keys = []) {
      const rows = await call<Head & StoredRow>(`SELECT * FROM ${schema}.pull($1, $2, $3, $4)`, [
        after,
        keys.map(({ kind }) => kind),
        keys.map(({ id }) => Buffer.from(id)),
      ])
      return {
        revision: Number(rows[0]?.stored ?? 0),
        settings: rows[0]?.options ?? null,
        rows: rows.filter(({ kind }) => kind !== null).map(blockRow),
      }
    },
    async ship({ from, to, settings, rows }) {
      const [answer] = await call<{ readonly ship: ShipOutcome }>(`SELECT ${schema}.ship($1, $2, $3, $4, $5, $6, $7)`, [
        from,
        to,
        settings,
        rows.map(({ kind }) => kind),
        rows.map(({ id }) => Buffer.from(id)),
        rows.map(({ frames }) => frames && Buffer.from(frames.buffer, frames.byteOffset, frames.byteLength)),
      ])
      return answer!.ship
    },
    async remove() {
      await call(`SELECT ${schema}.remove($1)`, [])
    },
  }
}

interface Head {
  readonly stored: string | null
  readonly options: string | null
}

interface StoredRow {
  readonly kind: number
  readonly id: Buffer
  readonly frames: Buffer | null
}

function blockRow({ kind, id, frames }: StoredRow): BlockRow {
  const key: BlockKey = { kind: kind as BlockKind, id: id.toString() }
  return { ...key, frames }
}

/** Says which part is out of reach. The driver's message has no values of the statement. */
async function reaching<T>(query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const failure = recallError('STORAGE_UNAVAILABLE', `The database refused or did not answer: ${problem}`, {
      hint: 'Try again. If this error repeats, check the database and its log.',
    })
    failure.cause = error
    throw failure
  }
}
