/** The embedding space of a store: which one is chosen, its vectors and codes, and how many vectors belong to other spaces. */
import { recallError } from '../../src/core/model/errors.ts'
import { type Database, first } from '../sqlite/database.ts'
import type { Store } from './port/store.ts'
import type { EmbeddingSpace } from './port/vectors.ts'
import { countUnembedded, readUnembedded } from './rows/embed-rows.ts'
import { eachCode, spaceRow, spansOf, vectorsOf } from './rows/vector-rows.ts'

export interface VectorSpace {
  readonly answers: Pick<Store, 'space' | 'vectorsOf' | 'vectorSpans' | 'eachCode' | 'unembedded' | 'countUnembedded'>
  /** The row of the chosen space; null if none is chosen. */
  row(): number | null
  /** The row of the space of stand-in vectors; null if none is chosen. */
  standInRow(): number | null
  choose(space: EmbeddingSpace, standIn?: EmbeddingSpace): void
  counts: Store['vectorCounts']
  /** Counts again at the next request. */
  recount(): void
}

export function createVectorSpace(database: Database, revision: () => number): VectorSpace {
  let space: (EmbeddingSpace & { readonly row: number }) | null = null
  let standIn: (EmbeddingSpace & { readonly row: number }) | null = null
  let scratch = new Float32Array(0)
  let standInScratch = new Float32Array(0)
  // Counting reads every code, so it is done once per revision.
  let counted: (ReturnType<Store['vectorCounts']> & { readonly revision: number }) | null = null
  const opened = (chosen: EmbeddingSpace) => {
    const { row, dimensions } = database.transaction(() => spaceRow(database, chosen))
    if (dimensions !== chosen.dimensions) throw wrongLength(chosen, dimensions)
    return { ...chosen, row }
  }
  const rows = () => ({ space: space!.row, standIn: standIn?.row ?? null })
  return {
    row: () => space?.row ?? null,
    standInRow: () => standIn?.row ?? null,
    answers: {
      space: () => (space === null ? null : { name: space.name, dimensions: space.dimensions }),
      vectorsOf(key, visit) {
        if (space !== null) vectorsOf(database, key, space.row, scratch, visit)
        // A record has vectors of one space.
        if (standIn !== null) vectorsOf(database, key, standIn.row, standInScratch, visit)
      },
      vectorSpans: (key) => [space, standIn].flatMap((one) => (one === null ? [] : spansOf(database, key, one.row))),
      eachCode(visit, of = 'own') {
        const one = of === 'own' ? space : standIn
        if (one !== null) eachCode(database, one.row, visit)
      },
      unembedded: (after, limit, which = 'lacking') =>
        space === null ? [] : readUnembedded(database, rows(), after, limit, which),
      countUnembedded: () => (space === null ? 0 : countUnembedded(database, rows())),
    },
    choose(chosen, other) {
      space = opened(chosen)
      standIn = other === undefined ? null : opened(other)
      counted = null
      scratch = new Float32Array(chosen.dimensions)
      standInScratch = new Float32Array(other?.dimensions ?? 0)
    },
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
