/** Lists the hits in order. Open hits stay open and the focused hit keeps the focus while answers change. */
import type { Hit } from 'scrubjay'
import { deleteButton } from '../../shared/delete/delete-button.ts'
import { make } from '../../shared/parts.ts'
import { hitCard } from './hit.ts'
import { moveRows } from './move-rows.ts'
import type { Before } from './search.ts'

export interface HitList {
  /** If `before` is set, rows move from their previous places in an animation. */
  show(place: HTMLElement, hits: readonly Hit[], before: Before | null): void
}

export interface HitActions {
  remove(hit: Hit): void
  why(id: string, from: HTMLElement): void
}

export function createHitList(actions: HitActions): HitList {
  const opened = new Set<string>()

  return {
    show(place, hits, before) {
      const focused = focusedWithin(place)
      const most = Math.max(0, ...hits.map(positiveSum))
      const replace = () => place.replaceChildren(...hits.map((hit, i) => row(hit, i, most, before)))
      if (before === null) replace()
      else moveRows(place, replace)
      if (focused !== null) place.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`)?.focus()
    },
  }

  function row(hit: Hit, index: number, most: number, before: Before | null): HTMLElement {
    const control = deleteButton('record', () => {
      opened.delete(hit.id)
      actions.remove(hit)
    })
    const card = hitCard(hit, {
      number: index + 1,
      most,
      before,
      isOpen: opened.has(hit.id),
      toggled: (isOpen) => (isOpen ? opened.add(hit.id) : opened.delete(hit.id)),
      why: (from) => actions.why(hit.id, from),
      control,
    })
    return make('li', {}, card)
  }
}

/** The length of a hit's bar. */
function positiveSum(hit: Hit): number {
  return hit.contributions.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
}

function focusedWithin(place: HTMLElement): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLElement && place.contains(activeElement)
    ? (activeElement.closest<HTMLElement>('.hit')?.dataset['id'] ?? null)
    : null
}
