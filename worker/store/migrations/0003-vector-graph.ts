/** Migration 3: a table for the HNSW graph, which derives from the vectors and is not exported. */
import type { Migration } from './migration.ts'

export const vectorGraph: Migration = {
  version: 3,
  statements: () => [`CREATE TABLE vector_graph (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`],
}
