/**
 * Compares hybrid answers with their parts, and with the textbook, question by question: how often they are better,
 * how often worse, and by how much in the mean, with a paired 95 % interval.
 */
import { differenceOf, toCell } from './measures/bootstrap.ts'
import type { Dataset } from './datasets.ts'
import type { Score } from './measures/metrics.ts'
import { canAsk, type Mode, openSet } from './open-set.ts'
import { plainRuns, runPlain } from './measures/plain-runs.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'

/** Questions per set; of the large sets every n-th is asked. */
const asked = 2000

export const versusHead = [
  '| set | questions | ours | nDCG@10 | against | nDCG@10 | better | worse | equal | difference, thousandths |',
  `|---|---|---|---|---|${'---|'.repeat(5)}`,
].join('\n')

/** Hybrid where vectors are given, else words against BM25; then hybrid with the built-in embedder. */
export async function versusLines(dataset: Dataset): Promise<string> {
  const rows = judgedOf(dataset, asked)
  const plain = runPlain(dataset, rows).runs
  const textbook = plainRuns.flatMap((run) => (plain.has(run) ? [[run, plain.get(run)!] as const] : []))
  const words = await measure(dataset, 'words', rows)
  const builtIn = await measure(dataset, 'built-in', rows)
  const lines: string[] = []
  const compare = (name: string, own: readonly Score[], others: readonly (readonly [string, readonly Score[]])[]) => {
    for (const [other, scores] of others) lines.push(lineOf(dataset, name, own, other, scores))
  }
  if (dataset.minilm !== null) {
    const hybrid = await measure(dataset, 'minilm', rows)
    const vectors = await measure(dataset, 'minilm alone', rows)
    compare('hybrid MiniLM', hybrid, [['its words', words], ['its vectors', vectors], ...textbook])
  }
  compare('words', words, textbook.slice(0, 1))
  compare('hybrid built-in', builtIn, [['its words', words], ...textbook.slice(0, 1)])
  return lines.join('\n')
}

/** What vectors of chunks add to one vector of the whole record; of sets without such vectors nothing. */
export async function chunksLines(dataset: Dataset): Promise<string> {
  if (!canAsk(dataset, 'minilm chunks')) return ''
  const rows = judgedOf(dataset, asked)
  const whole = await measure(dataset, 'minilm', rows)
  const chunks = await measure(dataset, 'minilm chunks', rows)
  return lineOf(dataset, 'hybrid MiniLM chunks', chunks, 'hybrid MiniLM', whole)
}

async function measure(dataset: Dataset, mode: Mode, rows: readonly number[]): Promise<readonly Score[]> {
  const set = await openSet(dataset, mode)
  const scores = await scoreAll(set, dataset, rows)
  await set.close()
  return scores
}

function lineOf(dataset: Dataset, name: string, own: readonly Score[], other: string, theirs: readonly Score[]) {
  const ndcg = (scores: readonly Score[]) => scores.map((score) => score.ndcg)
  const count = (isMeant: (difference: number) => boolean) =>
    own.filter((score, i) => isMeant(score.ndcg - theirs[i]!.ndcg)).length
  const cells = [
    dataset.name,
    own.length,
    name,
    average(ndcg(own)),
    other,
    average(ndcg(theirs)),
    count((difference) => difference > level),
    count((difference) => difference < -level),
    count((difference) => Math.abs(difference) <= level),
    toCell(differenceOf(ndcg(own), ndcg(theirs))),
  ]
  return `| ${cells.join(' | ')} |`
}

/** Rounding of sums, nothing more. */
const level = 1e-9

function average(scores: readonly number[]): string {
  return (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(3).replace(/^0/, '')
}
