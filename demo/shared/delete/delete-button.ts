/** Makes the button that deletes one record. */
import { make } from '../dom.ts'

export function deleteButton(what: string, click: () => void): HTMLElement {
  return make(
    'p',
    { class: 'buttons' },
    make('button', { type: 'button', class: 'danger', click }, `Delete this ${what}`),
  )
}
