/** Orders a listing without text or vector by recency: 1 / rank in the recent channel. */
import type { Signal } from './signal.ts'

export const recent: Signal = {
  name: 'recent',
  value: ({ candidates }, row) => (candidates.recent[row] === 0 ? 0 : 1 / candidates.recent[row]!),
  weight: ({ channels, fusion }) => (channels.recent.ran ? (fusion.recent ?? 1) : 0),
  reason: (value, { candidates }) =>
    `number ${Math.round(1 / value)} by time of ${candidates.time === undefined ? 'change' : 'event'}`,
}
