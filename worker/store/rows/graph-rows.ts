/** Reads and writes the saved vector graph, in parts below SQLite's limit for one value. */
import { all, type Database } from '../../sqlite/database.ts'

const partBytes = 2 ** 19

/** Returns null if no graph was saved. */
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

/** Writes in one transaction. The revision does not change, because no answer depends on the graph. */
export function writeGraph(database: Database, graph: Uint8Array): void {
  database.transaction(() => {
    database.execute(`DELETE FROM vector_graph`)
    for (let part = 0; part * partBytes < graph.length; part++) {
      const bytes = graph.subarray(part * partBytes, (part + 1) * partBytes)
      database.execute(`INSERT INTO vector_graph VALUES (?, ?)`, [part, bytes])
    }
  })
}
