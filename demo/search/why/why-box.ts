/**
 * “Why is … missing?” Takes a record by its name, or from a hit or a line of the ledger, and shows the engine's own
 * explanation for the question that stands in the box. It follows the question: another one is explained anew.
 */
import type { Recall, RecallQuery } from 'scrubjay'
import { messageOf } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/parts.ts'
import { titleOf } from '../../shared/title-of.ts'
import { explanationView } from './explanation-view.ts'
import { createRecordPicker } from './record-picker.ts'

export interface WhyBox {
  /** Explains a record and goes there; `from` is where the way back leads. */
  explain(id: string, from: HTMLElement): void
  /** Tells of the question that is answered now, and of the store it was put to. */
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
      // Records came or went: their names are listed anew.
      if (storeRevision !== revision) picker.forgetNames()
      revision = storeRevision
      if (shown !== null) void show(shown, false)
    },
  }

  async function show(id: string, goesThere: boolean): Promise<void> {
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
      if (!goesThere) return
      announce(`${title}: ${explanation.reason}.`)
      goTo(place.querySelector<HTMLElement>('h3'))
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
      goTo(back?.isConnected === true ? back : picker.input)
    })
    if (back === null) return make('p', { class: 'buttons' }, clear)
    const click = () => goTo(back.isConnected ? back : picker.input)
    return make('p', { class: 'buttons' }, make('button', { type: 'button', class: 'small', click }, 'Back'), clear)
  }
}

function goTo(goal: HTMLElement | null): void {
  goal?.focus({ preventScroll: true })
  goal?.scrollIntoView({ block: 'nearest' })
}
