/** How well the words match: absolute BM25 in the scope's own statistics, 0..1 (see `sketch/bm25`). */
import type { Signal } from './signal.ts'

export const lexical: Signal = {
  name: 'lexical',
  value: ({ candidates }, row) => candidates.lexical[row] as number,
  weight: ({ fusion }) => fusion.lexical,
  reason: (value) => `words match at ${percent(value)} of the best possible`,
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
