/** Shows the engine's warnings about an answer above its hits. */
import type { RecallResult, Warning } from 'scrubjay'
import { make } from '../../shared/dom.ts'
import { titleOf } from '../../shared/title-of.ts'

/** `why` explains the place of the successor. Empty without warnings. */
export function warningList(
  { warnings, hits }: RecallResult,
  why: (id: string, from: HTMLElement) => void,
): HTMLElement[] {
  if (warnings.length === 0) return []
  return [make('ul', { class: 'warnings', 'aria-label': 'Warnings' }, ...warnings.map(line))]

  /** The only code: a superseded record is ranked above its successor. */
  function line({ ids: [stale = '', successor = ''] }: Warning): HTMLElement {
    const place = hits.findIndex(({ id }) => id === successor) + 1
    const ask = make('button', { type: 'button', class: 'small' }, 'Why?')
    ask.addEventListener('click', () => why(successor, ask))
    return make(
      'li',
      {},
      make('strong', {}, 'Superseded record ranked too high: '),
      `${nameOf(stale)} is superseded by ${nameOf(successor)}, which `,
      place > 0 ? `is only at place ${place}. ` : 'is not in this answer. ',
      ask,
    )
  }

  function nameOf(id: string): string {
    const hit = hits.find((one) => one.id === id)
    return hit === undefined ? id : `“${titleOf(hit.record)}”`
  }
}
