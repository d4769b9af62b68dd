/** Deletes a whole store after the user has typed a word. Presses alone, however many, delete nothing. */
import { announce, make } from '../dom.ts'

const word = 'delete'

/** ms without a key press after which the form is closed. */
const idleMs = 60_000

export interface DeleteEverything {
  readonly id: string
  /** Text of the button. */
  readonly text: string
  /** Says what will be deleted. */
  readonly warning: string
  readonly destroy: () => void
}

export function deleteEverything({ id, text, warning, destroy }: DeleteEverything): HTMLElement {
  const begin = make('button', { type: 'button', class: 'danger', id, click: ask }, text)
  const place = make('div', { class: 'delete-everything' }, begin)
  let timer: ReturnType<typeof setTimeout> | undefined
  return place

  function ask(): void {
    const box = make('input', {
      id: `${id}-word`,
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
    })
    const submit = make('button', { type: 'submit', class: 'danger', disabled: true }, text)
    const form = make(
      'form',
      {},
      make('p', {}, warning),
      make('label', { for: box.id }, `Type “${word}” to continue`),
      box,
      make('p', { class: 'buttons' }, submit, make('button', { type: 'button', click: cancel }, 'Cancel')),
    )
    box.addEventListener('input', () => {
      submit.disabled = !isTyped(box)
      wait()
    })
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      cancel()
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (!isTyped(box)) return
      disarm()
      destroy()
    })
    place.replaceChildren(form)
    box.focus()
    wait()
  }

  function cancel(): void {
    disarm()
    begin.focus()
    announce('Nothing was deleted.')
  }

  function wait(): void {
    clearTimeout(timer)
    timer = setTimeout(disarm, idleMs)
  }

  function disarm(): void {
    clearTimeout(timer)
    place.replaceChildren(begin)
  }
}

function isTyped({ value }: HTMLInputElement): boolean {
  return value.trim().toLowerCase() === word
}
