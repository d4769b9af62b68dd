/** The small card at the lower edge that says what was deleted and offers to undo it, and later shows the proof. */
import { make } from '../parts.ts'

export interface UndoToast {
  /** Resolves to false when it was undone, to true when time is up or somebody does not want to wait. */
  readonly isMeant: Promise<boolean>
  /** Shows what came of it until somebody closes it. */
  finish(outcome: HTMLElement): void
  close(): void
}

/** ms to undo. They begin again after the pointer or the focus was on the card. */
const undoMs = 10_000

/** ms in which “Delete now” does nothing: it may have come up under a pointer that is being pressed. */
const deafMs = 600

/** An aborted signal undoes. */
export function offerUndo(sentence: string, signal?: AbortSignal): UndoToast {
  let decide: (isMeant: boolean) => void = () => {}
  const isMeant = new Promise<boolean>((resolve) => (decide = resolve))
  const shownMs = performance.now()
  const element = make(
    'div',
    { class: 'toast', role: 'group', 'aria-label': 'Deleted', tabindex: -1 },
    make('p', {}, sentence),
    make(
      'p',
      { class: 'buttons' },
      button('undo', 'Undo', () => decide(false)),
      button('now', 'Delete now', () => {
        if (performance.now() - shownMs > deafMs) decide(true)
      }),
    ),
  )
  let timer = setTimeout(() => decide(true), undoMs)
  const hold = () => clearTimeout(timer)
  const goOn = () => {
    clearTimeout(timer)
    timer = setTimeout(() => decide(true), undoMs)
  }
  element.addEventListener('pointerenter', hold)
  element.addEventListener('pointerleave', goOn)
  element.addEventListener('focusin', ({ target }) => target !== element && hold())
  element.addEventListener('focusout', goOn)
  signal?.addEventListener('abort', () => decide(false))

  for (const finished of place().querySelectorAll('.toast[data-finished]')) finished.remove()
  place().append(element)
  // The button that was pressed is gone: this is where a keyboard goes on, one step from “Undo”.
  element.focus({ preventScroll: true })
  return { isMeant, finish, close }

  function finish(outcome: HTMLElement): void {
    clearTimeout(timer)
    element.dataset['finished'] = ''
    element.replaceChildren(outcome, make('p', { class: 'buttons' }, button('close', 'Close', close)))
  }

  function close(): void {
    clearTimeout(timer)
    element.remove()
  }
}

function button(name: string, text: string, click: () => void): HTMLElement {
  return make('button', { type: 'button', class: 'small', 'data-toast': name, click }, text)
}

function place(): HTMLElement {
  const known = document.getElementById('toasts')
  if (known !== null) return known
  const made = make('div', { id: 'toasts', class: 'toasts', role: 'region', 'aria-label': 'What was deleted' })
  document.body.append(made)
  return made
}
