/** Shows the kinds of records with their counts. A pressed one narrows the answer to its records. */
import type { Recall, Scope } from 'scrubjay'
import { wholeNumber } from '../../shared/format.ts'
import { make, partById } from '../../shared/parts.ts'
import { oneTabStop } from '../../shared/roving.ts'

export interface KindFilter {
  /** The condition of the pressed chip; empty without one. */
  scope(): Scope
  /** Counts again. */
  refresh(): Promise<void>
}

const names: Readonly<Record<string, string>> = {
  note: 'Notes',
  message: 'Chats',
  receipt: 'Receipts',
  diary: 'Travel diary',
  letter: 'Letters',
}

/** `within`: the records to count. `changed` is called after the user pressed a chip. */
export function createKindFilter(recall: Recall, within: () => Scope, changed: () => void): KindFilter {
  const row = partById('kinds')
  const redrawn = oneTabStop(row, '.chip')
  let counts: readonly { readonly value: string; readonly count: number }[] = []
  let chosen: string | null = null

  return {
    scope: () => (chosen === null ? {} : { kind: chosen }),
    async refresh() {
      const { facets } = await recall.facets({ keys: ['kind'], scope: within() })
      counts = (facets['kind'] ?? []).map(({ value, count }) => ({ value: String(value), count }))
      if (!counts.some(({ value }) => value === chosen)) chosen = null
      draw()
    },
  }

  function draw(): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['kind'] : undefined
    row.replaceChildren(...counts.map(chip))
    redrawn()
    if (focused !== undefined) row.querySelector<HTMLElement>(`[data-kind="${CSS.escape(focused)}"]`)?.focus()
    row.hidden = counts.length < 2
  }

  function chip({ value, count }: { readonly value: string; readonly count: number }): HTMLElement {
    const click = () => {
      chosen = chosen === value ? null : value
      draw()
      changed()
    }
    return make(
      'button',
      { type: 'button', class: 'chip', 'data-kind': value, 'aria-pressed': String(chosen === value), click },
      names[value] ?? value,
      make('span', { class: 'chip-count' }, wholeNumber(count)),
    )
  }
}
