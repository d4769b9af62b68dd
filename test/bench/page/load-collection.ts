/** Reads a served collection, in the page and in the peers' worker alike. */
import type { ServedQuestion, ServedRecord } from './bench-api.ts'

export const dimensions = 384

export interface Records {
  readonly records: readonly ServedRecord[]
  readonly vectors: Float32Array
}

export interface Questions {
  readonly questions: readonly ServedQuestion[]
  readonly vectors: Float32Array
}

export async function loadRecords(collection: string): Promise<Records> {
  const [records, vectors] = await Promise.all([
    load(`${collection}/records.json`).then((response) => response.json() as Promise<ServedRecord[]>),
    loadVectors(`${collection}/vectors.bin`),
  ])
  return { records, vectors }
}

export async function loadQuestions(collection: string): Promise<Questions> {
  const [questions, vectors] = await Promise.all([
    load(`${collection}/questions.json`).then((response) => response.json() as Promise<ServedQuestion[]>),
    loadVectors(`${collection}/question-vectors.bin`),
  ])
  return { questions, vectors }
}

/** Row i, as a view. */
export function rowOf(vectors: Float32Array, i: number): Float32Array {
  return vectors.subarray(i * dimensions, (i + 1) * dimensions)
}

async function loadVectors(path: string): Promise<Float32Array> {
  return new Float32Array(await (await load(path)).arrayBuffer())
}

async function load(path: string): Promise<Response> {
  const response = await fetch(`/data/${path}`)
  if (!response.ok) throw new Error(`/data/${path}: status ${response.status}`)
  return response
}
