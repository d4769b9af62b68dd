/**
 * Questions that name a time, and what reading it is worth: nDCG@10 of the dated questions of a set and of all its questions, for
 * weights of the signal `time`. `npm run quality dated [set …]`.
 */
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import { balanced } from '../../src/core/policies/balanced.ts'
import { readTimes } from '../../src/core/time/read-times.ts'
import { utc } from '../../src/core/time/zone.ts'
import type { Dataset } from './datasets.ts'
import { mean, type Score, scoreRanking } from './metrics.ts'
import { type Mode, openSet } from './open-set.ts'
import { judgedOf } from './score-all.ts'

const weights = [0, 0.02, 0.05, 0.1, 0.2, 0.4]

export const datedHead =
  '| set | questions | channel | ' +
  weights.map((weight) => `time ${weight}`).join(' | ') +
  ' |\n' +
  `| --- | --- | --- |${weights.map(() => ' --- |').join('')}`

export async function datedLines(dataset: Dataset, modes: readonly Mode[] = ['words', 'built-in']): Promise<string> {
  const judged = judgedOf(dataset)
  const isDated = (i: number) =>
    readTimes(dataset.questions[i]!.text, { now: Date.UTC(2026, 0, 1), offsetAt: utc }).length > 0
  const dated = judged.filter(isDated)
  const lines: string[] = []
  for (const mode of modes) {
    const open = await openSet(dataset, mode)
    const cells: string[] = []
    for (const time of weights) {
      const policy: ConvexPolicy = { ...balanced, fusion: { ...balanced.fusion, time } }
      const scores: Score[] = []
      for (const i of dated) {
        const { hits } = await open.ask(i, { policy })
        scores.push(
          scoreRanking(
            hits.map(({ id }) => id),
            dataset.judgements.get(dataset.questions[i]!.id)!,
          ),
        )
      }
      const { ndcg, recall } = mean(scores)
      cells.push(`${short(ndcg)} / ${short(recall)}`)
    }
    lines.push(`| ${dataset.name} | ${dated.length} of ${judged.length} | ${mode} | ${cells.join(' | ')} |`)
    await open.close()
  }
  return lines.join('\n')
}

function short(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}
