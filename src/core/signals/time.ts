/** How much of the record's event time lies in a time that the query names: a bonus, never a filter. */
import type { Signal } from './signal.ts'

export const time: Signal = {
  name: 'time',
  value: ({ candidates }, row) => candidates.time?.share[row] ?? 0,
  weight: ({ candidates, fusion }) => (candidates.time === undefined ? 0 : (fusion.time ?? 0)),
  reason(_value, { candidates, times }, row) {
    const window = times[candidates.time!.window[row]!]!
    return `${window.text}: ${window.words}`
  },
}
