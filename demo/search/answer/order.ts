/** Lets the user sort the hits by date. */
import type { Hit } from 'scrubjay'
import { nearHits } from '../../shared/record/near-hits.ts'
import { titleFirst } from '../../shared/title-first.ts'
import { make, partById } from '../../shared/dom.ts'

export type Order = 'best' | 'newest' | 'oldest'

const names: Readonly<Record<Order, string>> = { best: 'Best first', newest: 'Newest first', oldest: 'Oldest first' }

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
  return nearHits(hits).toSorted((a, b) => direction * (a.record.createdAt - b.record.createdAt))
}
