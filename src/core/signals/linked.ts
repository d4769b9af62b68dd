/** Links from the first records of the answer. One hop or more adds up to ½, so the value is doubled to reach 1. */
import type { Signal } from './signal.ts'

export const linked: Signal = {
  name: 'linked',
  value: ({ candidates }, row) => Math.min(1, 2 * candidates.linked[row]!),
  weight: ({ policy, channels }) => (channels.linked.ran ? policy.learned.linked : 0),
  reason: (value) => `was used with what the question finds: ${value.toFixed(2)}`,
}
