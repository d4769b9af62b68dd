/** Makes a small button that copies a text and reports whether that worked. */
import { make } from './dom.ts'

/** `text` is read when the button is pressed. */
export function copyButton(title: string, text: () => string, name = 'Copy'): HTMLButtonElement {
  const copy = make('button', { type: 'button', class: 'small', title }, name)
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'Not copied'),
    )
  })
  return copy
}
