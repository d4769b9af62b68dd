/** Makes the feedback buttons of one record of a context. After one press, all are disabled until the next context. */
import type { Outcome } from 'scrubjay'
import { make } from '../dom.ts'

export interface OutcomeChoice {
  readonly outcome: Outcome
  readonly name: string
  readonly meaning: string
}

/** `send` resolves to whether the store saved the outcome. If not, all buttons are enabled again. */
export function outcomeButtons(
  title: string,
  send: (outcome: Outcome) => Promise<boolean>,
  choices: readonly OutcomeChoice[] = everyOutcome,
): HTMLElement {
  const buttons = choices.map(({ outcome, name, meaning }) => {
    const button = make(
      'button',
      { type: 'button', class: 'small outcome', title: meaning, 'aria-pressed': 'false', 'data-outcome': outcome },
      name,
    )
    button.addEventListener('click', () => void choose(button, outcome))
    return button
  })
  let isSent = false
  return make('div', { class: 'outcomes', role: 'group', 'aria-label': `Feedback on: ${title}` }, ...buttons)

  async function choose(button: HTMLElement, outcome: Outcome): Promise<void> {
    if (isSent) return
    mark(button)
    if (!(await send(outcome))) mark(null)
  }

  /** Not `disabled`, which would take the focus away from the pressed button. */
  function mark(pressed: HTMLElement | null): void {
    isSent = pressed !== null
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button === pressed))
      if (isSent) button.setAttribute('aria-disabled', 'true')
      else button.removeAttribute('aria-disabled')
    }
  }
}

const everyOutcome: readonly OutcomeChoice[] = [
  { outcome: 'acted', name: 'Acted on', meaning: 'It led to an action: confidence rises and decay starts again' },
  { outcome: 'used', name: 'Useful', meaning: 'It was useful: this counts as a read' },
  { outcome: 'dismissed', name: 'Not relevant', meaning: 'It did not belong here: it comes back less strongly' },
  { outcome: 'contradicted', name: 'Wrong', meaning: 'It was wrong: confidence falls' },
]
