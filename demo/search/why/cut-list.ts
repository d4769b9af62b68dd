/** Shows the cut line: the hits of an answer above it, the next candidates below it. */
import type { Recall, RecallQuery, StoredRecord } from 'scrubjay'
import { make } from '../../shared/dom.ts'
import { rowTitle } from '../shown/row-title.ts'

const shownBelow = 3

/** Null if nothing was left out because of its place. `id` is the record that is explained. */
export async function cutList(
  recall: Recall,
  query: RecallQuery,
  id: string,
  signal: AbortSignal,
): Promise<HTMLElement | null> {
  const { hits, ledger } = await recall.recall({ ...query, explain: true }, { signal })
  const below = (ledger ?? []).filter(({ stage }) => stage === 'limit').sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
  if (below.length === 0) return null
  const next = below.slice(0, shownBelow)
  const records = await recall.get(
    next.map((one) => one.id),
    { signal },
  )
  const most = Math.max(...hits.map(({ score }) => score), 0)
  const row = (record: StoredRecord | undefined, recordId: string, score: number) => {
    const length = make('span', { class: 'length' })
    length.style.inlineSize = `${most > 0 ? (100 * Math.max(0, score)) / most : 0}%`
    return make(
      'li',
      { 'aria-current': recordId === id ? 'true' : false },
      make('span', { class: 'cut-name' }, record === undefined ? recordId : rowTitle(record)),
      make('span', { class: 'track', 'aria-hidden': 'true' }, length),
    )
  }
  return make(
    'ol',
    { class: 'cut-list', 'aria-label': 'The cut between shown and left out' },
    ...hits.map((hit) => row(hit.record, hit.id, hit.score)),
    make('li', { class: 'cut' }, `Shown above, left out below (${below.length})`),
    ...next.map((one, i) => row(records[i], one.id, one.score ?? 0)),
  )
}
