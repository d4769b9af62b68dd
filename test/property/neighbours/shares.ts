/** Shares that are equal before and after a record. */
import type { NeighbourShares } from '../../../src/core/model/policy.ts'

export const alike = (shares: readonly number[]): NeighbourShares => ({ before: shares, after: shares })
