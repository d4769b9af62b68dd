/** Words that follow each other in the query are adjacent in the record: a name, a phrase, a technical term. */
import type { Signal } from './signal.ts'

export const pairs: Signal = {
  name: 'pairs',
  isOfQuestion: true,
  value: ({ candidates }, row) => candidates.pairs[row]!,
  weight: ({ fusion, channels }) => (channels.lexical.ran ? (fusion.pairs ?? 0) : 0),
  reason: () => 'words that follow each other in the question stand side by side',
}
