/** The hits in their order. What a reader has opened stays open, and what has focus keeps it, while answers change. */
import type { Hit, Recall } from 'scrubjay'
import { forgetControl } from './forget.ts'
import { hitCard } from './hit.ts'
import { make } from './parts.ts'

export interface HitList {
  show(place: HTMLElement, hits: readonly Hit[]): void
}

/** `forgotten` is called after a record is gone; its proof stands where the hit stood until the next answer. */
export function createHitList(recall: Recall, forgotten: () => void): HitList {
  const opened = new Set<string>()

  return {
    show(place, hits) {
      const focused = focusedWithin(place)
      const most = Math.max(0, ...hits.map(positiveSum))
      place.replaceChildren(...hits.map((hit, i) => row(hit, i, most)))
      if (focused !== null) place.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`)?.focus()
    },
  }

  function row(hit: Hit, index: number, most: number): HTMLElement {
    const control = forgetControl(recall, hit, (proof) => {
      opened.delete(hit.id)
      item.replaceChildren(proof)
      proof.focus()
      forgotten()
    })
    const card = hitCard(hit, {
      number: index + 1,
      most,
      isOpen: opened.has(hit.id),
      toggled: (isOpen) => (isOpen ? opened.add(hit.id) : opened.delete(hit.id)),
      control,
    })
    const item = make('li', {}, card)
    return item
  }
}

/** What a hit's bar is measured against. */
function positiveSum(hit: Hit): number {
  return hit.contributions.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
}

function focusedWithin(place: HTMLElement): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLElement && place.contains(activeElement)
    ? (activeElement.closest<HTMLElement>('.hit')?.dataset['id'] ?? null)
    : null
}
