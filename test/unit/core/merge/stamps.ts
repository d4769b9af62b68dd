/** Times and stamps of the tests of merging. */
import type { Stamp } from '../../../../src/core/merge/stamp.ts'

export const now = Date.UTC(2026, 0, 1)
export const stamp = (at: number, device = 'a', count = 0): Stamp => ({ at, count, device })
