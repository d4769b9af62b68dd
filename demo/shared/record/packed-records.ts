/** Lists the records of a context in their order, marks those that surfaced as due, and takes feedback on each. */
import type { ContextPackage, Outcome, Recall, StoredRecord } from 'scrubjay'
import { amount } from '../format.ts'
import { explainError } from '../notice.ts'
import { announce, hidden, make } from '../dom.ts'
import { titleOf } from '../title-of.ts'
import { outcomeButtons } from './outcome-buttons.ts'

export interface PackedActions {
  showLife(id: string): void
  /** Called after the store has saved feedback. */
  learned(): void
}

export function packedRecords(recall: Recall, context: ContextPackage, actions: PackedActions): HTMLElement {
  const outcomes: Record<string, Outcome> = {}
  const surfaced = new Set(context.proactive.map(({ id }) => id))
  if (context.records.length === 0)
    return make('p', { class: 'quiet' }, 'The context is empty: nothing was found and nothing is due.')
  return make('ol', { class: 'packed-records', 'aria-label': 'Records of the context' }, ...context.records.map(row))

  function row(record: StoredRecord): HTMLElement {
    const { id } = record
    const title = titleOf(record)
    const learned = make('span', { class: 'quiet learned' })
    const show = make('button', { type: 'button', class: 'small' }, 'History', hidden(`: ${title}`))
    show.addEventListener('click', () => actions.showLife(id))
    return make(
      'li',
      { class: 'packed-record', 'data-id': id, 'data-proactive': String(surfaced.has(id)) },
      make(
        'p',
        { class: 'packed-title' },
        make('b', {}, title),
        make('span', { class: 'figure', title: 'Score' }, hidden('Score '), amount(context.metadata.scores[id] ?? 0)),
      ),
      surfaced.has(id)
        ? make('p', {}, make('span', { class: 'badge', 'data-tone': 'warn', title: dueMeaning }, 'surfaced as due'))
        : null,
      make(
        'div',
        { class: 'packed-feedback' },
        outcomeButtons(title, (outcome) => send(record, outcome, learned)),
        show,
        learned,
      ),
    )
  }

  async function send(record: StoredRecord, outcome: Outcome, learned: HTMLElement): Promise<boolean> {
    const { id, confidence } = record
    outcomes[id] = outcome
    try {
      // Sends all outcomes of this context again: the store applies each only once, and links records that were used together.
      await recall.acknowledge(context.receipt, { ...outcomes })
      const now = await recall.get(id)
      const text = confidenceInWords(confidence, now?.confidence ?? confidence)
      learned.textContent = text
      announce(`${titleOf(record)}: ${outcome}, ${text}.`)
      actions.learned()
      return true
    } catch (error) {
      delete outcomes[id]
      explainError('The feedback could not be saved.', error)
      return false
    }
  }
}

function confidenceInWords(before: number, after: number): string {
  return before === after
    ? `saved, confidence stays ${after.toFixed(2)}`
    : `confidence ${before.toFixed(2)} → ${after.toFixed(2)}`
}

const dueMeaning = 'Not found by the question: it is due now by its cycle or its pressure'
