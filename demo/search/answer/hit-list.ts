/** Lists the hits in order. The focused hit keeps the focus while answers change. */
import type { Hit, StoredRecord } from 'scrubjay'
import { make } from '../../shared/parts.ts'
import { hitRow } from './hit.ts'

export interface HitActions {
  why(id: string, from: HTMLElement): void
  /** The records that a record replaces. */
  replaced(id: string): readonly StoredRecord[]
}

export function showHits(place: HTMLElement, hits: readonly Hit[], { why, replaced }: HitActions): void {
  const focused = focusedWithin(place)
  const most = Math.max(0, ...hits.map(({ score }) => score))
  const rows = hits.map((hit, i) =>
    make('li', {}, hitRow(hit, { number: i + 1, most, replaced: replaced(hit.id), why: (from) => why(hit.id, from) })),
  )
  place.replaceChildren(...rows)
  if (focused !== null) place.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`)?.focus()
}

function focusedWithin(place: HTMLElement): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLElement && place.contains(activeElement)
    ? (activeElement.closest<HTMLElement>('.hit')?.dataset['id'] ?? null)
    : null
}
