/**
 * Makes the two feedback buttons of a reply, thumbs up and down. They rate the records that it cites: up raises their confidence, down lowers it. The
 * prompt details offer feedback on single records.
 */
import type { ContextPackage, Outcome, Recall, StoredRecord } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { announce, make } from '../shared/dom.ts'

export function feedbackButtons(
  recall: Recall,
  { receipt }: ContextPackage,
  cited: readonly StoredRecord[],
  learned: () => void,
): HTMLElement {
  const result = make('span', { class: 'quiet learned-brief' })
  const buttons = choices.map(({ outcome, mark, name }) => {
    const button = make(
      'button',
      {
        type: 'button',
        class: 'small thumb',
        title: name,
        'aria-label': name,
        'aria-pressed': 'false',
        'data-thumb': outcome,
      },
      mark,
    )
    button.addEventListener('click', () => void send(button, outcome))
    return button
  })
  let isSent = false
  return make('div', { class: 'thumbs', role: 'group', 'aria-label': 'Was this right?' }, result, ...buttons)

  async function send(button: HTMLElement, outcome: Outcome): Promise<void> {
    if (isSent) return
    press(button)
    const ids = cited.map(({ id }) => id)
    try {
      // Records that a tool found are outside the context, so they are rated by id.
      const isPackaged = ids.every((id) => receipt.ids.includes(id))
      await recall.acknowledge(isPackaged ? receipt : ids, Object.fromEntries(ids.map((id) => [id, outcome])))
      result.textContent = inWords(cited, await recall.get(ids))
      announce(result.textContent)
      learned()
    } catch (error) {
      press(null)
      explainError('The feedback could not be saved.', error)
    }
  }

  /** Not `disabled`, which would take the focus away from the pressed button. */
  function press(pressed: HTMLElement | null): void {
    isSent = pressed !== null
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button === pressed))
      button.ariaDisabled = String(isSent)
    }
  }
}

const choices = [
  { outcome: 'acted', mark: '👍', name: 'It was right: trust its sources more' },
  { outcome: 'contradicted', mark: '👎', name: 'It was wrong: trust its sources less' },
] as const satisfies readonly { readonly outcome: Outcome; readonly mark: string; readonly name: string }[]

function inWords(before: readonly StoredRecord[], after: readonly (StoredRecord | undefined)[]): string {
  return before
    .map((record, i) => `${record.confidence.toFixed(2)} → ${(after[i] ?? record).confidence.toFixed(2)}`)
    .map((change, i) => (before.length > 1 ? `source ${i + 1} ${change}` : `trust ${change}`))
    .join(', ')
}
