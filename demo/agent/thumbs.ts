/**
 * Two thumbs for a reply. They speak of the records it cites: up, they led to something right, so trust in them rises; down,
 * they were wrong, so it falls. Finer words for single records stand with what was sent.
 */
import type { ContextPackage, Outcome, Recall, StoredRecord } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { announce, make } from '../shared/parts.ts'

export function thumbs(
  recall: Recall,
  { receipt }: ContextPackage,
  cited: readonly StoredRecord[],
  learned: () => void,
): HTMLElement {
  const said = make('span', { class: 'quiet learned-brief' })
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
    button.addEventListener('click', () => void tell(button, outcome))
    return button
  })
  let isTold = false
  return make('div', { class: 'thumbs', role: 'group', 'aria-label': 'Was this right?' }, said, ...buttons)

  async function tell(button: HTMLElement, outcome: Outcome): Promise<void> {
    if (isTold) return
    press(button)
    const ids = cited.map(({ id }) => id)
    try {
      // What a tool brought is not in the package, and is judged by id.
      const isPackaged = ids.every((id) => receipt.ids.includes(id))
      await recall.acknowledge(isPackaged ? receipt : ids, Object.fromEntries(ids.map((id) => [id, outcome])))
      said.textContent = inWords(cited, await recall.get(ids))
      announce(said.textContent)
      learned()
    } catch (error) {
      press(null)
      explainError('The feedback could not be saved.', error)
    }
  }

  /** Not `disabled`, which would take the focus away from who pressed it. */
  function press(pressed: HTMLElement | null): void {
    isTold = pressed !== null
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button === pressed))
      button.ariaDisabled = String(isTold)
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
