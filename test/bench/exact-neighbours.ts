/** Computes Recall@10 of vector answers against the exact cosine order, in float64 from the vectors themselves. */
import type { Collection } from './collections.ts'
import { dimensions } from './records.ts'

/** The number of questions it is computed for: each costs a pass over all vectors. */
export const recallQuestions = 100

/** Rounding of float32 scores: records this close to the tenth are as good as the tenth. */
const slack = 1e-6

/** Returns the recall of rankings of the first questions, one after the other; a copy of a neighbour counts as one. */
export function exactNeighbours({ records, vectors, questionVectors }: Collection) {
  const rowById = new Map(records.map(({ id }, row) => [id, row]))
  const cosineOf = (row: number, question: number) => cosine(vectors, row, questionVectors, question)
  const tenths = new Map<number, { readonly least: number; readonly count: number }>()
  const tenthOf = (question: number) => {
    const known = tenths.get(question)
    if (known !== undefined) return known
    const best = Float64Array.from(records, (_, row) => cosineOf(row, question))
      .sort()
      .slice(-10)
    const found = { least: (best[0] ?? 0) - slack, count: best.length }
    tenths.set(question, found)
    return found
  }
  return {
    recallOf(rankings: readonly (readonly string[])[]): number {
      const shares = rankings.map((ids, question) => {
        const { least, count } = tenthOf(question)
        const isNear = (id: string) => {
          const row = rowById.get(id)
          if (row === undefined) throw new Error(`${id} is not a record`)
          return cosineOf(row, question) >= least
        }
        return [...new Set(ids)].filter(isNear).length / count
      })
      return shares.reduce((sum, share) => sum + share, 0) / shares.length
    },
  }
}

export type ExactNeighbours = ReturnType<typeof exactNeighbours>

function cosine(vectors: Float32Array, row: number, questions: Float32Array, question: number): number {
  let sum = 0
  for (let d = 0; d < dimensions; d++) sum += vectors[row * dimensions + d]! * questions[question * dimensions + d]!
  return sum
}
