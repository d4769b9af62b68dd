/**
 * What naming its language gives to each language of a set: nDCG@10 by words alone, in a store as it is by default, and in one that names
 * the language. Each language has stores of its own. The questions of every second article were used to choose what `languages` does; the
 * others were not looked at before. `npm run quality languages`.
 */
import { knownLanguages } from '../../src/core/model/languages.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import type { Dataset } from './datasets.ts'
import { mean, type Score } from './metrics.ts'
import { openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './score-all.ts'

export const languagesHead = [
  '| set | language | questions | by default | named | gain | gain, used to choose | gain, others |',
  '| --- | --- | --: | --: | --: | --: | --: | --: |',
].join('\n')

/** Sets without texts of several languages have no lines. */
export async function languagesLines(dataset: Dataset): Promise<string> {
  const wanted = process.env['SCRUBJAY_LANGUAGES']?.split(' ')
  const tags = [...new Set(dataset.documents.map(({ scope }) => scope))].filter(
    (scope) => knownLanguages.includes(scope) && (wanted?.includes(scope) ?? true),
  )
  const lines: string[] = []
  for (const tag of tags) {
    const own = only(dataset, tag)
    const rows = judgedOf(own)
    const before = await scores(own, rows, {})
    const named = await scores(own, rows, { languages: [tag] })
    const isChosen = rows.map((i) => articleOf(own, i) % 2 === 0)
    const gain = (part: (i: number) => boolean) =>
      signed(mean(named.filter((_, i) => part(i))).ndcg - mean(before.filter((_, i) => part(i))).ndcg)
    const cells = [
      dataset.name,
      tag,
      rows.length,
      figure(mean(before).ndcg),
      figure(mean(named).ndcg),
      gain(() => true),
      gain((i) => isChosen[i]!),
      gain((i) => !isChosen[i]!),
    ]
    lines.push(`| ${cells.join(' | ')} |`)
    if (process.env['SCRUBJAY_LANGUAGES'] !== undefined) console.log(lines.at(-1))
  }
  return lines.join('\n')
}

async function scores(
  dataset: Dataset,
  rows: readonly number[],
  options: Partial<EngineOptions>,
): Promise<readonly Score[]> {
  const set = await openSet(dataset, 'words', options)
  const scored = await scoreAll(set, dataset, rows)
  await set.close()
  return scored
}

function only(dataset: Dataset, tag: string): Dataset {
  return {
    ...dataset,
    documents: dataset.documents.filter(({ scope }) => scope === tag),
    questions: dataset.questions.filter(({ scope }) => scope === tag),
    minilm: null,
  }
}

/** Number of the article that a question is about, from the id of a relevant document: `xde:12.3.4`. */
function articleOf({ questions, judgements }: Dataset, i: number): number {
  const [document = ''] = judgements.get(questions[i]!.id)?.keys() ?? []
  return Number(/:(\d+)/.exec(document)?.[1] ?? 0)
}

function figure(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${figure(Math.abs(value))}`
}
