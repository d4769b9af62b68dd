/** The saved graph of the vector index, in parts that stay below the longest value a connection takes. */
import { all, type Database } from '../../sqlite/database.ts'

const partBytes = 2 ** 19

/** Null: none was saved. */
export function readGraph(database: Database): Uint8Array | null {
  const parts = all(database, `SELECT bytes FROM vector_graph ORDER BY part`, [], (row) => row.bytes(0))
  if (parts.length === 0) return null
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** In one transaction. The revision stays: no answer depends on it. */
export function writeGraph(database: Database, sealed: Uint8Array): void {
  database.transaction(() => {
    database.execute(`DELETE FROM vector_graph`)
    for (let part = 0; part * partBytes < sealed.length; part++) {
      const bytes = sealed.subarray(part * partBytes, (part + 1) * partBytes)
      database.execute(`INSERT INTO vector_graph VALUES (?, ?)`, [part, bytes])
    }
  })
}
