/** A scratch region of kernel memory that grows by doubling. Its content is lost when it grows. */

import type { Kernel } from '../../kernel/load-kernel.ts'

export interface Region {
  /** Returns a pointer to at least `bytes` bytes. */
  reach(bytes: number): number
  /** Bytes reserved. */
  size(): number
}

/** An empty region. */
export function createRegion(kernel: Kernel): Region {
  let pointer = 0
  let size = 0
  return {
    size: () => size,
    reach: (bytes) => {
      if (bytes > size) {
        size = Math.max(bytes, size * 2, 64)
        pointer = kernel.reserve(size)
      }
      return pointer
    },
  }
}
