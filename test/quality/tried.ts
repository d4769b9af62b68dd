/**
 * Measures what parts that `balanced` does not have would be worth: each adds to the scores of an answer's candidates,
 * in plain code over the captured facts; neighbours pass on a share of it as of the rest of the score. Records that
 * are not candidates stay out.
 */

import { policies } from '../../src/core/policies/policies.ts'
import type { CapturedFacts } from '../../src/core/replay.ts'
import { backgroundOf, meaningWeight } from '../../src/core/signals/meaning.ts'
import { type AblationMode, asked, type Column, tableMaker } from './ablation.ts'
import { differenceOf } from './measures/bootstrap.ts'
import { type Dataset, dimensions } from './datasets.ts'
import { openSet } from './open-set.ts'
import { judgedOf, scoreIds } from './measures/score-all.ts'
import { createWords, type Words } from './tried-words.ts'

const { fusion } = policies.balanced
const { before, after } = fusion.neighbours ?? { before: [], after: [] }

/** A question's candidates, each a row. */
export interface Asked {
  readonly question: number
  /** The document of each row. */
  readonly documents: readonly number[]
  /** The score of each row for the question, before neighbours. */
  readonly said: Float64Array
  readonly coverage: Float64Array
  readonly sessions: CapturedFacts['facts']['candidates']['sessions']
  readonly meaningWeight: number
}

interface Part {
  readonly part: string
  readonly to: string
  readonly needsVectors: boolean
  readonly weight: number
  value(asked: Asked, words: Words, vectors: Float32Array): Float64Array
}

const parts: readonly Part[] = [
  { ...named('coverage', '+ .05 × share of the words held'), weight: 0.05, value: ({ coverage }) => coverage },
  ...[0.1, 0.2].map((weight) => ({
    ...named('pairs', `+ ${weight} × share of them within 8 words, in either order`),
    weight,
    value: (question: Asked, words: Words) => words.pairsWithin(question, 8),
  })),
  ...[0.1, 0.2].map((weight) => ({
    ...named('feedback words', `+ ${weight} × ten words of the first five (RM3)`),
    weight,
    value: (question: Asked, words: Words) => words.feedback(question, best(question.said, 5), 10),
  })),
  ...([1, 3] as const).flatMap((most) =>
    [0.1, 0.25].map((weight) => ({
      ...named('feedback vectors', `+ ${weight} × meaning near the first ${most}`, true),
      weight,
      value: (question: Asked, _words: Words, vectors: Float32Array) => nearFirst(question, vectors, most),
    })),
  ),
]

function named(part: string, to: string, needsVectors = false) {
  return { part, to, needsVectors }
}

/** One table: a line per part, a column per set. Sets without the mode's vectors are left out. */
export const triedTable = tableMaker(parts, measure)

async function measure(dataset: Dataset, mode: AblationMode, tried: readonly Part[]): Promise<Column<Part>> {
  const rows = judgedOf(dataset, asked)
  const places = new Map(dataset.documents.map(({ id }, i) => [id, i]))
  const set = await openSet(dataset, mode)
  const questions: Asked[] = []
  const answered: number[] = []
  for (const row of rows) {
    const { facts, hits } = await set.ask(row, { capture: true })
    questions.push(readFacts(row, facts as CapturedFacts, places))
    answered.push(
      scoreIds(
        dataset,
        row,
        hits.map(({ id }) => id),
      ).ndcg,
    )
  }
  await set.close()
  const words = createWords(dataset)
  const vectors = dataset.minilm?.documents ?? new Float32Array(0)
  const ndcgOf = (more?: Part) =>
    questions.map((question) => {
      const added = more?.value(question, words, vectors)
      const said = question.said.map((score, row) => score + (more?.weight ?? 0) * (added?.[row] ?? 0))
      return scoreIds(dataset, question.question, ranked(dataset, question, withNeighbours(question, said))).ndcg
    })
  const shipped = ndcgOf()
  const mean = (scores: readonly number[]) => scores.reduce((sum, ndcg) => sum + ndcg, 0) / scores.length
  if (Math.abs(mean(shipped) - mean(answered)) > 0.001)
    throw new Error(`${dataset.name}: in plain code ${mean(shipped)}, the engine has ${mean(answered)}`)
  return {
    name: dataset.name,
    questions: rows.length,
    shipped: mean(shipped),
    differences: new Map(tried.map((part) => [part, differenceOf(ndcgOf(part), shipped)])),
  }
}

function readFacts(question: number, { facts }: CapturedFacts, places: ReadonlyMap<string, number>): Asked {
  const { candidates } = facts
  const background = backgroundOf(facts.vector, fusion.meaning)
  const weight = meaningWeight(facts.lexical, facts.vector, fusion.meaning)
  const said = candidates.lexical.map((words, row) => {
    const cosine = (candidates.cosineLow[row]! + candidates.cosineHigh[row]!) / 2
    const above = Number.isNaN(cosine) ? 0 : Math.max(0, cosine - background)
    const meaning = weight * above * above + (Number.isNaN(cosine) ? 0 : fusion.cosine * cosine)
    return words + meaning + (fusion.pairs ?? 0) * candidates.pairs[row]!
  })
  return {
    question,
    documents: candidates.ids.map((id) => places.get(id)!),
    said,
    coverage: candidates.coverage,
    sessions: candidates.sessions,
    meaningWeight: weight,
  }
}

function withNeighbours({ sessions }: Asked, said: Float64Array): Float64Array {
  if (sessions === null) return said
  const name = (row: number, away: number) => `${sessions.group[row]} ${sessions.place[row]! + away}`
  const rows = new Map(Array.from(said.keys(), (row) => [name(row, 0), row] as const))
  return said.map((score, row) => {
    if (sessions.group[row] === 0) return score
    const given = (share: number, away: number) => share * (said[rows.get(name(row, away)) ?? -1] ?? 0)
    const gifts = [...before.map((share, k) => given(share, -k - 1)), ...after.map((share, k) => given(share, k + 1))]
    return gifts.reduce((sum, gift) => sum + gift, score)
  })
}

function ranked({ documents }: Dataset, asked: Asked, scores: Float64Array): readonly string[] {
  const idOf = (row: number) => documents[asked.documents[row]!]?.id ?? ''
  const order = best(scores, scores.length)
  return order
    .toSorted((a, b) => scores[b]! - scores[a]! || (idOf(a) < idOf(b) ? 1 : -1))
    .slice(0, 10)
    .map(idOf)
}

/** The rows with the highest scores, best first. */
function best(scores: Float64Array, most: number): readonly number[] {
  return [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, most)
}

/**
 * Squared cosine above its mean to the weighted mean of the first records, each left out of its own; times the weight
 * of the vector signal.
 */
function nearFirst(
  { documents, said, meaningWeight: weight }: Asked,
  vectors: Float32Array,
  most: number,
): Float64Array {
  const first = best(said, most)
  const middle = (except: number) => {
    const sum = new Float64Array(dimensions)
    const others = first.filter((row) => row !== except)
    const total = others.reduce((all, row) => all + said[row]!, 0)
    for (const row of others) {
      const from = documents[row]! * dimensions
      for (let i = 0; i < dimensions; i++) sum[i] = sum[i]! + (said[row]! / total) * vectors[from + i]!
    }
    return sum
  }
  const dot = (row: number, to: Float64Array) => {
    const from = documents[row]! * dimensions
    return to.reduce((sum, value, i) => sum + value * vectors[from + i]!, 0)
  }
  const all = middle(-1)
  const cosines = said.map((_, row) => dot(row, all))
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length
  return cosines.map((cosine, row) => {
    const above = Math.max(0, (first.includes(row) ? dot(row, middle(row)) : cosine) - mean)
    return weight * above * above
  })
}
