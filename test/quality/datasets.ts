/**
 * Reads the measuring sets from the folder SCRUBJAY_EVAL_DATA (default ../shared/eval/data next to the repository).
 * None of them is part of the project; a missing set is skipped by name.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VectorChunk } from '../../src/core/model/record.ts'
import { loadChunks } from './chunks.ts'

export interface Document {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly scope: string
  readonly session: string | null
  readonly position: number | null
  /** When it was written, in ms; null if the set does not say. Local times of the set count as UTC. */
  readonly at: number | null
}

export interface Question {
  readonly id: string
  readonly text: string
  readonly scope: string
  /** What the question asks for, in the words of its set; null if the set does not say. */
  readonly kind: string | null
}

export interface Dataset {
  readonly name: string
  readonly documents: readonly Document[]
  readonly questions: readonly Question[]
  /** Question → document → grade. */
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** MiniLM vectors, row by row, or null without any. */
  readonly minilm: {
    readonly documents: Float32Array
    readonly questions: Float32Array
    /** Further vectors of each document, of its chunks, or null without any (chunks.ts). */
    readonly chunks: readonly (readonly VectorChunk[])[] | null
  } | null
}

export const dataFolder = resolve(
  process.env.SCRUBJAY_EVAL_DATA ?? fileURLToPath(new URL('../../../shared/eval/data', import.meta.url)),
)

/** Name → folder and variant, in the order of the tables. */
export const datasetNames = [
  'locomo',
  'locomo-sessions',
  'scifact',
  'stackfaq',
  'cranfield',
  'time',
  'mtrag-chat',
  'cookbook-docs',
  'nl2bash-notes',
  'xquad-sent',
  'drcd-sent-zh',
  'beam-chat',
] as const

export const dimensions = 384

/** ms: when the questions are asked, and the records were put. */
export const questionTime = Date.UTC(2026, 0, 1)

/** `locomo` without sessions, positions and dates, which other libraries do not read: only in the table of ranking quality. */
export const textsAlone = 'locomo-texts'

/** Null when the set is not on this machine. */
export function loadDataset(name: string): Dataset | null {
  const sessions = name === 'locomo-sessions'
  const folder = folderOf(name)
  if (!existsSync(join(folder, 'corpus.jsonl'))) return null
  const documents = lines(join(folder, sessions ? 'sessions.jsonl' : 'corpus.jsonl')).map((line) => {
    const document = toDocument(JSON.parse(line))
    return name === textsAlone ? { ...document, session: null, position: null, at: null } : document
  })
  const questions = lines(join(folder, 'queries.jsonl')).map((line) => toQuestion(JSON.parse(line)))
  const judgements = new Map<string, Map<string, number>>()
  for (const line of lines(join(folder, sessions ? 'qrels_sessions.tsv' : 'qrels.tsv'))) {
    const [question, document, grade] = line.split('\t') as [string, string, string]
    const graded = judgements.get(question) ?? new Map<string, number>()
    graded.set(document, Number(grade))
    judgements.set(question, graded)
  }
  const vectors = (file: string) => {
    const bytes = readFileSync(join(folder, 'minilm', `${file}.f32`))
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  }
  const minilm = existsSync(join(folder, 'minilm'))
    ? {
        documents: vectors(sessions ? 'sessions' : 'corpus'),
        questions: vectors('queries'),
        chunks: loadChunks(name, documents, dimensions),
      }
    : null
  return { name, documents, questions, judgements, minilm }
}

/** Chat turns, their texts alone and whole chats are sets of one folder. */
export function folderOf(name: string): string {
  return join(dataFolder, name === 'locomo-sessions' || name === textsAlone ? 'locomo' : name)
}

interface Line {
  readonly id: string
  readonly title?: string
  readonly text: string
  readonly meta?: {
    readonly conv?: string
    readonly lang?: string
    readonly session?: number
    readonly batch?: number
    readonly turn?: number
    readonly ts?: string
    readonly category_name?: string
  }
}

function toDocument({ id, title = '', text, meta = {} }: Line): Document {
  const session = meta.turn === undefined ? null : `${meta.conv}/${meta.session ?? meta.batch}`
  return {
    id,
    title,
    text,
    scope: scopeOf(meta),
    session,
    position: meta.turn ?? null,
    at: meta.ts === undefined ? null : Date.parse(`${meta.ts}Z`),
  }
}

function toQuestion({ id, text, meta = {} }: Line): Question {
  return { id, text, scope: scopeOf(meta), kind: meta.category_name ?? null }
}

function scopeOf(meta: NonNullable<Line['meta']>): string {
  return meta.conv ?? meta.lang ?? ''
}

function lines(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}
