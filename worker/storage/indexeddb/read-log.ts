/**
 * Reads a page log: the newest complete generation, then every later batch up to the acknowledged end. Uses the first combination that
 * can be proven; if there is none, the store is STORE_CORRUPT. Writes nothing.
 */
import { type RecallError, recallError } from '../../../src/core/model/errors.ts'
import { salvageHint } from '../../../src/protocol/salvage.ts'
import { stateKeys } from '../../../src/protocol/store-directory.ts'
import { type Page, pageBytes } from '../../sqlite/pages/page-file.ts'
import type { ByteStore } from '../common/byte-store.ts'
import { decodeFrame } from './frame.ts'
import {
  batchKey,
  beginning,
  canFollow,
  chunkKey,
  chunkPages,
  decodeBatch,
  decodeHead,
  decodeState,
  type GenerationHead,
  headKey,
  type LogState,
  logFormat,
  newerLog,
  pageAt,
  type SlotName,
} from './log-format.ts'

export interface ReadLog {
  readonly state: LogState
  readonly pages: Page[]
  /** The generation that was used; null: there was none, and the journal starts at the beginning. */
  readonly taken: { readonly slot: SlotName; readonly head: GenerationHead } | null
  /** The batches that were replayed after it. */
  readonly replayed: Replayed
  /** Damage that was found and worked around, one sentence each. */
  readonly degraded: readonly string[]
}

interface Replayed {
  readonly bytes: number
  readonly count: number
  /** Chunks that differ from the generation. */
  readonly chunks: ReadonlySet<number>
}

/** Rejects with STORE_CORRUPT or STORE_NEWER. Without keys, it is a new, empty log. */
export async function readLog(store: ByteStore, keys: readonly string[]): Promise<ReadLog> {
  const state = await readState(store, keys)
  const problems: string[] = []
  const heads = await readHeads(store, keys, state, problems)
  for (const generation of [...heads, null]) {
    const read = await readFrom(store, state, generation)
    if (typeof read === 'object') return { state, ...read, taken: generation, degraded: problems.map(notUsed) }
    // Without a generation the journal alone is read. If there are generations, its failure is expected and not reported.
    if (generation !== null || heads.length === 0) problems.push(read)
  }
  throw corrupt(problems.join('; '))
}

async function readState(store: ByteStore, keys: readonly string[]): Promise<LogState> {
  if (keys.length === 0) return beginning
  const values = await store.read(stateKeys)
  const states = stateKeys.flatMap((key, i) => decodeState(key, values[i]) ?? [])
  const [state] = states
  if (state === undefined) throw corrupt('its state cannot be read')
  if (states.some(({ chain }) => chain !== state.chain)) throw corrupt('it has two states')
  if (state.format <= logFormat) return state
  throw newerLog(state.format)
}

type Taken = NonNullable<ReadLog['taken']>

/** Newest first. */
async function readHeads(
  store: ByteStore,
  keys: readonly string[],
  state: LogState,
  problems: string[],
): Promise<readonly Taken[]> {
  const slots = (['a', 'b'] as const).filter((slot) => keys.includes(headKey(slot)))
  const values = await store.read(slots.map(headKey))
  const heads = slots.flatMap((slot, i): readonly Taken[] => {
    const head = decodeHead(slot, values[i])
    if (head !== null && head.sequence <= state.sequence) return [{ slot, head }]
    problems.push(`the head of generation ${slot} is damaged`)
    return []
  })
  return heads.toSorted((left, right) => right.head.sequence - left.head.sequence)
}

/** The pages, or the problem as text. */
async function readFrom(
  store: ByteStore,
  state: LogState,
  taken: Taken | null,
): Promise<Pick<ReadLog, 'pages' | 'replayed'> | string> {
  const pages = taken === null ? [] : await readGeneration(store, taken)
  if (typeof pages === 'string') return pages
  const replayed = await replay(store, state, taken?.head ?? beginning, pages)
  return typeof replayed === 'string' ? replayed : { pages, replayed }
}

async function readGeneration(store: ByteStore, { slot, head }: Taken): Promise<Page[] | string> {
  const pages: Page[] = []
  for (let from = 0; from < head.checksums.length; from += stepChunks) {
    const checksums = head.checksums.slice(from, from + stepChunks)
    const keys = checksums.map((_, i) => chunkKey(slot, from + i))
    const values = await store.read(keys)
    for (const [i, checksum] of checksums.entries()) {
      const frame = decodeFrame(keys[i]!, values[i])
      if (frame?.checksum !== checksum) return `chunk ${from + i} of generation ${slot} is damaged`
      for (let at = 0; at < frame.payload.length; at += pageBytes) pages.push(pageAt(frame.payload, at))
    }
  }
  return pages.length === head.pageCount ? pages : `generation ${slot} is not whole`
}

/** Applies the batches to `pages`. */
async function replay(
  store: ByteStore,
  end: LogState,
  from: Pick<LogState, 'sequence' | 'chain'>,
  pages: Page[],
): Promise<Replayed | string> {
  let { chain } = from
  let bytes = 0
  const chunks = new Set<number>()
  for (let first = from.sequence + 1; first <= end.sequence; first += stepBatches) {
    const last = Math.min(end.sequence, first + stepBatches - 1)
    const sequences = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    const values = await store.read(sequences.map(batchKey))
    for (const [i, sequence] of sequences.entries()) {
      const batch = decodeBatch(sequence, values[i])
      if (batch === null)
        return `batch ${sequence} of the journal is ${values[i] === undefined ? 'missing' : 'damaged'}`
      if (batch.previous !== chain || !canFollow(batch, pages.length))
        return `batch ${sequence} of the journal does not follow the one before`
      for (const [j, number] of batch.numbers.entries()) {
        pages[number] = batch.pages[j]!
        chunks.add(Math.floor(number / chunkPages))
      }
      pages.length = batch.pageCount
      chunks.add(Math.floor(Math.max(0, batch.pageCount - 1) / chunkPages))
      chain = batch.checksum
      bytes += values[i]?.length ?? 0
    }
  }
  if (chain !== end.chain) return 'the journal does not end where it was acknowledged'
  return { bytes, count: end.sequence - from.sequence, chunks }
}

function notUsed(problem: string): string {
  return `A copy of the store was found damaged and is not used: ${problem}.`
}

function corrupt(problem: string): RecallError {
  return recallError('STORE_CORRUPT', `The store in IndexedDB cannot be read: ${problem}`, {
    hint: salvageHint,
  })
}

/** Values read at once: chunks (4 MiB), batches. */
const stepChunks = 64
const stepBatches = 16
