/** Prints nDCG@10 / Recall@10 of the engine on each set, in every mode, next to the baselines of that set. */
import { baselinesOf } from './measures/baselines.ts'
import type { Dataset } from './datasets.ts'
import { mean, type Scores } from './measures/metrics.ts'
import { canAsk, type Mode, openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'

const modes = ['words', 'minilm', 'built-in'] as const
const titles = [
  'words only',
  'with MiniLM',
  'built-in embedder',
  'BM25',
  'SQLite `bm25()`',
  'MiniSearch, stems',
  'best fixed mix',
]

export const rankingHead = [
  `| set | questions | ${titles.join(' | ')} |`,
  `|---|---:|${'---:|'.repeat(titles.length)}`,
].join('\n')

export async function rankingLine(dataset: Dataset): Promise<string> {
  const cells: string[] = []
  let questions = 0
  for (const mode of modes) {
    const scores = canAsk(dataset, mode) ? await measure(dataset, mode) : null
    questions = scores?.questions ?? questions
    cells.push(cell(scores))
  }
  const { bm25, fts5, miniSearch, convex } = await baselinesOf(dataset, judgedOf(dataset))
  return `| ${dataset.name} | ${questions} | ${[...cells, ...[bm25, fts5, miniSearch, convex].map(cell)].join(' | ')} |`
}

async function measure(dataset: Dataset, mode: Mode): Promise<Scores> {
  const set = await openSet(dataset, mode)
  const scores = await scoreAll(set, dataset, judgedOf(dataset))
  await set.close()
  return mean(scores)
}

function cell(scores: Scores | null): string {
  const figure = (value: number) => value.toFixed(3).replace(/^0/, '')
  return scores === null ? '–' : `${figure(scores.ndcg)} / ${figure(scores.recall)}`
}
