/**
 * Questions that name a time, and what reading it is worth: nDCG@10 of the dated questions of a set for weights of the signal
 * `time`, and of all its questions without the signal and under `balanced`. `npm run quality dated [set …]`.
 */
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import { balanced } from '../../src/core/policies/balanced.ts'
import { readTimes } from '../../src/core/time/read-times.ts'
import { utc } from '../../src/core/time/zone.ts'
import { type Dataset, questionTime } from './datasets.ts'
import { mean, type Score } from './measures/metrics.ts'
import { canAsk, type Mode, openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'

const modes: readonly Mode[] = ['words', 'minilm', 'built-in']
const ownWeight = balanced.fusion.kind === 'convex' ? (balanced.fusion.time ?? 0) : 0
/** Without the signal first, the weight of `balanced` last. */
const weights = [0, 0.1, 0.2, 0.4, ownWeight]

export const datedHead = [
  `| set | records | dated | ${weights.map((weight) => `weight ${weight}`).join(' | ')} | all, weight 0 | all |`,
  `| --- | --- | --- |${' --- |'.repeat(weights.length + 2)}`,
].join('\n')

export async function datedLines(dataset: Dataset): Promise<string> {
  const judged = judgedOf(dataset)
  const isDated = (i: number) => readTimes(dataset.questions[i]!.text, { now: questionTime, offsetAt: utc }).length > 0
  const dated = judged.filter(isDated)
  const others = judged.filter((i) => !isDated(i))
  if (dated.length === 0) return `| ${dataset.name} | | none of ${judged.length} |${' |'.repeat(weights.length + 2)}`
  const lines: string[] = []
  for (const mode of modes) {
    if (!canAsk(dataset, mode)) continue
    const set = await openSet(dataset, mode)
    const byWeight: (readonly Score[])[] = []
    for (const time of weights) {
      const policy: ConvexPolicy = { ...balanced, fusion: { ...balanced.fusion, time } }
      byWeight.push(await scoreAll(set, dataset, dated, { policy }))
    }
    const undated = await scoreAll(set, dataset, others)
    const all = [byWeight[0]!, byWeight.at(-1)!].map((scores) => figure([...scores, ...undated]))
    const cells = [...byWeight.map(figure), ...all]
    lines.push(`| ${dataset.name} | ${mode} | ${dated.length} of ${judged.length} | ${cells.join(' | ')} |`)
    await set.close()
  }
  return lines.join('\n')
}

function figure(scores: readonly Score[]): string {
  return mean(scores).ndcg.toFixed(4).replace(/^0/, '')
}
