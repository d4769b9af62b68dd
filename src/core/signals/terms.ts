/** An exact term of the query (symbol, test, package, error code) is a term of the record. */
import type { Signal } from './signal.ts'

export const terms: Signal = {
  name: 'terms',
  isOfQuestion: true,
  value: ({ candidates }, row) => (candidates.terms[row]! > 0 ? 1 : 0),
  weight: ({ fusion, channels }) => (channels.terms.ran ? fusion.terms : 0),
  reason: () => 'names the same symbol, test or package',
}
