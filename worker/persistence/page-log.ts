/**
 * Keeps a page file in a byte store: an append-only journal of committed page images, and two generations of snapshots
 * which are rewritten in turn, so that at every moment one of them is whole and the journal leads from it to the end.
 */
import type { ByteStore } from './byte-store.ts'
import {
  batchOfKey,
  chunkOfKey,
  chunkPages,
  encodeBatch,
  encodeChunk,
  encodeHead,
  encodeState,
  headKey,
  type LogState,
  logFormat,
  type Put,
  type SlotName,
} from './log-format.ts'
import { type Page, type PageChanges, pageBytes } from './page-file.ts'
import { readLog } from './read-log.ts'

export interface PageLog {
  /** The file as it was last acknowledged. */
  readonly pages: readonly Page[]
  /** What was found damaged and done without, in words. */
  readonly degraded: readonly string[]
  /** Nothing was ever acknowledged here. */
  readonly isNew: boolean
  /** A session was cut short between deleting and erasing: `erase` is due. */
  readonly isErasing: boolean
  /**
   * Resolves when the changes are durable; `view` is the whole file with them, `isErasing` says that `erase` follows.
   * Rejects with nothing written. One call at a time.
   */
  append(changes: PageChanges, view: readonly Page[], isErasing: boolean): Promise<void>
  /**
   * Rewrites both generations as `view`, which must be the file as last appended, and drops the journal: nothing else is
   * left. Rejects with the file as durable as before; what is left to do is done by the next `erase`.
   */
  erase(view: readonly Page[]): Promise<void>
  /** Resolves when nothing is rewritten in the background any more. */
  idle(): Promise<void>
}

interface Slot {
  readonly name: SlotName
  /** The batch as of which the file stands here; null: nothing whole does. */
  sequence: number | null
  checksums: readonly string[]
  /** Chunks that changed since; null: whatever stands here was not read, so all are written anew. */
  stale: Set<number> | null
}

/** When a generation is written anew. */
export interface LogLimits {
  /** Once the journal exceeds these bytes, */
  readonly journalBytes: number
  /** and this share of the file, so that rewriting stays in proportion to writing; */
  readonly journalShare: number
  /** or at this many batches, so that opening stays short. */
  readonly journalBatches: number
  /** Chunks written in one step: what a step needs of memory. */
  readonly stepChunks: number
}

/** 8 MiB, half the file, 512 batches; steps of 4 MiB. */
export const logLimits: LogLimits = {
  journalBytes: 8 << 20,
  journalShare: 0.5,
  journalBatches: 512,
  stepChunks: 64,
}

/** Rejects with STORE_CORRUPT or STORE_NEWER; opening only reads. */
export async function openPageLog(store: ByteStore, limits: LogLimits = logLimits): Promise<PageLog> {
  const known = new Set(await store.keys())
  const { state, pages, taken, replayed, degraded } = await readLog(store, [...known])
  const slots = (['a', 'b'] as const).map((name): Slot => {
    if (name !== taken?.slot) return { name, sequence: null, checksums: [], stale: null }
    const { sequence, checksums } = taken.head
    return { name, sequence, checksums, stale: new Set(replayed.chunks) }
  })
  let end = state
  let journalBytes = replayed.bytes
  let journalLength = replayed.count
  let rewriting: Promise<void> | null = null

  const write = async (puts: readonly Put[], removes: readonly string[] = []) => {
    await store.write(puts, removes)
    for (const [key] of puts) known.add(key)
    for (const key of removes) known.delete(key)
  }

  const oldestFirst = () => slots.toSorted((left, right) => (left.sequence ?? -1) - (right.sequence ?? -1))

  /** Batches that no generation needs. */
  const obsolete = () => {
    const needed = Math.min(...slots.map(({ sequence }) => sequence ?? 0))
    return [...known].filter((key) => (batchOfKey(key) ?? Number.POSITIVE_INFINITY) <= needed)
  }

  /** Makes a slot the generation of `view`, the file as of `at`. What changes meanwhile becomes stale again. */
  const rewrite = async (slot: Slot, view: readonly Page[], at: LogState) => {
    const count = Math.ceil(view.length / chunkPages)
    const isKnown = slot.sequence !== null && slot.stale !== null
    const chunks = isKnown ? [...(slot.stale ?? [])].filter((chunk) => chunk < count) : [...Array(count).keys()]
    const checksums: string[] = isKnown ? slot.checksums.slice(0, count) : []
    slot.sequence = null
    slot.stale = new Set()
    try {
      // Without its head it is no generation, until all of it is written.
      if (known.has(headKey(slot.name))) await write([], [headKey(slot.name)])
      for (let from = 0; from < chunks.length; from += limits.stepChunks) {
        const encoded = chunks.slice(from, from + limits.stepChunks).map((chunk) => encodeChunk(slot.name, chunk, view))
        await write(encoded.map(({ put }) => put))
        for (const [i, { checksum }] of encoded.entries()) checksums[chunks[from + i] as number] = checksum
      }
      const surplus = [...known].filter((key) => (chunkOfKey(slot.name, key) ?? -1) >= count)
      const { sequence, chain } = at
      await write([encodeHead(slot.name, { sequence, chain, pageCount: view.length, checksums })], surplus)
      slot.sequence = sequence
      slot.checksums = checksums
    } catch (error) {
      slot.stale = null
      throw error
    }
  }

  const rewriteInBackground = (view: readonly Page[]) => {
    journalBytes = 0
    journalLength = 0
    rewriting = rewrite(oldestFirst()[0] as Slot, view, end)
      .then(() => write([], obsolete()))
      // The other generation and the journal are enough; the next time it is due it is tried again.
      .catch(() => undefined)
      .finally(() => {
        rewriting = null
      })
  }

  return {
    pages,
    degraded,
    isNew: state.sequence === 0,
    isErasing: state.isErasing,
    async append(changes, view, isErasing) {
      const sequence = end.sequence + 1
      const { put, checksum } = encodeBatch(sequence, end.chain, changes)
      // Once asked for, erasing stays due until it is done.
      const next = { format: logFormat, sequence, chain: checksum, isErasing: isErasing || end.isErasing }
      await write([put, ...encodeState(next)])
      end = next
      for (const { stale } of slots) {
        for (const number of changes.numbers) stale?.add(Math.floor(number / chunkPages))
        // A file that became shorter has another last chunk.
        stale?.add(Math.floor(Math.max(0, changes.pageCount - 1) / chunkPages))
      }
      journalBytes += put[1].length
      journalLength += 1
      const longestBytes = Math.max(limits.journalBytes, view.length * pageBytes * limits.journalShare)
      const isDue = journalBytes > longestBytes || journalLength >= limits.journalBatches
      if (isDue && !end.isErasing && rewriting === null) rewriteInBackground(view)
    },
    async erase(view) {
      await rewriting
      for (const slot of oldestFirst()) await rewrite(slot, view, end)
      const next = { ...end, isErasing: false }
      await write(encodeState(next), obsolete())
      end = next
      journalBytes = 0
      journalLength = 0
    },
    idle: async () => {
      await rewriting
    },
  }
}
