/**
 * Keeps a page file in a byte store: an append-only journal of committed page images, and two generations of snapshots, rewritten in
 * turn. At every moment one generation is complete, and the journal leads from it to the end.
 */
import { RecallError } from '../../../src/core/model/errors.ts'
import { type Page, type PageChanges, pageBytes } from '../../sqlite/pages/page-file.ts'
import { reserveBytesFor } from '../common/filling.ts'
import type { ByteStore } from '../common/byte-store.ts'
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
import { readLog } from './read-log.ts'
import { encodeReserve, isReserveKey, reserveBytesOf } from './reserve.ts'

export interface PageLog {
  /** The pages as last acknowledged. */
  readonly pages: readonly Page[]
  /** Damage that was found and worked around, one sentence each. */
  readonly degraded: readonly string[]
  /** Whether nothing was ever acknowledged here. */
  readonly isNew: boolean
  /** Whether a session ended between deleting and erasing, so that `erase` is due. */
  readonly isErasing: boolean
  /** Resolves when the changes are durable; `view` is the whole file with them. A rejected call wrote nothing. One call at a time. */
  append(changes: PageChanges, view: readonly Page[], kind: AppendKind): Promise<void>
  /**
   * Rewrites both generations as `view`, which must be the file as last appended, and drops the journal, so that nothing else remains. If
   * it rejects, the file is as durable as before, and the next `erase` completes the work.
   */
  erase(view: readonly Page[]): Promise<void>
  /** Resolves when no rewrite runs in the background. */
  idle(): Promise<void>
}

export interface AppendKind {
  /** Whether `erase` follows. */
  readonly isErasing: boolean
  /** Whether it may use the space reserved for deletions (reserve.ts). Any other append renews the reserve. */
  readonly isDeletion: boolean
}

interface Slot {
  readonly name: SlotName
  /** The batch after which the file looked like this generation; null: it is not complete. */
  sequence: number | null
  checksums: readonly string[]
  /** Chunks that changed since; null: the stored chunks were not read, so all are written. */
  stale: Set<number> | null
}

/** When a generation is rewritten. */
export interface LogLimits {
  /** Once the journal is larger than this, */
  readonly journalBytes: number
  /** and larger than this share of the file, so that rewriting stays proportional to writing; */
  readonly journalShare: number
  /** or at this many batches, so that opening stays fast. */
  readonly journalBatches: number
  /** Chunks written in one step, which limits the memory of a step. */
  readonly stepChunks: number
}

/** 8 MiB, half the file, 512 batches; steps of 4 MiB. */
export const logLimits: LogLimits = {
  journalBytes: 8 << 20,
  journalShare: 0.5,
  journalBatches: 512,
  stepChunks: 64,
}

/** Rejects with STORE_CORRUPT or STORE_NEWER. Opening only reads. */
export async function openPageLog(store: ByteStore, limits: LogLimits = logLimits): Promise<PageLog> {
  const storedKeys = new Set(await store.keys())
  const { state, pages, taken, replayed, degraded } = await readLog(store, [...storedKeys])
  const slots = (['a', 'b'] as const).map((name): Slot => {
    if (name !== taken?.slot) return { name, sequence: null, checksums: [], stale: null }
    const { sequence, checksums } = taken.head
    return { name, sequence, checksums, stale: new Set(replayed.chunks) }
  })
  let end = state
  let journalBytes = replayed.bytes
  let journalLength = replayed.count
  let rewriting: Promise<void> | null = null
  /** The file as of `end`. */
  let latest: readonly Page[] = pages
  /** Whether there was no space for the last generation that was due. */
  let isCramped = false

  const write: Write = async (puts, removes = []) => {
    await store.write(puts, removes)
    for (const [key] of puts) storedKeys.add(key)
    for (const key of removes) storedKeys.delete(key)
  }

  const oldestFirst = () => slots.toSorted((left, right) => (left.sequence ?? -1) - (right.sequence ?? -1))

  /** Batches that no generation needs. */
  const obsolete = () => {
    const needed = Math.min(...slots.map(({ sequence }) => sequence ?? 0))
    return [...storedKeys].filter((key) => (batchOfKey(key) ?? Number.POSITIVE_INFINITY) <= needed)
  }

  /** Keys that can be removed next on a full disk: the reserve, then batches that no complete generation needs. */
  const removableKeys = (): readonly string[] => {
    const reserve = [...storedKeys].filter(isReserveKey)
    if (reserve.length > 0) return reserve
    const needed = Math.min(...slots.map(({ sequence }) => sequence ?? Number.POSITIVE_INFINITY))
    return Number.isFinite(needed) ? [...storedKeys].filter((key) => (batchOfKey(key) ?? needed + 1) <= needed) : []
  }

  /** Writes for deletions: on a full disk it frees space first, in a step of its own. Removing is always possible. */
  const writeFreeingSpace: Write = async (puts, removes = []) => {
    for (;;) {
      try {
        return await write(puts, removes)
      } catch (error) {
        const spare = isFull(error) ? removableKeys() : []
        if (spare.length === 0) throw error
        await write([], spare)
      }
    }
  }

  /** Splits a write that does not fit and need not be atomic: each part replaces values of its own size. */
  const writeParted = async (puts: readonly Put[], writeOne: Write): Promise<void> => {
    if (puts.length <= 1) return writeOne(puts)
    try {
      await write(puts)
    } catch (error) {
      if (!isFull(error)) throw error
      const half = puts.length >> 1
      await writeParted(puts.slice(0, half), writeOne)
      await writeParted(puts.slice(half), writeOne)
    }
  }

  /**
   * Rewrites a slot as the generation of `view`, the file as of `at`. Chunks that change meanwhile become stale again. `isCommit`: `at` is
   * not committed yet, and the last step commits it.
   */
  const rewrite = async (slot: Slot, view: readonly Page[], at: LogState, writeOne: Write, isCommit = false) => {
    const count = Math.ceil(view.length / chunkPages)
    const isKnown = slot.sequence !== null && slot.stale !== null
    const chunks = isKnown ? [...(slot.stale ?? [])].filter((chunk) => chunk < count) : [...Array(count).keys()]
    const checksums: string[] = isKnown ? slot.checksums.slice(0, count) : []
    const before = new Set(storedKeys)
    slot.sequence = null
    slot.stale = new Set()
    try {
      // Without its head it is not a generation until all of it is written.
      if (storedKeys.has(headKey(slot.name))) await write([], [headKey(slot.name)])
      for (let from = 0; from < chunks.length; from += limits.stepChunks) {
        const encoded = chunks.slice(from, from + limits.stepChunks).map((chunk) => encodeChunk(slot.name, chunk, view))
        await writeParted(
          encoded.map(({ put }) => put),
          writeOne,
        )
        for (const [i, { checksum }] of encoded.entries()) checksums[chunks[from + i]!] = checksum
      }
      const surplus = [...storedKeys].filter((key) => (chunkOfKey(slot.name, key) ?? -1) >= count)
      const head = encodeHead(slot.name, { sequence: at.sequence, chain: at.chain, pageCount: view.length, checksums })
      // The journal does not lead to this generation.
      const skipped = isCommit ? [...storedKeys].filter((key) => batchOfKey(key) !== null) : []
      await writeOne([head, ...(isCommit ? encodeState(at) : [])], [...surplus, ...skipped])
      slot.sequence = at.sequence
      slot.checksums = checksums
    } catch (error) {
      slot.stale = null
      const added = [...storedKeys].filter((key) => chunkOfKey(slot.name, key) !== null && !before.has(key))
      // On a full disk a partial copy only wastes space.
      if (isFull(error) && added.length > 0) await write([], added).catch(() => undefined)
      throw error
    }
  }

  /** Rewrites the older generation, or the one that does not exist yet. */
  const rewriteOldest = async () => {
    journalBytes = 0
    journalLength = 0
    const due = oldestFirst().filter(({ sequence }, i) => i === 0 || sequence === null)
    try {
      for (const slot of due) await rewrite(slot, latest, end, write)
      await write([], obsolete())
      isCramped = false
    } catch (error) {
      isCramped = isFull(error)
      throw error
    }
  }

  const rewriteInBackground = () => {
    rewriting = rewriteOldest()
      // The other generation and the journal suffice; the rewrite is tried again when it is next due.
      .catch(() => undefined)
      .finally(() => {
        rewriting = null
      })
  }

  /** Commits a deletion whose batch does not fit: rewrites a generation with it, in the space of its old chunks or of the reserve. */
  const commitByGeneration = async (view: readonly Page[], numbers: readonly number[], next: LogState) => {
    await rewriting
    const [slot] = oldestFirst() as [Slot, Slot]
    markStale(numbers, view.length)
    await rewrite(slot, view, next, writeFreeingSpace, true)
    journalBytes = 0
    journalLength = 0
  }

  const markStale = (numbers: readonly number[], pageCount: number) => {
    for (const { stale } of slots) {
      for (const number of numbers) stale?.add(Math.floor(number / chunkPages))
      // A shorter file has another last chunk.
      stale?.add(Math.floor(Math.max(0, pageCount - 1) / chunkPages))
    }
  }

  /** The reserve that an append other than a deletion must also write; empty if there is enough. */
  const reserveFor = (pageCount: number): { readonly puts: readonly Put[]; readonly removes: readonly string[] } => {
    const bytes = reserveBytesFor(pageCount * pageBytes)
    const reserves = [...storedKeys].filter(isReserveKey)
    if (reserves.some((key) => reserveBytesOf(key) >= bytes)) return { puts: [], removes: [] }
    return { puts: [encodeReserve(bytes)], removes: reserves }
  }

  return {
    pages,
    degraded,
    isNew: state.sequence === 0,
    isErasing: state.isErasing,
    async append(changes, view, { isErasing, isDeletion }) {
      const { numbers, pageCount } = changes
      const sequence = end.sequence + 1
      const { put, checksum } = encodeBatch(sequence, end.chain, changes)
      // Erasing stays due until it is done.
      const next = { format: logFormat, sequence, chain: checksum, isErasing: isErasing || end.isErasing }
      const batch = [put, ...encodeState(next)]
      let isInJournal = true
      if (isDeletion) {
        try {
          await write(batch)
        } catch (error) {
          if (!isFull(error)) throw error
          await commitByGeneration(view, numbers, next)
          isInJournal = false
        }
      } else {
        // Without a second generation, a deletion in a large store would have no space.
        if (isCramped) await rewriteOldest()
        const reserve = reserveFor(pageCount)
        await write([...reserve.puts, ...batch], reserve.removes)
      }
      end = next
      latest = view
      if (!isInJournal) return
      markStale(numbers, pageCount)
      journalBytes += put[1].length
      journalLength += 1
      const longestBytes = Math.max(limits.journalBytes, view.length * pageBytes * limits.journalShare)
      const isDue = journalBytes > longestBytes || journalLength >= limits.journalBatches
      if (isDue && !end.isErasing && rewriting === null) rewriteInBackground()
    },
    async erase(view) {
      await rewriting
      for (const slot of oldestFirst()) await rewrite(slot, view, end, writeFreeingSpace)
      const next = { ...end, isErasing: false }
      await writeFreeingSpace(encodeState(next), obsolete())
      end = next
      journalBytes = 0
      journalLength = 0
      isCramped = false
      const { puts, removes } = reserveFor(view.length)
      // If the reserve does not fit, the next write other than a deletion is refused.
      if (puts.length > 0) await write(puts, removes).catch(() => undefined)
    },
    idle: async () => {
      await rewriting
    },
  }
}

type Write = (puts: readonly Put[], removes?: readonly string[]) => Promise<void>

function isFull(error: unknown): boolean {
  return error instanceof RecallError && error.code === 'QUOTA_EXCEEDED'
}
