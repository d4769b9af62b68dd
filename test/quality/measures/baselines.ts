/**
 * The baselines of a set, computed on the same questions: BM25, rank fusion and the best of nine fixed mixes in plain
 * code (`plain-runs.ts`), SQLite's own `bm25()` (`fts5-run.ts`), and MiniLM's cosine alone. The best mix is chosen per
 * set with the judgements known, which no product can do: it is an upper bound for fixed weights.
 */
import type { Dataset } from '../datasets.ts'
import { runFts5 } from './fts5-run.ts'
import { mean, type Score, type Scores } from './metrics.ts'
import { runPlain } from './plain-runs.ts'

export interface Baselines {
  readonly bm25: Scores
  readonly fts5: Scores
  /** Null without vectors. */
  readonly rrf: Scores | null
  readonly convex: Scores | null
}

export async function baselinesOf(dataset: Dataset, rows: readonly number[]): Promise<Baselines> {
  const { runs, convex } = runPlain(dataset, rows)
  const scoresOf = (scores: readonly Score[] | undefined) => (scores === undefined ? null : mean(scores))
  const mixes = [...convex.values()].map(mean).sort((a, b) => b.ndcg - a.ndcg)
  return {
    bm25: mean(runs.get('BM25') ?? []),
    fts5: mean(await runFts5(dataset, rows)),
    rrf: scoresOf(runs.get('RRF 60')),
    convex: mixes[0] ?? null,
  }
}
