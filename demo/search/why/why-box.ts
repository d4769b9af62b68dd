/**
 * Shows the box “Why is … missing?”. Takes a record from its field, a hit or a ledger line, and shows the engine's
 * explanation for the current question. A new question updates the explanation.
 */
import type { Recall, RecallQuery, StoredRecord } from 'scrubjay'
import { deleteButton } from '../../shared/delete/delete-button.ts'
import { announce, make, partById } from '../../shared/dom.ts'
import { messageOf } from '../../shared/notice.ts'
import { isNamed } from '../../shared/title-first.ts'
import { rowTitle } from '../shown/row-title.ts'
import { cutList } from './cut-list.ts'
import { explanationView, sentenceOf } from './explanation-view.ts'
import { createRecordPicker } from './record-picker.ts'

export interface WhyBox {
  /** Explains a record and moves the focus there; “Back” returns the focus to `from`. */
  explain(id: string, from: HTMLElement): void
  /** Sets the question that is answered now, and the revision of the store that answered it. */
  asked(query: RecallQuery, storeRevision: number): void
  /** Shows no record any more. */
  clear(): void
  /** Explains again, after the box became visible or the store changed. */
  refresh(): void
}

export interface WhyActions {
  remove(record: StoredRecord): void
  /** Opens the tab of this box. */
  open(): void
  isVisible(): boolean
  /** Shows the page again where this box covers it. */
  uncover(): void
}

export function createWhyBox(recall: Recall, actions: WhyActions): WhyBox {
  const place = make('div', { class: 'why-answer' })
  const picker = createRecordPicker(recall, 'why-record', (id) => {
    origin = null
    void show(id, true)
  })
  partById('why').append(
    make('label', { class: 'quiet', for: 'why-record' }, 'Missing something? Which record did you expect?'),
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
      actions.open()
      origin = from
      picker.input.value = id
      void show(id, true)
    },
    asked(next, storeRevision) {
      query = next
      // Records may have changed, so the names are listed again.
      if (storeRevision !== revision) picker.forgetNames()
      revision = storeRevision
      refresh()
    },
    refresh,
    clear,
  }

  function clear(): void {
    running?.abort()
    shown = null
    picker.input.value = ''
    place.replaceChildren()
  }

  function refresh(): void {
    if (shown !== null && actions.isVisible()) void show(shown, false)
  }

  async function show(id: string, movesFocus: boolean): Promise<void> {
    running?.abort()
    const mine = new AbortController()
    running = mine
    // The Delete button of another record must not be pressed by mistake.
    if (id !== shown) place.replaceChildren()
    shown = id
    try {
      const [explanation, record] = await Promise.all([
        recall.why(query, id, { signal: mine.signal }),
        recall.get(id, { signal: mine.signal }),
      ])
      if (running !== mine) return
      const successor = record?.supersededBy == null ? undefined : await recall.get(record.supersededBy)
      const cut =
        explanation.selected || explanation.stage === 'limit' ? await cutList(recall, query, id, mine.signal) : null
      if (running !== mine) return
      const title = record === undefined ? id : rowTitle(record)
      const explained = {
        explanation,
        title,
        record: record ?? null,
        isExact: record !== undefined && isNamed({ record }, query.text ?? ''),
        successor: successor === undefined ? null : rowTitle(successor),
        now: query.now ?? Date.now(),
      }
      if (document.activeElement !== picker.input) picker.input.value = title
      const parts = [explanationView(explained), cut, record === undefined ? null : wholeRecord(record), buttons()]
      place.replaceChildren(...parts.filter((part) => part !== null))
      if (!movesFocus) return
      announce(`${title}: ${sentenceOf(explained)}`)
      focusOn(place.querySelector<HTMLElement>('h3'))
    } catch (error) {
      if (running === mine) place.replaceChildren(make('p', { class: 'quiet' }, messageOf(error)), buttons())
    }
  }

  function wholeRecord(record: StoredRecord): HTMLElement {
    const texts = [record.instruction, record.summary, record.body].filter((text) => text !== null && text !== '')
    return make(
      'details',
      { class: 'whole-record' },
      make('summary', {}, 'The whole record'),
      make(
        'div',
        { class: 'whole', tabindex: 0, role: 'region', 'aria-label': 'The whole text' },
        ...texts.map((text) => make('p', {}, text)),
      ),
      deleteButton('record', () => {
        empty()
        picker.input.value = ''
        actions.remove(record)
      }),
    )
  }

  function empty(): void {
    shown = null
    running?.abort()
    running = undefined
    place.replaceChildren()
  }

  function buttons(): HTMLElement {
    const back = origin
    const clear = make('button', { type: 'button', class: 'small' }, 'Close')
    clear.addEventListener('click', () => {
      empty()
      picker.input.value = ''
      goBack()
    })
    if (back === null) return make('p', { class: 'buttons' }, clear)
    const button = make('button', { type: 'button', class: 'small', click: goBack }, 'Back')
    return make('p', { class: 'buttons' }, button, clear)

    function goBack(): void {
      if (back?.isConnected !== true) return focusOn(picker.input)
      actions.uncover()
      focusOn(back)
    }
  }
}

function focusOn(goal: HTMLElement | null): void {
  goal?.focus({ preventScroll: true })
  goal?.scrollIntoView({ block: 'nearest' })
}
