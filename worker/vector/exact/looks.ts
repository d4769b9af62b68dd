/**
 * Plans the passes over the rows: all rows, all rows with a bitmap of the wanted keys, or the listed rows of few keys. All give the same
 * numbers.
 */
import type { Kernel } from '../../kernel/load-kernel.ts'
import { createReadAhead } from './read-ahead.ts'
import { createRegion } from './region.ts'
import type { RowBlocks } from './row-blocks.ts'

/** A pass over the rows of a scope. `run` may be called twice. */
export interface Look {
  /** Pointer to the bitmap of wanted keys; 0: all. */
  readonly allowed: number
  /** Whether it passes over all rows. */
  readonly isWide: boolean
  readonly run: () => void
}

export interface Looks {
  /** `scopeKeys`: null for all records. Records of `except` are left out. */
  planLook(scopeKeys: Uint32Array | null, except: ReadonlySet<number>): Look
  /** First rows of the given records that have vectors, in the order of `keys`; only those that are wanted. */
  listRows(
    keys: Uint32Array,
    isWanted: (row: number, key: number) => boolean,
  ): { readonly pointer: number; readonly count: number }
  bytes(): number
}

/** `rowCodes`: bytes of the codes of a row. */
export function createLooks(kernel: Kernel, rows: RowBlocks, rowCodes: number): Looks {
  const list = createRegion(kernel)
  const allowed = createRegion(kernel)
  const readAhead = createReadAhead(() => performance.now())

  return { planLook, listRows, bytes: () => list.size() + allowed.size() }

  function planLook(scopeKeys: Uint32Array | null, except: ReadonlySet<number>): Look {
    if (scopeKeys === null && except.size === 0) return { allowed: 0, isWide: true, run: scanAll }
    const words = (rows.largestKey() >>> 5) + 1
    const isFew = scopeKeys !== null && scopeKeys.length * gatherShare < rows.extent()
    if (isFew || words * 4 > largestBitmapBytes) {
      const wanted = scopeKeys ?? rows.keys()
      const isWanted = except.size === 0 ? () => true : (_row: number, key: number) => !except.has(key)
      const { pointer, count } = listRows(wanted, isWanted)
      return { allowed: 0, isWide: false, run: () => kernel.gather(pointer, count, rows.extent()) }
    }
    const pointer = allowed.reach(words * 4)
    writeBits(pointer / 4, words, scopeKeys, except)
    // Under a scope, reading ahead would read the rows that the bitmap skips.
    return { allowed: pointer, isWide: true, run: scopeKeys === null ? scanAll : () => kernel.scan(rows.extent(), 0) }
  }

  /**
   * Writes through the kernel's own view: when this function is hot, SpiderMonkey (Firefox ESR 153) drops writes to a view that is created
   * here and never read. The scan then finds an empty scope.
   */
  function writeBits(first: number, words: number, scopeKeys: Uint32Array | null, except: ReadonlySet<number>): void {
    const view = kernel.words()
    view.fill(scopeKeys === null ? 0xffffffff : 0, first, first + words)
    for (let i = 0; i < (scopeKeys?.length ?? 0); i++) {
      const key = scopeKeys![i]!
      const at = first + (key >>> 5)
      if (at < first + words) view[at] = view[at]! | (1 << (key & 31))
    }
    for (const key of except) {
      const at = first + (key >>> 5)
      if (at < first + words) view[at] = view[at]! & ~(1 << (key & 31))
    }
  }

  function scanAll(): void {
    readAhead.run(rows.extent() * rowCodes, (ahead) => kernel.scan(rows.extent(), ahead))
  }

  function listRows(
    keys: Uint32Array,
    isWanted: (row: number, key: number) => boolean,
  ): { readonly pointer: number; readonly count: number } {
    const pointer = list.reach(keys.length * 4)
    const words = kernel.words()
    let count = 0
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!
      const row = rows.rowByKey(key)
      if (row >= 0 && isWanted(row, key)) words[pointer / 4 + count++] = row
    }
    return { pointer, count }
  }
}

/**
 * Gathering is used below one row in three. With one allowed row in ten, gathering took a third of the time of a scan: its loads
 * overlap and no branch is mispredicted. With one in two, a scan is faster.
 */
const gatherShare = 3

/** Keys may be sparse. Above 2^27 of them a bitmap costs more than it saves. */
const largestBitmapBytes = 2 ** 24
