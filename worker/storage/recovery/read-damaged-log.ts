/**
 * Reads what a damaged page log still proves: a generation without its damaged chunks, then the journal as far as it continues.
 * `read-log.ts` needs a complete combination; this file takes the one that leads furthest. Writes nothing.
 */
import { stateKeys } from '../../../src/protocol/store-directory.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import { type Page, pageBytes } from '../../sqlite/pages/page-file.ts'
import type { ByteStore } from '../common/byte-store.ts'
import { decodeFrame } from '../indexeddb/frame.ts'
import {
  batchKey,
  batchOfKey,
  beginning,
  canFollow,
  chunkKey,
  chunkPages,
  decodeBatch,
  decodeHead,
  decodeState,
  type GenerationHead,
  headKey,
  logFormat,
  newerLog,
  pageAt,
  type SlotName,
} from '../indexeddb/log-format.ts'

export interface DamagedLog {
  /** Pages as of the last proven batch; null where a page cannot be proven. */
  readonly pages: readonly (Page | null)[]
  /** Number of acknowledged batches after it; null if unknown. */
  readonly missing: number | null
}

type Readable = Pick<ByteStore, 'keys' | 'read'>

interface Way {
  readonly pages: (Page | null)[]
  readonly sequence: number
  readonly chain: string
}

/** Null if nothing was ever stored. Rejects with STORE_CORRUPT if nothing is proven, STORE_NEWER as opening does. */
export async function readDamagedLog(store: Readable): Promise<DamagedLog | null> {
  const keys = await store.keys()
  if (keys.length === 0) return null
  const stored = await store.read(stateKeys)
  const states = stateKeys.flatMap((key, i) => decodeState(key, stored[i]) ?? [])
  const newer = states.find(({ format }) => format > logFormat)
  if (newer) throw newerLog(newer.format)
  const ways: Way[] = []
  for (const slot of ['a', 'b'] as const) {
    const head = decodeHead(slot, (await store.read([headKey(slot)]))[0])
    if (head !== null) ways.push(await follow(store, head, await readChunks(store, slot, head)))
  }
  const whole = await follow(store, beginning, [])
  if (whole.sequence > 0) ways.push(whole)
  const [best, ...others] = ways.toSorted((a, b) => b.sequence - a.sequence)
  if (best === undefined)
    throw recallError('STORE_CORRUPT', 'No part of the store in IndexedDB passes its checksums', {
      hint: 'Import the latest export into a new store. Nothing was changed.',
    })
  // At the same batch all combinations have the same file, so they complete each other.
  for (const { sequence, chain, pages } of others) {
    if (sequence !== best.sequence || chain !== best.chain) continue
    for (const [i, page] of best.pages.entries()) best.pages[i] = page ?? pages[i] ?? null
  }
  const sequences = [...states, ...ways].map(({ sequence }) => sequence)
  const latest = Math.max(...sequences, ...keys.map((key) => batchOfKey(key) ?? 0))
  return { pages: best.pages, missing: states.length === 0 ? null : latest - best.sequence }
}

async function readChunks(store: Readable, slot: SlotName, head: GenerationHead): Promise<(Page | null)[]> {
  const pages = Array.from({ length: head.pageCount }, (): Page | null => null)
  for (const [i, checksum] of head.checksums.entries()) {
    const key = chunkKey(slot, i)
    const frame = decodeFrame(key, (await store.read([key]))[0])
    if (frame?.checksum !== checksum) continue
    for (let n = 0; n * pageBytes < frame.payload.length; n++)
      pages[i * chunkPages + n] = pageAt(frame.payload, n * pageBytes)
  }
  return pages
}

/** Applies batches to `pages` as long as each continues the one before. */
async function follow(store: Readable, from: Pick<Way, 'sequence' | 'chain'>, pages: (Page | null)[]): Promise<Way> {
  let { sequence, chain } = from
  for (;;) {
    const batch = decodeBatch(sequence + 1, (await store.read([batchKey(sequence + 1)]))[0])
    if (batch === null || batch.previous !== chain || !canFollow(batch, pages.length)) return { pages, sequence, chain }
    while (pages.length < batch.pageCount) pages.push(null)
    pages.length = batch.pageCount
    for (const [i, number] of batch.numbers.entries()) pages[number] = batch.pages[i]!
    sequence += 1
    chain = batch.checksum
  }
}
