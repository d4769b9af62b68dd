/**
 * Shows the notes that are due. The engine chooses them, the user answers, and the engine learns how strongly each comes
 * back. A note that was answered or changed is left out for half of its interval.
 */
import type { Outcome, Recall, StoredRecord } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { announce, make, partById } from '../shared/dom.ts'
import { type OutcomeChoice, outcomeButtons } from '../shared/record/outcome-buttons.ts'
import { titleOf } from '../shared/title-of.ts'
import { lineOf, rhythmDays } from './model/note.ts'
import type { NoteIndex } from './model/note-index.ts'
import { noteHref } from './address/route.ts'

export interface DueNotes {
  /** Asks again which notes are due. Answered notes stay visible until then. */
  refresh(): Promise<void>
}

const maxShown = 5
const msPerDay = 86_400_000

const choices: readonly OutcomeChoice[] = [
  { outcome: 'acted', name: 'Keep showing', meaning: 'It was useful: it comes back more strongly' },
  { outcome: 'used', name: 'Done for now', meaning: 'It comes back at its next turn' },
  { outcome: 'dismissed', name: 'Show less', meaning: 'It comes back less strongly' },
]

export function createDueNotes(recall: Recall, index: NoteIndex): DueNotes {
  const list = partById('surfaced')
  let turn = 0
  let shown: string | null = null
  return { refresh }

  async function refresh(): Promise<void> {
    const mine = ++turn
    const outcomes: Record<string, Outcome> = {}
    try {
      const context = await recall.assemble({
        maxItems: maxShown,
        exclude: index.deleting(),
        suppress: restingIds(index),
        format: 'content',
      })
      const due = context.proactive.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join()
      // An unchanged list is not redrawn: the user may be about to press a button.
      if (mine !== turn || due === shown) return
      shown = due
      const rows = context.proactive.map((record) =>
        row(record, async (outcome, learned) => {
          // A refresh that is running does not know this answer, so its result is dropped.
          turn++
          outcomes[record.id] = outcome
          try {
            await recall.acknowledge(context.receipt, { ...outcomes })
            keepSeen(record.id)
            const now = await recall.get(record.id)
            learned.textContent = inWords(record, now ?? record)
            announce(`${titleOf(record)}: ${learned.textContent}`)
            return true
          } catch (error) {
            delete outcomes[record.id]
            explainError('The feedback could not be saved.', error)
            return false
          }
        }),
      )
      list.replaceChildren(
        rows.length === 0
          ? make(
              'p',
              { class: 'quiet' },
              'Nothing to review. Notes come back here at the interval that you choose below a note.',
            )
          : make('ol', { class: 'packed-records' }, ...rows),
      )
    } catch (error) {
      explainError('The due notes could not be loaded.', error)
    }
  }
}

function row(record: StoredRecord, send: (outcome: Outcome, learned: HTMLElement) => Promise<boolean>): HTMLElement {
  const { title, excerpt, rhythm } = lineOf(record)
  const learned = make('span', { class: 'quiet learned' })
  return make(
    'li',
    { class: 'packed-record', 'data-id': record.id },
    make(
      'p',
      { class: 'packed-title' },
      make('b', {}, make('a', { href: noteHref(record.id) }, title)),
      make('span', { class: 'quiet' }, rhythm === 'never' ? '' : `every ${rhythm}`),
    ),
    make('p', { class: 'snippet' }, excerpt),
    make(
      'div',
      { class: 'packed-feedback' },
      outcomeButtons(title, (outcome) => send(outcome, learned), choices),
      learned,
    ),
  )
}

function inWords(before: StoredRecord, after: StoredRecord): string {
  const [previous, current] = [strengthOf(before), strengthOf(after)]
  if (previous === current) return `comes back as strongly as before (${current.toFixed(2)})`
  return `comes back ${current > previous ? 'more' : 'less'} strongly (${previous.toFixed(2)} → ${current.toFixed(2)})`
}

function strengthOf({ cycles }: StoredRecord): number {
  return cycles[0]?.amplitude ?? 0
}

function restingIds(index: NoteIndex): readonly string[] {
  const nowMs = Date.now()
  const seen = readSeen()
  return index
    .all()
    .filter(({ id, rhythm, updatedAt }) => {
      const restMs = (rhythmDays[rhythm] / 2) * msPerDay
      return restMs > 0 && nowMs - Math.max(updatedAt, seen[id] ?? 0) < restMs
    })
    .map(({ id }) => id)
}

const seenKey = 'scrubjay-notes-seen'

/** Empty without local storage; then an answered note may come back on the same day. */
function readSeen(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(seenKey) ?? '{}')
  } catch {
    return {}
  }
}

function keepSeen(id: string): void {
  const nowMs = Date.now()
  const recent = Object.entries(readSeen()).filter(([, atMs]) => nowMs - atMs < rhythmDays.quarter * msPerDay)
  try {
    localStorage.setItem(seenKey, JSON.stringify({ ...Object.fromEntries(recent), [id]: nowMs }))
  } catch {
    // See readSeen.
  }
}
