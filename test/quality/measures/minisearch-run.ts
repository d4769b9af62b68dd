/**
 * Ranks by MiniSearch as the bench builds it with its best settings: without question words, and stemmed by the Porter stemmer that Scrubjay
 * uses. One index with a filter for the scope: an index per scope ranks locomo .003 better and locomo-sessions .006 worse.
 */
import { createMiniSearch } from '../../bench/page/peers/minisearch.ts'
import type { Dataset } from '../datasets.ts'
import type { Score } from './metrics.ts'
import { scoreIds } from './score-all.ts'

const noVectors = new Float32Array(0)

export function runMiniSearch(dataset: Dataset, rows: readonly number[]): readonly Score[] {
  const records = dataset.documents.map(({ id, title, text, scope }) => ({
    id,
    text: [title, text].filter(Boolean).join('. '),
    tags: [scope],
  }))
  const { search } = createMiniSearch({ records, vectors: noVectors }, 'stems')
  return rows.map((i) => {
    const { scope, text } = dataset.questions[i]!
    return scoreIds(dataset, i, search({ mode: 'lexical', text, vector: noVectors, tag: scope }).ids)
  })
}
