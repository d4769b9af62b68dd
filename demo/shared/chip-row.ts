/** Shows values with their counts as a row of buttons. A pressed one narrows the answer to its value; a second press undoes it. */
import { wholeNumber } from './format.ts'
import { make } from './dom.ts'
import { oneTabStop } from './roving.ts'

export interface Chip {
  readonly value: string
  readonly name: string
  readonly count: number
}

export interface ChipRow {
  /** The value of the pressed chip; null without one. */
  chosen(): string | null
  /** A chosen value that has disappeared is deselected. With fewer chips than `least`, the row is hidden. */
  show(chips: readonly Chip[]): void
}

/** `changed` is called after the user pressed a chip. */
export function createChipRow(row: HTMLElement, least: number, changed: () => void): ChipRow {
  const redrawn = oneTabStop(row, '.chip')
  let chips: readonly Chip[] = []
  let chosen: string | null = null

  return {
    chosen: () => chosen,
    show(next) {
      chips = next
      if (!chips.some(({ value }) => value === chosen)) chosen = null
      draw()
    },
  }

  function draw(): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['chip'] : undefined
    row.replaceChildren(...chips.map(button))
    redrawn()
    if (focused !== undefined) row.querySelector<HTMLElement>(`[data-chip="${CSS.escape(focused)}"]`)?.focus()
    row.hidden = chips.length < least
  }

  function button({ value, name, count }: Chip): HTMLElement {
    const click = () => {
      chosen = chosen === value ? null : value
      draw()
      changed()
    }
    return make(
      'button',
      { type: 'button', class: 'chip', 'data-chip': value, 'aria-pressed': String(chosen === value), click },
      name,
      make('span', { class: 'chip-count' }, wholeNumber(count)),
    )
  }
}
