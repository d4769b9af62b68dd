/** `balanced` with one part changed: switched off, or a value on either side of the shipped one. */
import type {
  ConvexFusion,
  ConvexPolicy,
  LexicalTuning,
  MeaningTuning,
  NeighbourShares,
  Policy,
} from '../../src/core/model/policy.ts'
import { policies } from '../../src/core/policies/policies.ts'
import type { AskOptions } from './open-set.ts'

export interface Change {
  readonly part: string
  readonly to: string
  /** Moves nothing unless the question and the records have vectors. */
  readonly needsVectors: boolean
  readonly asked: AskOptions
}

const { balanced } = policies
const { fusion, lexical: words } = balanced
const { halfLength: _leftOut, ...withoutHalfLength } = fusion.neighbours!

export const changes: readonly Change[] = [
  lexical('k1 1.6', '1.2', { k1: 1.2 }),
  lexical('k1 1.6', '2', { k1: 2 }),
  lexical('b .75', '.4', { b: 0.4 }),
  lexical('length prior 20', 'none', { lengthPrior: 0 }),
  lexical('length prior 20', '40', { lengthPrior: 40 }),
  lexical('title boost 2', 'none', { titleBoost: 0 }),
  lexical('title boost 2', '4', { titleBoost: 4 }),
  lexical('common words .5', 'none', { commonWordWeight: 0 }),
  lexical('common words .5', '1', { commonWordWeight: 1 }),
  lexical('question words 0', '.5', { questionWordWeight: 0.5 }),
  lexical('statistics of the scope', 'of the store, as FTS5', { statistics: 'fts5' }),
  fused('lexical scale', 'saturated', { lexicalScale: 'saturated' }, 'words too'),
  fused('exact terms .05', 'none', { terms: 0 }, 'words too'),
  fused('paths .1', 'none', { paths: 0 }, 'words too'),
  fused('pairs of words .15', 'none', { pairs: 0 }, 'words too'),
  fused('pairs of words .15', '.3', { pairs: 0.3 }, 'words too'),
  ...[
    ['none', [], []],
    ['.3, .2, .1 on either side', [0.3, 0.2, 0.1], [0.3, 0.2, 0.1]],
    ['after as before', [0.2, 0.2, 0.1], [0.3, 0.3, 0.1, 0.1]],
    ['half of it', [0.15, 0.15, 0.05, 0.05], [0.1, 0.1, 0.05]],
  ].map(([to, before, after]) =>
    fused(
      'neighbours .3, .3, .1, .1 before, .2, .2, .1 after',
      to as string,
      { neighbours: { ...fusion.neighbours, before, after } as NeighbourShares },
      'words too',
    ),
  ),
  fused('neighbours, half length 150', 'none', { neighbours: withoutHalfLength }, 'words too'),
  { part: 'copies', to: 'near ones folded', needsVectors: false, asked: { collapse: 'near' } },
  fused('words 1', '.5', { lexical: 0.5 }),
  fused('cosine .001', 'none', { cosine: 0 }),
  fused('cosine .001', '.05', { cosine: 0.05 }),
  meaning('weight 1.1', '.8', { weight: 0.8 }),
  meaning('weight 1.1', '1.5', { weight: 1.5 }),
  meaning('peak, 2.4', 'none: one weight for all', { clamp: [1, 1] }),
  meaning('peak, 2.4', '1.6', { peak: 1.6 }),
  meaning('peak, 2.4', '3.6', { peak: 3.6 }),
  meaning('peak offset 2', '.5', { peakOffset: 0.5 }),
  meaning('peak offset 2', '4', { peakOffset: 4 }),
  meaning('clamp .5–2', '.25–4', { clamp: [0.25, 4] }),
  meaning('clamp .5–2', '.7–1.5', { clamp: [0.7, 1.5] }),
  meaning('background prior 3', 'none', { backgroundPrior: 0 }),
  meaning('background prior 3', '20', { backgroundPrior: 20 }),
]

function lexical(part: string, to: string, changed: Partial<LexicalTuning>): Change {
  const policy: ConvexPolicy = { ...balanced, lexical: { ...words, ...changed } }
  return { part, to, needsVectors: false, asked: { policy } }
}

function fused(part: string, to: string, changed: Partial<ConvexFusion>, moves?: 'words too'): Change {
  const policy: Policy = { ...balanced, fusion: { ...fusion, ...changed } }
  return { part, to, needsVectors: moves === undefined, asked: { policy } }
}

function meaning(part: string, to: string, changed: Partial<MeaningTuning>): Change {
  return fused(`meaning: ${part}`, to, { meaning: { ...fusion.meaning, ...changed } })
}
