/** The input of the oracles: a record as stored, and its vectors, in plain arrays. */
import type { RecordInput } from '../../../src/core/model/record.ts'
import { plainCosine } from '../brute-force.ts'
import { compareText, hashOf, indexedText, namesIn, stemsOf } from './plain-text.ts'

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
  /** The words of the seven text columns, stemmed, in order; the options of commands follow them. */
  readonly columns: readonly (readonly string[])[]
}

/** The record that `put` makes of an input with an id, both times and at most one vector. */
export function oracleRecordOf(input: RecordInput): OracleRecord {
  const { id, createdAt, updatedAt, vectors } = input
  if (id === undefined || createdAt === undefined || updatedAt === undefined)
    throw new Error(`${id} needs an id and both of its times`)
  const { title = null, summary = null, body = null, instruction = null, command = null } = input
  const texts = [title, summary, body, instruction, command]
  const named = namesIn(texts.map((text) => text ?? '').join('\n'))
  const files = (input.files ?? []).map(({ path, sha256 = null, mtime = null, existed = true }) => ({
    path: path.replaceAll('\\', '/'),
    sha256,
    mtime,
    existed,
  }))
  for (const { term, kind } of named)
    if (kind === 'path' && !files.some(({ path }) => path === term))
      files.push({ path: term, sha256: null, mtime: null, existed: true })
  const terms = (input.terms ?? []).map(({ term, kind }) => ({ term, kind }))
  for (const { term, kind } of named)
    if (kind !== 'path' && !terms.some((other) => other.term === term && other.kind === kind))
      terms.push({ term, kind })
  const columns = [...texts, files.map(({ path }) => path).join('\n'), terms.map(({ term }) => term).join('\n')]
  return {
    id,
    kind: input.kind ?? 'note',
    project: input.project ?? null,
    topic: input.topic ?? null,
    title,
    summary,
    body,
    instruction,
    command,
    tags: input.tags ?? [],
    files,
    terms,
    reasons: (input.reasons ?? []).map(({ code, weight = 1 }) => ({ code, weight })),
    importance: input.importance ?? 1,
    contentHash: hashOf(texts),
    createdAt,
    updatedAt,
    vectors: vectors instanceof Float32Array ? [vectors] : [],
    columns: columns.map((text) => stemsOf(indexedText(text ?? ''))),
  }
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
    const y = b[i]!
    if (x === y) continue
    return typeof x === 'string' ? compareText(y as string, x) : (y as number) - x
  }
  return 0
}
