/**
 * Makes the records and questions of the bench: distinct short real texts (sentences and chat turns of the measuring
 * sets) with real MiniLM vectors, tiled with a little noise where there are more texts than vectors. Deterministic.
 */
import { loadDataset } from '../quality/datasets.ts'
import { createRandom } from '../support/data/random.ts'

export const dimensions = 384

export interface BenchData {
  readonly texts: readonly string[]
  /** texts.length × 384, normalised. */
  readonly vectors: Float32Array
  readonly questions: readonly string[]
  /** questions.length × 384. */
  readonly questionVectors: Float32Array
}

const sentenceSources = [
  'locomo',
  'scifact',
  'xquad-sent',
  'nl2bash-notes',
  'cranfield',
  'stackfaq',
  'mtrag-chat',
  'time',
  'drcd-sent-zh',
] as const
const questionSources = [
  ['locomo', 120],
  ['scifact', 80],
  ['cranfield', 60],
  ['stackfaq', 40],
] as const

/** Throws when the measuring sets are not on this machine. */
export function loadBenchData(count: number): BenchData {
  const texts = grownTo(count, [...new Set(sentenceSources.flatMap((name) => sentencesOf(name)))])
  const known = ['locomo', 'scifact', 'cranfield', 'stackfaq', 'mtrag-chat'].map(
    (name) => required(name).minilm?.documents ?? new Float32Array(0),
  )
  const questions = questionSources.flatMap(([name, wanted]) =>
    required(name)
      .questions.slice(0, wanted)
      .map((question) => question.text),
  )
  const questionVectors = new Float32Array(questions.length * dimensions)
  let at = 0
  for (const [name, wanted] of questionSources) {
    const vectors = required(name).minilm?.questions.subarray(0, wanted * dimensions) ?? new Float32Array(0)
    questionVectors.set(vectors, at)
    at += vectors.length
  }
  return { texts, vectors: tile(known, count), questions, questionVectors }
}

function required(name: string) {
  const dataset = loadDataset(name)
  if (dataset === null)
    throw new Error(`the bench needs the set ${name}; set SCRUBJAY_EVAL_DATA to the folder that holds it`)
  return dataset
}

/** Sentences of 40 to 400 characters; chat turns unchanged. */
function sentencesOf(name: string): string[] {
  return required(name).documents.flatMap(({ text }) =>
    (text.match(/[^.!?。！？\n]+[.!?。！？]?/gu) ?? [])
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.length >= 20 && sentence.length <= 400),
  )
}

/** The first texts; beyond them, each once more followed by another one, with other pairs in every round. */
export function grownTo(count: number, distinct: readonly string[]): readonly string[] {
  if (distinct.length < 2) throw new Error('texts grow out of two at least')
  return Array.from({ length: count }, (_, i) => {
    const round = Math.floor(i / distinct.length)
    if (round >= distinct.length) throw new Error(`${distinct.length} texts do not grow to ${count}`)
    const own = distinct[i % distinct.length]!
    return round === 0 ? own : `${own} ${distinct[(i + round) % distinct.length]}`
  })
}

/** The known vectors over and over; from the second round on each with noise of its own, normalised again. */
function tile(known: readonly Float32Array[], count: number): Float32Array {
  const rows = known.reduce((sum, vectors) => sum + vectors.length / dimensions, 0)
  const all = new Float32Array(rows * dimensions)
  let at = 0
  for (const vectors of known) {
    all.set(vectors, at)
    at += vectors.length
  }
  const random = createRandom(1)
  const tiled = new Float32Array(count * dimensions)
  for (let row = 0; row < count; row++) {
    const source = (row % rows) * dimensions
    let norm = 0
    for (let d = 0; d < dimensions; d++) {
      const value = all[source + d]! + (row < rows ? 0 : (random.next() - 0.5) * 0.06)
      tiled[row * dimensions + d] = value
      norm += value * value
    }
    for (let d = 0; d < dimensions; d++) tiled[row * dimensions + d] = tiled[row * dimensions + d]! / Math.sqrt(norm)
  }
  return tiled
}
