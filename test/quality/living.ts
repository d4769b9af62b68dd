/**
 * Measures what learning does to ranking: each set with no learned state, and after a random history of outcomes and
 * links that ignores the questions. Random learning must not move nDCG@10 by more than noise.
 */
import type { Outcome } from '../../src/core/model/learned.ts'
import { createRandom } from '../support/data/random.ts'
import type { Dataset } from './datasets.ts'
import { mean, type Scores } from './measures/metrics.ts'
import { type OpenSet, openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'

export const livingHead = [
  '| set | rounds of outcomes | nDCG@10 before | after | moved by |',
  '|---|---|---|---|---|',
].join('\n')

const modes = ['words', 'minilm'] as const

export async function livingLines(dataset: Dataset): Promise<string> {
  const lines: string[] = []
  for (const mode of modes) {
    if (mode === 'minilm' && dataset.minilm === null) continue
    const set = await openSet(dataset, mode)
    const before = await measure(set, dataset)
    const rounds = await live(set, dataset)
    const after = await measure(set, dataset)
    await set.close()
    const figure = (value: number) => value.toFixed(4).replace(/^(-?)0/, '$1')
    lines.push(
      `| ${dataset.name}, ${mode} | ${rounds} | ${figure(before.ndcg)} | ${figure(after.ndcg)} | ${figure(after.ndcg - before.ndcg)} |`,
    )
  }
  return lines.join('\n')
}

async function measure(set: OpenSet, dataset: Dataset): Promise<Scores> {
  return mean(await scoreAll(set, dataset, judgedOf(dataset)))
}

/** As many rounds as there are records, each of a few of them; over ninety days. */
async function live(set: OpenSet, { documents }: Dataset): Promise<number> {
  const random = createRandom(90)
  const known = documents.filter(({ title, text }) => `${title}${text}`.trim() !== '').map(({ id }) => id)
  const names: readonly Outcome[] = ['acted', 'used', 'used', 'dismissed', 'contradicted']
  for (let round = 0; round < known.length; round++) {
    const ids = [...new Set(Array.from({ length: 4 }, () => random.pick(known)))]
    await set.tell(Object.fromEntries(ids.map((id) => [id, random.pick(names)])), (round / known.length) * 90)
  }
  return known.length
}
