/** The cosine itself, −1..1. Its small weight orders records that the other signals leave equal. */
import type { Signal } from './signal.ts'

export const cosine: Signal = {
  name: 'cosine',
  value: (_context, _row, cosine) => (Number.isNaN(cosine) ? 0 : cosine),
  weight: ({ fusion, channels }) => (channels.vector.ran ? fusion.cosine : 0),
  reason: (value) => `cosine ${value.toFixed(2)}`,
}
