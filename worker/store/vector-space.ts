/** The embedding space of a store: which one is chosen, its vectors and codes, and how many vectors belong to other spaces. */
import { recallError } from '../../src/core/model/errors.ts'
import { type Database, first } from '../sqlite/database.ts'
import type { Store } from './port/store.ts'
import type { EmbeddingSpace } from './port/vectors.ts'
import { countUnembedded, readUnembedded } from './rows/embed-rows.ts'
import { eachCode, spaceRow, spansOf, vectorsOf } from './rows/vector-rows.ts'

export interface VectorSpace
  extends Pick<Store, 'space' | 'vectorsOf' | 'vectorSpans' | 'eachCode' | 'unembedded' | 'countUnembedded'> {
  /** The row of the chosen space; null if none is chosen. */
  row(): number | null
  choose(space: EmbeddingSpace): void
  counts: Store['vectorCounts']
  /** Counts again at the next request. */
  recount(): void
}

export function createVectorSpace(database: Database, revision: () => number): VectorSpace {
  let space: (EmbeddingSpace & { readonly row: number }) | null = null
  let scratch = new Float32Array(0)
  // Counting reads every code, so it is done once per revision.
  let counted: (ReturnType<Store['vectorCounts']> & { readonly revision: number }) | null = null
  return {
    row: () => space?.row ?? null,
    space: () => (space === null ? null : { name: space.name, dimensions: space.dimensions }),
    choose(chosen) {
      const { row, dimensions } = database.transaction(() => spaceRow(database, chosen))
      if (dimensions !== chosen.dimensions) throw wrongLength(chosen, dimensions)
      space = { ...chosen, row }
      counted = null
      scratch = new Float32Array(chosen.dimensions)
    },
    vectorsOf(key, visit) {
      if (space !== null) vectorsOf(database, key, space.row, scratch, visit)
    },
    vectorSpans: (key) => (space === null ? [] : spansOf(database, key, space.row)),
    eachCode(visit) {
      if (space !== null) eachCode(database, space.row, visit)
    },
    unembedded: (after, limit, pending) =>
      space === null ? [] : readUnembedded(database, space.row, after, limit, pending),
    countUnembedded: () => (space === null ? 0 : countUnembedded(database, space.row)),
    counts() {
      if (counted?.revision === revision()) return counted
      const [current = 0, otherSpaces = 0] =
        first(
          database,
          `SELECT total(space = ?1), total(space <> ?1) FROM vector_codes`,
          [space?.row ?? -1],
          (found) => [found.number(0), found.number(1)],
        ) ?? []
      counted = { revision: revision(), current, otherSpaces }
      return counted
    },
    recount() {
      counted = null
    },
  }
}

function wrongLength({ name, dimensions }: EmbeddingSpace, stored: number) {
  return recallError('DIMENSION_MISMATCH', `must be ${stored}, as the stored vectors of the space ${name} have`, {
    field: 'embedder.dimensions',
    value: dimensions,
    hint: 'Give the embedder another space name. Vectors of two models are never mixed.',
  })
}
