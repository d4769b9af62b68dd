/**
 * nDCG@10 while only some records have their MiniLM vectors and the built-in embedder's take the place of the others: the first ones of the set, as
 * the background makes them, or every so many. `npm run quality coverage`.
 */
import type { Dataset } from '../datasets.ts'
import { judgedOf, scoreAll } from './score-all.ts'
import { mean } from './metrics.ts'
import { canAsk, openSet } from '../open-set.ts'

const shares = [0, 0.02, 0.25, 0.5, 0.75, 0.98, 1] as const

/** Questions of a set. */
const most = 500

export const coverageHead = [
  `| set | covered | table alone | ${shares.map((share) => `${share * 100} %`).join(' | ')} |`,
  `|---|---|---:|${'---:|'.repeat(shares.length)}`,
].join('\n')

export async function coverageLines(dataset: Dataset): Promise<string> {
  if (!canAsk(dataset, 'minilm')) return ''
  const { length } = dataset.documents
  const table = await measured(dataset, () => openSet(dataset, 'built-in'))
  const ways = {
    'the first': (share: number) => (i: number) => i < share * length,
    // 61 is prime to 100, so the covered ones are spread evenly.
    'spread out': (share: number) => (i: number) => (i * 61) % 100 < share * 100,
  }
  const lines: string[] = []
  for (const [name, way] of Object.entries(ways)) {
    const figures: number[] = []
    for (const share of shares) figures.push(await measured(dataset, () => openSet(dataset, 'minilm', {}, way(share))))
    lines.push(`| ${[dataset.name, name, ...[table, ...figures].map(decimal)].join(' | ')} |`)
  }
  return lines.join('\n')
}

async function measured(dataset: Dataset, open: () => ReturnType<typeof openSet>): Promise<number> {
  const set = await open()
  const { ndcg } = mean(await scoreAll(set, dataset, judgedOf(dataset, most)))
  await set.close()
  return ndcg
}

function decimal(value: number): string {
  return value.toFixed(4).replace(/^0/, '')
}
