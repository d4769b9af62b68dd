/** Thumbs for one record of a context. One is said once: it stays pressed, and the others are off until the next context. */
import type { Outcome } from 'scrubjay'
import { make } from '../parts.ts'

export interface OutcomeChoice {
  readonly outcome: Outcome
  readonly mark: string
  /** Default: the outcome's own. */
  readonly name?: string
  readonly meaning: string
}

/** `tell` resolves to whether it was learned; if not, all buttons are there again. */
export function outcomeButtons(
  title: string,
  tell: (outcome: Outcome) => Promise<boolean>,
  choices: readonly OutcomeChoice[] = everyOutcome,
): HTMLElement {
  const buttons = choices.map(({ outcome, mark, name = outcome, meaning }) => {
    const button = make(
      'button',
      { type: 'button', class: 'small outcome', title: meaning, 'aria-pressed': 'false', 'data-outcome': outcome },
      make('span', { 'aria-hidden': 'true' }, mark),
      name,
    )
    button.addEventListener('click', () => void choose(button, outcome))
    return button
  })
  let isTold = false
  return make('div', { class: 'outcomes', role: 'group', 'aria-label': `What became of: ${title}` }, ...buttons)

  async function choose(button: HTMLElement, outcome: Outcome): Promise<void> {
    if (isTold) return
    mark(button)
    if (!(await tell(outcome))) mark(null)
  }

  /** Not `disabled`, which would take the focus away from who pressed it. */
  function mark(pressed: HTMLElement | null): void {
    isTold = pressed !== null
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button === pressed))
      if (isTold) button.setAttribute('aria-disabled', 'true')
      else button.removeAttribute('aria-disabled')
    }
  }
}

const everyOutcome: readonly OutcomeChoice[] = [
  { outcome: 'acted', mark: '▲', meaning: 'It led to something done: trust rises, its clock starts anew' },
  { outcome: 'used', mark: '△', meaning: 'It was read and useful: its read counts' },
  { outcome: 'dismissed', mark: '▽', meaning: 'It did not belong here: it becomes due less strongly' },
  { outcome: 'contradicted', mark: '▼', meaning: 'It was wrong: trust falls' },
]
