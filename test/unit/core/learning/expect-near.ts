/** Random numbers of a wide range, and equality up to rounding. */
import { expect } from 'vitest'

export const cases = 5000

export function expectNear(value: number, naive: number, message?: string): void {
  expect(Math.abs(value - naive), message).toBeLessThanOrEqual(1e-12 * Math.max(Math.abs(naive), 1e-3))
}
