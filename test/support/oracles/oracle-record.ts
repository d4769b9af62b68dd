/** What the oracles work on: a record as stored, and its vectors, side by side in plain arrays. */
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { type RecordInput, textFields } from '../../../src/core/model/record.ts'
import { stem } from '../../../src/core/text/stem.ts'
import { tokenise } from '../../../src/core/text/tokenise.ts'
import { compareCodePoints } from '../../../src/core/text/order.ts'

export interface OracleRecord {
  readonly id: string
  readonly kind: string
  readonly project: string | null
  readonly topic: string | null
  readonly title: string | null
  readonly summary: string | null
  readonly body: string | null
  readonly instruction: string | null
  readonly command: string | null
  readonly tags: readonly string[]
  /** Declared, then extracted; paths with `/`. */
  readonly files: readonly {
    readonly path: string
    readonly sha256: string | null
    readonly mtime: number | null
    readonly existed: boolean
  }[]
  /** Declared, then extracted. */
  readonly terms: readonly { readonly term: string; readonly kind: string }[]
  readonly reasons: readonly { readonly code: string; readonly weight: number }[]
  readonly importance: number
  readonly contentHash: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly vectors: readonly Float32Array[]
  /** The words of the seven text columns, stemmed, in order. */
  readonly columns: readonly (readonly string[])[]
}

/** The record that `put` makes of an input with an id, both times and at most one vector. */
export function oracleRecordOf(input: RecordInput): OracleRecord {
  const { createdAt, updatedAt, vectors } = input
  if (createdAt === undefined || updatedAt === undefined) throw new Error(`${input.id} needs both of its times`)
  // Extraction, hash and defaults are no part of a policy: other tests judge them.
  const parsed = parseRecord({ ...input, vectors: undefined })
  const texts = { ...parsed, paths: parsed.pathsText, terms: parsed.termsText }
  const columns = textFields.map((field) => stemsOf(texts[field] ?? ''))
  return { ...parsed, createdAt, updatedAt, vectors: vectors instanceof Float32Array ? [vectors] : [], columns }
}

/** The words of a text as FTS5 holds them. */
export function stemsOf(text: string): string[] {
  return tokenise(text).map(({ word }) => stem(word))
}

/** Exact cosine in float64; 0 where either is zero. */
export function plainCosine(a: Float32Array, b: Float32Array): number {
  const dot = sumOf(a.length, (i) => at(a, i) * at(b, i))
  const norms =
    Math.sqrt(sumOf(a.length, (i) => at(a, i) * at(a, i))) * Math.sqrt(sumOf(b.length, (i) => at(b, i) * at(b, i)))
  return norms === 0 ? 0 : dot / norms
}

/** Cosine of the record's best vector, or undefined without any. */
export function bestCosineOf(record: OracleRecord, query: Float32Array): number | undefined {
  return record.vectors.length === 0
    ? undefined
    : Math.max(...record.vectors.map((vector) => plainCosine(query, vector)))
}

/** Descending by the numbers in turn, then by id. */
export function descending(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [i, x] of a.entries()) {
    const y = b[i] as typeof x
    if (x === y) continue
    return typeof x === 'string' ? compareCodePoints(y as string, x) : (y as number) - x
  }
  return 0
}

function sumOf(count: number, summand: (i: number) => number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += summand(i)
  return sum
}

function at(vector: Float32Array, i: number): number {
  return vector[i] as number
}
