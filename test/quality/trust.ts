/**
 * What a trust in the built-in embedder gives in other languages: nDCG@10 for values of `fusion.meaning.trust`, in stores that name the
 * language, of its questions over its own documents and over the English ones. `npm run quality trust`.
 */
import type { ConvexPolicy } from '../../src/core/model/policy.ts'
import { policies } from '../../src/core/policies/policies.ts'
import { builtInSpace } from '../../src/protocol/embedder.ts'
import type { Dataset } from './datasets.ts'
import { mean } from './measures/metrics.ts'
import { type OpenSet, openSet } from './open-set.ts'
import { judgedOf, scoreAll } from './measures/score-all.ts'
import { languagesIn, translated, withLanguage } from './translated.ts'

const values = [0.3, 0.45, 0.6, 0.75, 0.9, 1] as const

/** Questions of each language: of sets of several languages every second one. */
const asked = { several: 595, one: 900 } as const

export const trustHead = [
  `| set | language | documents | questions | words, default | ${values.join(' | ')} |`,
  `| --- | --- | --- | --: | --: |${' --: |'.repeat(values.length)}`,
].join('\n')

export async function trustLines(dataset: Dataset): Promise<string> {
  const lines: { readonly text: string; readonly documents: 'own' | 'en'; readonly figures: readonly number[] }[] = []
  const tags = languagesIn(dataset).filter((tag) => tag !== 'en')
  for (const tag of tags) {
    const across = translated(dataset, tag)
    const own = await lineOf(withLanguage(dataset, tag), tag, tag, across === null ? asked.one : asked.several)
    lines.push({ ...own, documents: 'own' })
    if (across !== null) lines.push({ ...(await lineOf(across, tag, 'en', asked.several)), documents: 'en' })
  }
  const means = (['own', 'en'] as const).flatMap((documents) => {
    const all = lines.filter((line) => line.documents === documents).map(({ figures }) => figures)
    if (all.length < 2) return []
    const figures = all[0]!.map((_, at) => all.reduce((sum, row) => sum + row[at]!, 0) / all.length)
    return [`| ${[dataset.name, 'mean', documents, '', ...figures.map(decimal)].join(' | ')} |`]
  })
  return [...lines.map(({ text }) => text), ...means].join('\n')
}

async function lineOf(dataset: Dataset, tag: string, documents: string, most: number) {
  const rows = judgedOf(dataset, most)
  const ndcg = async (set: OpenSet, policy?: ConvexPolicy) =>
    mean(await scoreAll(set, dataset, rows, policy && { policy })).ndcg
  const words = await openSet(dataset, 'words')
  const figures = [await ndcg(words)]
  await words.close()
  const set = await openSet(dataset, 'built-in', { languages: [...new Set([documents, tag])] })
  for (const value of values) figures.push(await ndcg(set, trusting(value)))
  await set.close()
  return { figures, text: `| ${[dataset.name, tag, documents, rows.length, ...figures.map(decimal)].join(' | ')} |` }
}

function decimal(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}

function trusting(value: number): ConvexPolicy {
  const { balanced } = policies
  const meaning = { ...balanced.fusion.meaning, trust: { [builtInSpace.name]: value } }
  return { ...balanced, name: `trust ${value}`, fusion: { ...balanced.fusion, meaning } }
}
