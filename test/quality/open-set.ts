/**
 * Opens a measuring set in a new engine and asks it like an app would: with given MiniLM vectors, with the built-in
 * embedder, by words alone, or by vectors alone. A document that the store refuses stops the measurement.
 */

import type { Outcome } from '../../src/core/model/learned.ts'
import type { Policy } from '../../src/core/model/policy.ts'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { staticEmbedder } from '../../src/embedders/index.ts'
import { ownTables } from '../../src/embedders/static-embedder.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import type { PackedResult } from '../../src/protocol/packed-result.ts'
import { createEngine, type Engine } from '../../worker/engine/engine.ts'
import { engineOptions } from '../support/stores/engine-options.ts'
import { type Dataset, dimensions, questionTime } from './datasets.ts'

/**
 * `… alone`: the question comes as a vector without its words. `… chunks`: long documents have vectors of their
 * chunks, too.
 */
export type Mode = 'words' | 'minilm' | 'minilm chunks' | 'minilm alone' | 'built-in' | 'built-in alone'

export interface OpenSet {
  /** Asks question `i`. */
  ask(i: number, asked?: AskOptions): Promise<PackedResult>
  /** Reports outcomes of documents, some days after they were put; questions are asked 90 days later from then on. */
  tell(outcomes: Readonly<Record<string, Outcome>>, afterDays: number): Promise<void>
  /** Removes documents from the store, runs, and puts them back. */
  without<T>(ids: readonly string[], run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface AskOptions {
  /** The set of the question; default: its own. */
  readonly of?: Dataset
  /** Default: the question's own. */
  readonly text?: string
  readonly typos?: RecallQuery['typos']
  readonly changes?: RecallQuery['changes']
  /** How the question comes: with its vector, or by words alone. Default: as the set was opened. */
  readonly as?: Mode
  /** The scope; default: the question's own. '' is everything. */
  readonly scope?: string
  /** Default: `balanced`, as the store was opened with. */
  readonly policy?: Policy
  /** Default `none`: judgements name each copy of a text. */
  readonly collapse?: Policy['collapse']
  /** Whether the answer holds its captured facts. */
  readonly capture?: boolean
  readonly limit?: number
  readonly reserve?: RecallQuery['reserve']
}

const context = { now: questionTime }
const batchSize = 500
const embedder = staticEmbedder()
const languagesTable = new URL('../../languages/multi-static-128.bin', import.meta.url)

/** `isCovered`: whether document `i` has its MiniLM vector; the built-in embedder's take the place of that of others. */
export async function openSet(
  dataset: Dataset,
  mode: Mode,
  options: Partial<EngineOptions> = {},
  isCovered?: (i: number) => boolean,
): Promise<OpenSet> {
  const engine = await openFor(mode, isCovered === undefined ? options : { ...options, standIn: 'every' })
  const records = recordsOf(dataset, mode, isCovered)
  await put(engine, [...records.values()])
  let asked = context
  return {
    async ask(
      i,
      {
        of = dataset,
        as = mode,
        scope = of.questions[i]?.scope ?? '',
        policy,
        collapse = 'none',
        capture = false,
        text,
        typos,
        changes,
        limit,
        reserve,
      } = {},
    ) {
      const query: RecallQuery = {
        ...(await contentOf(of, i, as)),
        ...(scope === '' ? {} : { scope: { project: scope } }),
        ...(policy === undefined ? {} : { policy }),
        collapse,
        capture,
        ...(text === undefined ? {} : { text }),
        ...(typos === undefined ? {} : { typos }),
        ...(changes === undefined ? {} : { changes }),
        limit,
        reserve,
      }
      return engine.call('recall', { query }, asked)
    },
    async tell(outcomes, afterDays) {
      asked = { now: context.now + 90 * 86_400_000 }
      const now = context.now + afterDays * 86_400_000
      await engine.call('acknowledge', { of: Object.keys(outcomes), outcomes }, { now })
    },
    async without(ids, run) {
      const left = ids.flatMap((id) => records.get(id) ?? [])
      await engine.call('forget', { ids: left.map(({ id }) => id!) }, context)
      const result = await run()
      await put(engine, left)
      return result
    },
    async close() {
      await engine.call('close', {}, context)
    },
  }
}

/** By id. A set may hold blank documents; the store refuses them, and no judgement names one. */
function recordsOf(
  { documents, minilm }: Dataset,
  mode: Mode,
  isCovered: (i: number) => boolean = () => true,
): ReadonlyMap<string, RecordInput> {
  const records = new Map<string, RecordInput>()
  for (const [i, document] of documents.entries()) {
    if (`${document.title}${document.text}`.trim() === '') continue
    records.set(document.id, {
      id: document.id,
      title: document.title || null,
      body: document.text,
      project: document.scope || null,
      session: document.session,
      position: document.position,
      // Ages stay as in sets without dates: all records changed when they were put.
      ...(document.at === null ? {} : { createdAt: document.at, updatedAt: context.now }),
      ...(usesMinilm(mode) && minilm !== null && isCovered(i) ? { vectors: vectorsOf(minilm, i, document, mode) } : {}),
    })
  }
  return records
}

function vectorsOf(
  { documents, chunks }: NonNullable<Dataset['minilm']>,
  i: number,
  { text }: Dataset['documents'][number],
  mode: Mode,
): NonNullable<RecordInput['vectors']> {
  const whole = { vector: row(documents, i), from: 0, to: text.length }
  return [whole, ...(mode === 'minilm chunks' ? (chunks?.[i] ?? []) : [])]
}

async function put(engine: Engine, records: readonly RecordInput[]): Promise<void> {
  for (let from = 0; from < records.length; from += batchSize) {
    const receipt = await engine.call('put', { batch: records.slice(from, from + batchSize) }, context)
    const rejected = receipt.records.find((record) => record.outcome === 'rejected')
    if (rejected !== undefined) throw new Error(`${rejected.id} was rejected: ${rejected.message}`)
  }
}

async function contentOf({ questions, minilm }: Dataset, i: number, mode: Mode): Promise<RecallQuery> {
  const text = questions[i]!.text
  if (mode === 'built-in alone') {
    const [vector] = await embedder.embed([text], 'query')
    return vector === undefined ? { text } : { vector }
  }
  const vector = usesMinilm(mode) && minilm !== null ? { vector: row(minilm.questions, i) } : {}
  return mode === 'minilm alone' ? vector : { text, ...vector }
}

function openFor(mode: Mode, options: Partial<EngineOptions>): Promise<Engine> {
  const builtIn = mode === 'built-in' || mode === 'built-in alone'
  return createEngine(
    {
      ...engineOptions,
      space: usesMinilm(mode)
        ? { name: 'all-MiniLM-L6-v2', dimensions }
        : builtIn
          ? { name: embedder.space, dimensions: embedder.dimensions }
          : null,
      ...options,
    },
    // Of this engine alone: the languages of its store decide which tables are loaded.
    builtIn || options.standIn !== undefined ? ownTables({ languages: languagesTable }) : null,
  )
}

/** Whether the set has the vectors that the mode needs. */
export function canAsk({ minilm }: Dataset, mode: Mode): boolean {
  return mode === 'minilm chunks' ? (minilm?.chunks ?? null) !== null : !usesMinilm(mode) || minilm !== null
}

function usesMinilm(mode: Mode): boolean {
  return mode === 'minilm' || mode === 'minilm chunks' || mode === 'minilm alone'
}

function row(vectors: Float32Array, i: number): Float32Array {
  return vectors.slice(i * dimensions, (i + 1) * dimensions)
}
