/** Lets the user sort the hits by date. */
import type { Hit } from 'scrubjay'
import { titleFirst } from '../../shared/title-first.ts'
import { make, partById } from '../../shared/dom.ts'

export type Order = 'best' | 'newest' | 'oldest'

const names: Readonly<Record<Order, string>> = { best: 'Best first', newest: 'Newest first', oldest: 'Oldest first' }

/** Hits below this share of the best score are only loosely related: they are not sorted among the others, and more must be asked for. */
const minShare = 0.15

/** `changed` is called after the user chose another order. */
export function createOrderSwitch(changed: () => void): () => Order {
  const options = Object.entries(names).map(([value, name]) => make('option', { value }, name))
  const select = make('select', { id: 'order', 'aria-label': 'Order of the hits', change: changed }, ...options)
  partById('answer-order').append(select)
  return () => select.value as Order
}

export function ordered(hits: readonly Hit[], order: Order, question: string): readonly Hit[] {
  if (order === 'best') return titleFirst(hits, question)
  const direction = order === 'newest' ? -1 : 1
  return near(hits).toSorted((a, b) => direction * (a.record.createdAt - b.record.createdAt))
}

/** The hits that are not far behind the best one. */
export function near(hits: readonly Hit[]): readonly Hit[] {
  const best = hits[0]?.score ?? 0
  return hits.filter(({ score }) => score >= best * minShare)
}
