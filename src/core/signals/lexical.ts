/** How well the words match: BM25 with the statistics of the scope, as a share of the highest possible, or saturated (see `lexical/bm25.ts`). */
import type { Signal } from './signal.ts'

export const lexical: Signal = {
  name: 'lexical',
  isOfQuestion: true,
  value({ candidates, facts, fusion }, row) {
    const share = candidates.lexical[row]!
    if (fusion.lexicalScale === 'absolute') return share
    const bm25 = share * (facts.lexical?.highest ?? 0)
    return bm25 / (1 + bm25)
  },
  weight: ({ fusion }) => fusion.lexical,
  reason: (value, { fusion }) =>
    fusion.lexicalScale === 'absolute'
      ? `words match at ${percent(value)} of the best possible`
      : `words match: ${value.toFixed(2)}`,
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
