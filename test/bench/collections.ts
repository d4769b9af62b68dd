/**
 * Makes the collections served to the page: records with tags, questions, vectors of both. Real ones from the
 * measuring sets, or, where those are missing, generated ones that allow timing on a machine with only the repository.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder, loadDataset } from '../quality/datasets.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import type { ServedQuestion, ServedRecord } from './page/bench-api.ts'
import { type BenchData, dimensions, loadBenchData } from './records.ts'

export interface Collection {
  readonly name: string
  readonly records: readonly ServedRecord[]
  readonly vectors: Float32Array
  readonly questions: readonly ServedQuestion[]
  readonly questionVectors: Float32Array
}

export interface JudgedCollection extends Collection {
  /** Of each question: id → grade. */
  readonly judgements: readonly ReadonlyMap<string, number>[]
  /** Whether questions are limited to a tag. */
  readonly isScoped: boolean
}

/** Every hundredth record has the first tag, every tenth the second. */
export const scopeTags = [
  { tag: 'hundredth', share: 100 },
  { tag: 'tenth', share: 10 },
] as const

const neededSets = [
  'locomo',
  'scifact',
  'cranfield',
  'stackfaq',
  'mtrag-chat',
  'xquad-sent',
  'nl2bash-notes',
  'time',
  'drcd-sent-zh',
]

/** Measuring sets that are not on this machine. */
export function missingSets(): readonly string[] {
  return neededSets.filter((name) => !existsSync(join(dataFolder, name, 'corpus.jsonl')))
}

/** Real texts and vectors; throws when a set is missing. */
export function measuredCollection(count: number): Collection {
  return toCollection(`records-${count}`, loadBenchData(count))
}

/** Words by Zipf's law and random vectors: they have no meaning, so only time can be measured with them. */
export function generatedCollection(count: number): Collection {
  const random = createRandom(20_261_121)
  const questions = 300
  return toCollection(`generated-${count}`, {
    texts: Array.from({ length: count }, () => sentence(random, 10 + random.below(25))),
    vectors: vectorRows(random, count),
    questions: Array.from({ length: questions }, () => sentence(random, 6 + random.below(14))),
    questionVectors: vectorRows(random, questions),
  })
}

/** A set with judgements, its scopes as tags; every `step`th judged question is asked. */
export function judgedCollection(name: string, step: number): JudgedCollection {
  const dataset = loadDataset(name)
  if (dataset?.minilm == null) throw new Error(`the set ${name} or its vectors are missing`)
  const { minilm } = dataset
  const asked = dataset.questions
    .map((question, i) => ({ question, i, grades: dataset.judgements.get(question.id) }))
    .filter(({ grades }) => grades !== undefined && [...grades.values()].some((grade) => grade > 0))
    .filter((_, i) => i % step === 0)
  const questionVectors = new Float32Array(asked.length * dimensions)
  for (const [row, { i }] of asked.entries()) questionVectors.set(rowOf(minilm.questions, i), row * dimensions)
  // A few texts are blank: a store refuses them, and no judgement names one.
  const documents = dataset.documents
    .map((document, i) => ({ document, i, text: [document.title, document.text].filter(Boolean).join('. ') }))
    .filter(({ text }) => text.trim() !== '')
  const vectors = new Float32Array(documents.length * dimensions)
  for (const [row, { i }] of documents.entries()) vectors.set(rowOf(minilm.documents, i), row * dimensions)
  return {
    name: `judged-${name}`,
    records: documents.map(({ document, text }) => ({ id: document.id, text, tags: tagsOf(document.scope) })),
    vectors,
    questions: asked.map(({ question }) => ({ text: question.text, tag: question.scope || null })),
    questionVectors,
    judgements: asked.map(({ grades }) => grades ?? new Map()),
    isScoped: asked.some(({ question }) => question.scope !== ''),
  }
}

/** Writes a collection as the page fetches it. */
export async function writeCollection(folder: string, collection: Collection): Promise<void> {
  const own = join(folder, collection.name)
  await mkdir(own, { recursive: true })
  await writeFile(join(own, 'records.json'), JSON.stringify(collection.records))
  await writeFile(join(own, 'questions.json'), JSON.stringify(collection.questions))
  await writeFile(join(own, 'vectors.bin'), bytesOf(collection.vectors))
  await writeFile(join(own, 'question-vectors.bin'), bytesOf(collection.questionVectors))
}

function toCollection(name: string, { texts, vectors, questions, questionVectors }: BenchData): Collection {
  // So that a pass that runs out of time has asked a mixture, too.
  const order = createRandom(2).shuffled(questions.map((_, i) => i))
  const orderedVectors = new Float32Array(questionVectors.length)
  for (const [row, i] of order.entries()) orderedVectors.set(rowOf(questionVectors, i), row * dimensions)
  return {
    name,
    records: texts.map((text, i) => ({
      id: `r${i}`,
      text,
      tags: scopeTags.filter(({ share }) => i % share === 0).map(({ tag }) => tag),
    })),
    vectors,
    questions: order.map((i) => ({ text: questions[i]!, tag: null })),
    questionVectors: orderedVectors,
  }
}

function tagsOf(scope: string): readonly string[] {
  return scope === '' ? [] : [scope]
}

function rowOf(vectors: Float32Array, i: number): Float32Array {
  return vectors.subarray(i * dimensions, (i + 1) * dimensions)
}

function bytesOf(vectors: Float32Array): Uint8Array {
  return new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength)
}

const vocabularySize = 30_000

function sentence(random: Random, words: number): string {
  return Array.from({ length: words }, () => word(Math.floor(vocabularySize ** random.next()) - 1)).join(' ')
}

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se', 'ti', 'vo', 'zu'] as const

/** A name for each number, short for the small and common ones. */
function word(number: number): string {
  const last = syllables[number % syllables.length]!
  return number < syllables.length ? `${last}n` : word(Math.floor(number / syllables.length) - 1) + last
}

function vectorRows(random: Random, count: number): Float32Array {
  const vectors = new Float32Array(count * dimensions)
  for (let row = 0; row < count; row++) vectors.set(random.vector(dimensions), row * dimensions)
  return vectors
}
