/** A file path of the query is a path of the record: 1 for the same path, ½ for the end of a longer path. */
import type { Signal } from './signal.ts'

export const paths: Signal = {
  name: 'paths',
  isOfQuestion: true,
  value: ({ candidates }, row) => candidates.paths[row]! / 2,
  weight: ({ fusion, channels }) => (channels.paths.ran ? fusion.paths : 0),
  reason: (value) => (value === 1 ? 'names the same file' : 'names a file that ends in the same path'),
}
