/**
 * A full memory: no WebAssembly memory can grow, and the free part of SQLite's is allocated except for a number of
 * bytes. Both SQLite and the vector kernel then meet failing allocations, at a place that depends only on that number.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'

export interface MemoryCap {
  /** `roomBytes` of SQLite's memory stay free, in one piece or in many. */
  cap(roomBytes: number): void
  lift(): void
  /** How often a memory was refused growth since the last cap. */
  refusals(): number
}

/** Only one at a time. */
export function createMemoryCap({ wasm }: Sqlite3Static): MemoryCap {
  const { malloc, free } = wasm.exports as unknown as {
    malloc(bytes: number): number
    free(pointer: number): void
  }
  const grow = WebAssembly.Memory.prototype.grow
  let ballast: number[] = []
  let refusals = 0
  const lift = () => {
    WebAssembly.Memory.prototype.grow = grow
    for (const pointer of ballast) free(pointer)
    ballast = []
  }
  return {
    cap(roomBytes) {
      lift()
      WebAssembly.Memory.prototype.grow = () => {
        refusals += 1
        throw new RangeError('WebAssembly.Memory.grow(): the memory is full, says the test')
      }
      const room = roomBytes > 0 ? malloc(roomBytes) : 0
      for (let size = 1 << 20; size >= 64; size >>= 1) {
        for (let pointer = malloc(size); pointer !== 0; pointer = malloc(size)) ballast.push(pointer)
      }
      if (room !== 0) free(room)
      refusals = 0
    },
    lift,
    refusals: () => refusals,
  }
}
