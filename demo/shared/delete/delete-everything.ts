/** Deletes a whole store, after somebody has typed a word: a press alone, however often, deletes nothing. */
import { announce, make } from '../parts.ts'

const word = 'delete'

/** ms without a key after which the question goes away. */
const idleMs = 60_000

export interface DeleteEverything {
  readonly id: string
  /** On the button. */
  readonly text: string
  /** What will be gone. */
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
      make('label', { for: box.id }, `Type “${word}” to go on`),
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
