/** Version 3: the links of the HNSW graph, derived from the vectors and no part of what is exported. */
import type { Migration } from './migration.ts'

export const vectorGraph: Migration = {
  version: 3,
  statements: () => [`CREATE TABLE vector_graph (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`],
}
