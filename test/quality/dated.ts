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
import { canAsk, openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'

const names = { words: 'words', minilm: 'hybrid MiniLM', 'built-in': 'hybrid built-in' } as const
const modes = ['words', 'minilm', 'built-in'] as const
const ownWeight = balanced.fusion.kind === 'convex' ? (balanced.fusion.time ?? 0) : 0
/** Without the signal first. */
const weights = [...new Set([0, 0.1, 0.2, ownWeight, 0.4])]

export const datedHead = [
  `| set | records | dated questions | ${weights.map(nameOf).join(' | ')} | all, 0 | all, ${decimal(ownWeight)} |`,
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
    const all = [byWeight[0]!, byWeight[weights.indexOf(ownWeight)]!].map((scores) => figure([...scores, ...undated]))
    const cells = [...byWeight.map(figure), ...all]
    lines.push(`| ${dataset.name} | ${names[mode]} | ${dated.length} of ${judged.length} | ${cells.join(' | ')} |`)
    await set.close()
  }
  return lines.join('\n')
}

function nameOf(weight: number): string {
  return weight === ownWeight ? `**${decimal(weight)}**` : decimal(weight)
}

function decimal(value: number): string {
  return `${value}`.replace(/^0(?=\.)/, '')
}

function figure(scores: readonly Score[]): string {
  return mean(scores).ndcg.toFixed(4).replace(/^0/, '')
}
