/** A scratch region of kernel memory that grows by doubling. What it held is not carried over when it grows. */

import type { Kernel } from '../../kernel/load-kernel.ts'

export interface Region {
  /** Pointer to at least so many bytes. */
  reach(bytes: number): number
  /** Bytes held. */
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
        const wanted = Math.max(bytes, size * 2, 64)
        pointer = kernel.reserve(wanted)
        size = wanted
      }
      return pointer
    },
  }
}
