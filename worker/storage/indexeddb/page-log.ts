/**
 * Keeps a page file in a byte store: an append-only journal of committed page images, and two generations of snapshots
 * which are rewritten in turn, so that at every moment one of them is whole and the journal leads from it to the end.
 */
import { RecallError } from '../../../src/core/model/errors.ts'
import { type Page, type PageChanges, pageBytes } from '../../sqlite/pages/page-file.ts'
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
import { readLog } from './read-log.ts'
import { encodeReserve, isReserveKey, reserveBytesFor, reserveBytesOf } from './reserve.ts'

export interface PageLog {
  /** The file as it was last acknowledged. */
  readonly pages: readonly Page[]
  /** What was found damaged and done without, in words. */
  readonly degraded: readonly string[]
  /** Nothing was ever acknowledged here. */
  readonly isNew: boolean
  /** A session was cut short between deleting and erasing: `erase` is due. */
  readonly isErasing: boolean
  /** Resolves when the changes are durable; `view` is the whole file with them. Rejects with nothing written. One call at a time. */
  append(changes: PageChanges, view: readonly Page[], kind: AppendKind): Promise<void>
  /**
   * Rewrites both generations as `view`, which must be the file as last appended, and drops the journal: nothing else is
   * left. Rejects with the file as durable as before; what is left to do is done by the next `erase`.
   */
  erase(view: readonly Page[]): Promise<void>
  /** Resolves when nothing is rewritten in the background any more. */
  idle(): Promise<void>
}

export interface AppendKind {
  /** `erase` follows. */
  readonly isErasing: boolean
  /** May use the room that is kept for deletions (reserve.ts). Any other append makes sure of that room. */
  readonly isDeletion: boolean
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
  /** The file as of `end`. */
  let latest: readonly Page[] = pages
  /** The last generation that was due found no room. */
  let isCramped = false

  const write: Write = async (puts, removes = []) => {
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

  /** What the disk can do without while it is full, the next part of it: the reserve, then what no whole generation needs. */
  const dispensable = (): readonly string[] => {
    const reserve = [...known].filter(isReserveKey)
    if (reserve.length > 0) return reserve
    const needed = Math.min(...slots.map(({ sequence }) => sequence ?? Number.POSITIVE_INFINITY))
    return Number.isFinite(needed) ? [...known].filter((key) => (batchOfKey(key) ?? needed + 1) <= needed) : []
  }

  /** For deletions: on a full disk it makes room first. Removing is always allowed, and never in one step with what needs the room. */
  const writeInRoom: Write = async (puts, removes = []) => {
    for (;;) {
      try {
        return await write(puts, removes)
      } catch (error) {
        const spare = isFull(error) ? dispensable() : []
        if (spare.length === 0) throw error
        await write([], spare)
      }
    }
  }

  /** What may land in parts does so where there is not room for all: each part replaces values of its own size. */
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
   * Makes a slot the generation of `view`, the file as of `at`. What changes meanwhile becomes stale again. `isCommit`: the file has
   * never been so before, and its last step makes it so.
   */
  const rewrite = async (slot: Slot, view: readonly Page[], at: LogState, writeOne: Write, isCommit = false) => {
    const count = Math.ceil(view.length / chunkPages)
    const isKnown = slot.sequence !== null && slot.stale !== null
    const chunks = isKnown ? [...(slot.stale ?? [])].filter((chunk) => chunk < count) : [...Array(count).keys()]
    const checksums: string[] = isKnown ? slot.checksums.slice(0, count) : []
    const before = new Set(known)
    slot.sequence = null
    slot.stale = new Set()
    try {
      // Without its head it is no generation, until all of it is written.
      if (known.has(headKey(slot.name))) await write([], [headKey(slot.name)])
      for (let from = 0; from < chunks.length; from += limits.stepChunks) {
        const encoded = chunks.slice(from, from + limits.stepChunks).map((chunk) => encodeChunk(slot.name, chunk, view))
        await writeParted(
          encoded.map(({ put }) => put),
          writeOne,
        )
        for (const [i, { checksum }] of encoded.entries()) checksums[chunks[from + i]!] = checksum
      }
      const surplus = [...known].filter((key) => (chunkOfKey(slot.name, key) ?? -1) >= count)
      const head = encodeHead(slot.name, { sequence: at.sequence, chain: at.chain, pageCount: view.length, checksums })
      // The journal does not lead to it.
      const skipped = isCommit ? [...known].filter((key) => batchOfKey(key) !== null) : []
      await writeOne([head, ...(isCommit ? encodeState(at) : [])], [...surplus, ...skipped])
      slot.sequence = at.sequence
      slot.checksums = checksums
    } catch (error) {
      slot.stale = null
      const added = [...known].filter((key) => chunkOfKey(slot.name, key) !== null && !before.has(key))
      // On a full disk half a copy only takes room.
      if (isFull(error) && added.length > 0) await write([], added).catch(() => undefined)
      throw error
    }
  }

  /** The older generation anew, and one that there is not yet. */
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
      // The other generation and the journal are enough; the next time it is due it is tried again.
      .catch(() => undefined)
      .finally(() => {
        rewriting = null
      })
  }

  /** A deletion for whose batch there is no room: a generation takes it up, in the place of what it had before, or in the reserve. */
  const commitByGeneration = async (view: readonly Page[], numbers: readonly number[], next: LogState) => {
    await rewriting
    const [slot] = oldestFirst() as [Slot, Slot]
    markStale(numbers, view.length)
    await rewrite(slot, view, next, writeInRoom, true)
    journalBytes = 0
    journalLength = 0
  }

  const markStale = (numbers: readonly number[], pageCount: number) => {
    for (const { stale } of slots) {
      for (const number of numbers) stale?.add(Math.floor(number / chunkPages))
      // A file that became shorter has another last chunk.
      stale?.add(Math.floor(Math.max(0, pageCount - 1) / chunkPages))
    }
  }

  /** What an append that is no deletion also writes, so that deletions have room: nothing where there is enough. */
  const reserveFor = (pageCount: number): { readonly puts: readonly Put[]; readonly removes: readonly string[] } => {
    const bytes = reserveBytesFor(pageCount * pageBytes)
    const kept = [...known].filter(isReserveKey)
    if (kept.some((key) => reserveBytesOf(key) >= bytes)) return { puts: [], removes: [] }
    return { puts: [encodeReserve(bytes)], removes: kept }
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
      // Once asked for, erasing stays due until it is done.
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
        // Without a second copy, a deletion in a large store would have no place.
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
      for (const slot of oldestFirst()) await rewrite(slot, view, end, writeInRoom)
      const next = { ...end, isErasing: false }
      await writeInRoom(encodeState(next), obsolete())
      end = next
      journalBytes = 0
      journalLength = 0
      isCramped = false
      const { puts, removes } = reserveFor(view.length)
      // Where there is no room for it, the next write that is no deletion is refused.
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
