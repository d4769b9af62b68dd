/** The records of a context in its order: which surfaced unasked, and what the reader says became of each. */
import type { ContextPackage, Outcome, Recall, StoredRecord } from 'scrubjay'
import { amount } from '../format.ts'
import { explainError } from '../notice.ts'
import { announce, hidden, make } from '../parts.ts'
import { titleOf } from '../title-of.ts'
import { outcomeButtons } from './outcome-buttons.ts'

export interface PackedActions {
  showLife(id: string): void
  /** Called after the store has learned something. */
  learned(): void
}

export function packedRecords(recall: Recall, made: ContextPackage, actions: PackedActions): HTMLElement {
  const told: Record<string, Outcome> = {}
  const surfaced = new Set(made.proactive.map(({ id }) => id))
  if (made.records.length === 0)
    return make('p', { class: 'quiet' }, 'Nothing is found and nothing is due, so there is no context.')
  return make('ol', { class: 'packed-records', 'aria-label': 'Records of the context' }, ...made.records.map(row))

  function row(record: StoredRecord): HTMLElement {
    const { id } = record
    const title = titleOf(record)
    const learned = make('span', { class: 'quiet learned' })
    const show = make('button', { type: 'button', class: 'small' }, 'Its life', hidden(`: ${title}`))
    show.addEventListener('click', () => actions.showLife(id))
    return make(
      'li',
      { class: 'packed-record', 'data-id': id, 'data-proactive': String(surfaced.has(id)) },
      make(
        'p',
        { class: 'packed-title' },
        make('b', {}, title),
        make('span', { class: 'figure', title: 'Score' }, hidden('Score '), amount(made.metadata.scores[id] ?? 0)),
      ),
      surfaced.has(id)
        ? make('p', {}, make('span', { class: 'badge', 'data-tone': 'warn', title: dueMeaning }, 'surfaced unasked'))
        : null,
      make(
        'div',
        { class: 'packed-feedback' },
        outcomeButtons(title, (outcome) => tell(record, outcome, learned)),
        show,
        learned,
      ),
    )
  }

  async function tell(record: StoredRecord, outcome: Outcome, learned: HTMLElement): Promise<boolean> {
    const { id, confidence } = record
    told[id] = outcome
    try {
      // All that was said of this context so far: what was learned before is learned once, and what was used together gets linked.
      await recall.acknowledge(made.receipt, { ...told })
      const now = await recall.get(id)
      const text = confidenceInWords(confidence, now?.confidence ?? confidence)
      learned.textContent = text
      announce(`${titleOf(record)}: ${outcome}, ${text}.`)
      actions.learned()
      return true
    } catch (error) {
      delete told[id]
      explainError('The outcome could not be learned.', error)
      return false
    }
  }
}

function confidenceInWords(before: number, after: number): string {
  return before === after
    ? `learned, confidence stays ${after.toFixed(2)}`
    : `confidence ${before.toFixed(2)} → ${after.toFixed(2)}`
}

const dueMeaning = 'Nobody asked for it: its cycle or its pressure makes it due now'
