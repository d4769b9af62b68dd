/** Shows how an import goes on, and what came of it. */
import { announce, make } from '../dom.ts'

export function showProgress(outcome: HTMLElement, stop: AbortController) {
  const bar = make('progress', { 'aria-label': 'Import' })
  const count = make('span', {}, 'Reading …')
  const button = make('button', { type: 'button', class: 'small', click: () => stop.abort() }, 'Stop')
  outcome.replaceChildren(make('div', { class: 'importing' }, bar, count, button))
  return {
    /** `share`: from 0 to 1; undefined: unknown. */
    show(text: string, share?: number) {
      if (share !== undefined) bar.value = share
      count.textContent = text
    },
  }
}

/** `refused`: lines for what could not be stored. `rest`: below them. */
export function showOutcome(
  outcome: HTMLElement,
  sentence: string,
  refused: readonly string[],
  rest: readonly HTMLElement[] = [],
): void {
  const lines = refused.map((line) => make('li', {}, line))
  outcome.replaceChildren(
    ...(sentence === '' ? [] : [make('p', { class: 'import-summary' }, sentence)]),
    ...(lines.length === 0
      ? []
      : [make('ul', { class: 'notes', 'data-tone': 'warning', tabindex: 0, 'aria-label': 'Refused' }, ...lines)]),
    ...rest,
  )
  announce(sentence)
}
