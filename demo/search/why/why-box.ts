/**
 * Shows the box “Why is … missing?”. Takes a record from its field, a hit or a ledger line, and shows the engine's
 * explanation for the current question. A new question updates the explanation.
 */
import type { Recall, RecallQuery } from 'scrubjay'
import { messageOf } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/parts.ts'
import { titleOf } from '../../shared/title-of.ts'
import { explanationView } from './explanation-view.ts'
import { createRecordPicker } from './record-picker.ts'

export interface WhyBox {
  /** Explains a record and moves the focus there; “Back” returns the focus to `from`. */
  explain(id: string, from: HTMLElement): void
  /** Sets the question that is answered now, and the revision of the store that answered it. */
  asked(query: RecallQuery, storeRevision: number): void
}

export function createWhyBox(recall: Recall): WhyBox {
  const place = make('div', { class: 'why-answer' })
  const picker = createRecordPicker(recall, 'why-record', (id) => {
    origin = null
    void show(id, true)
  })
  partById('why').append(
    make('label', { class: 'quiet', for: 'why-record' }, 'A record that you expected here'),
    make('div', { class: 'picker' }, picker.input, picker.list),
    place,
  )
  let query: RecallQuery = {}
  let revision = -1
  let shown: string | null = null
  let origin: HTMLElement | null = null
  let running: AbortController | undefined

  return {
    explain(id, from) {
      origin = from
      picker.input.value = id
      void show(id, true)
    },
    asked(next, storeRevision) {
      query = next
      // Records may have changed, so the names are listed again.
      if (storeRevision !== revision) picker.forgetNames()
      revision = storeRevision
      if (shown !== null) void show(shown, false)
    },
  }

  async function show(id: string, movesFocus: boolean): Promise<void> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    shown = id
    try {
      const [explanation, record] = await Promise.all([
        recall.why(query, id, { signal: mine.signal }),
        recall.get(id, { signal: mine.signal }),
      ])
      if (running !== mine) return
      const title = record === undefined ? id : titleOf(record)
      place.replaceChildren(explanationView(explanation, title), buttons())
      if (!movesFocus) return
      announce(`${title}: ${explanation.reason}.`)
      focusOn(place.querySelector<HTMLElement>('h3'))
    } catch (error) {
      if (running === mine) place.replaceChildren(make('p', { class: 'quiet' }, messageOf(error)), buttons())
    }
  }

  function buttons(): HTMLElement {
    const back = origin
    const clear = make('button', { type: 'button', class: 'small' }, 'Close')
    clear.addEventListener('click', () => {
      shown = null
      running?.abort()
      running = undefined
      picker.input.value = ''
      place.replaceChildren()
      focusOn(back?.isConnected === true ? back : picker.input)
    })
    if (back === null) return make('p', { class: 'buttons' }, clear)
    const click = () => focusOn(back.isConnected ? back : picker.input)
    return make('p', { class: 'buttons' }, make('button', { type: 'button', class: 'small', click }, 'Back'), clear)
  }
}

function focusOn(goal: HTMLElement | null): void {
  goal?.focus({ preventScroll: true })
  goal?.scrollIntoView({ block: 'nearest' })
}
