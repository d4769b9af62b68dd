/** Shows the card at the lower edge: it reports a deletion, offers to undo it, and later shows the proof. */
import { make } from '../dom.ts'

export interface UndoToast {
  /** Resolves to false if the user undid it; to true when the time is over or the user pressed “Delete now”. */
  readonly isMeant: Promise<boolean>
  /** Whether the user pressed “Delete now”. */
  isPressed(): boolean
  /** Shows the outcome until the user closes the card. */
  finish(outcome: HTMLElement): void
  close(): void
}

/** ms to undo. They start again when the pointer or the focus leaves the card. */
const undoMs = 10_000

/** ms in which “Delete now” is disabled: the card may appear under a pointer that is being pressed. */
const disabledMs = 600

/** Aborting the signal undoes the deletion. */
export function offerUndo(sentence: string, signal?: AbortSignal): UndoToast {
  let decide: (isMeant: boolean) => void = () => {}
  const isMeant = new Promise<boolean>((resolve) => (decide = resolve))
  // Not `disabled`, which would keep the focus away from it.
  let isPressed = false
  const now = button('now', 'Delete now', () => {
    if (now.ariaDisabled === 'true') return
    isPressed = true
    decide(true)
  })
  now.ariaDisabled = 'true'
  setTimeout(() => (now.ariaDisabled = null), disabledMs)
  const element = make(
    'div',
    { class: 'toast', role: 'group', 'aria-label': 'Deleted', tabindex: -1 },
    make('p', {}, sentence),
    make(
      'p',
      { class: 'buttons' },
      button('undo', 'Undo', () => decide(false)),
      now,
    ),
  )
  let timer = setTimeout(() => decide(true), undoMs)
  const hold = () => clearTimeout(timer)
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => decide(true), undoMs)
  }
  element.addEventListener('pointerenter', hold)
  element.addEventListener('pointerleave', restart)
  element.addEventListener('focusin', ({ target }) => target !== element && hold())
  element.addEventListener('focusout', restart)
  signal?.addEventListener('abort', () => decide(false))

  for (const finished of place().querySelectorAll('.toast[data-finished]')) finished.remove()
  place().append(element)
  // The pressed button is removed, so the focus moves here, one Tab before “Undo”.
  element.focus({ preventScroll: true })
  return { isMeant, isPressed: () => isPressed, finish, close }

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
  const existing = document.getElementById('toasts')
  if (existing !== null) return existing
  const region = make('div', { id: 'toasts', class: 'toasts', role: 'region', 'aria-label': 'Deletions' })
  document.body.append(region)
  return region
}
