/** Lists the hits in order. The focused hit keeps the focus while answers change; if it is gone, the hit in its place takes over. */
import type { Hit, StoredRecord } from 'scrubjay'
import { make } from '../../shared/dom.ts'
import { hitRow } from './hit.ts'

export interface HitActions {
  why(id: string, from: HTMLElement): void
  /** The records that a record replaces. */
  replaced(id: string): readonly StoredRecord[]
  /** Whether the question is the hit's title. */
  isExact(hit: Hit): boolean
  /** Whether the hits are in the order of their scores. */
  readonly isRanked: boolean
}

export function showHits(
  place: HTMLElement,
  hits: readonly Hit[],
  { why, replaced, isExact, isRanked }: HitActions,
): void {
  const focused = focusedWithin(place)
  const most = Math.max(0, ...hits.map(({ score }) => score))
  const rows = hits.map((hit, i) =>
    make(
      'li',
      {},
      hitRow(hit, {
        number: i + 1,
        most: isRanked ? most : null,
        isExact: isExact(hit),
        replaced: replaced(hit.id),
        why: (from) => why(hit.id, from),
      }),
    ),
  )
  place.replaceChildren(...rows)
  if (focused === null) return
  const all = [...place.querySelectorAll<HTMLElement>('.hit')]
  const next = all.find(({ dataset }) => dataset['id'] === focused.id) ?? all[focused.index] ?? all.at(-1)
  next?.focus()
}

function focusedWithin(place: HTMLElement): { readonly id: string | undefined; readonly index: number } | null {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || !place.contains(activeElement)) return null
  const hits = [...place.querySelectorAll<HTMLElement>('.hit')]
  const index = hits.findIndex((hit) => hit.contains(activeElement))
  return index < 0 ? null : { id: hits[index]?.dataset['id'], index }
}
