/**
 * The baselines of a set, computed on the same questions: BM25, rank fusion and the best of nine fixed mixes in plain
 * code (`plain-runs.ts`), SQLite's own `bm25()` (`fts5-run.ts`) and MiniSearch (`minisearch-run.ts`). The best mix is chosen per
 * set with the judgements known, which no product can do: it is an upper bound for fixed weights.
 */
import type { Dataset } from '../datasets.ts'
import { runFts5 } from './fts5-run.ts'
import { mean, type Scores } from './metrics.ts'
import { runMiniSearch } from './minisearch-run.ts'
import { runPlain } from './plain-runs.ts'

export interface Baselines {
  readonly bm25: Scores
  /** Null for Chinese, whose words neither of the two separates. */
  readonly fts5: Scores | null
  readonly miniSearch: Scores | null
  /** Null without vectors. */
  readonly convex: Scores | null
}

export async function baselinesOf(dataset: Dataset, rows: readonly number[]): Promise<Baselines> {
  const { runs, convex } = runPlain(dataset, rows)
  const isSplit = dataset.name !== 'drcd-sent-zh'
  const mixes = [...convex.values()].map(mean).sort((a, b) => b.ndcg - a.ndcg)
  return {
    bm25: mean(runs.get('BM25') ?? []),
    fts5: isSplit ? mean(await runFts5(dataset, rows)) : null,
    miniSearch: isSplit ? mean(runMiniSearch(dataset, rows)) : null,
    convex: mixes[0] ?? null,
  }
}
