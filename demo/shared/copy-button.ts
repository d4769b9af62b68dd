/** A small button that copies a text, and says whether it could. */
import { make } from './parts.ts'

/** `text` is asked for when pressed. */
export function copyButton(title: string, text: () => string): HTMLButtonElement {
  const copy = make('button', { type: 'button', class: 'small', title }, 'Copy')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'Not allowed'),
    )
  })
  return copy
}
