/**
 * Completes the word that is being typed, in grey behind it. The right arrow key at the end of the text accepts it, and so does a press
 * on the button at the end of the box.
 */
import type { Recall, Scope } from 'scrubjay'
import { make } from '../../shared/dom.ts'

/** `accepted` is called after the completion was written into the box. */
export function createCompletion(
  recall: Recall,
  box: HTMLInputElement,
  scope: () => Scope,
  accepted: () => void,
): void {
  const typed = make('span', { class: 'ghost-typed' })
  const rest = make('span', {})
  const ghost = make('div', { class: 'ghost', 'aria-hidden': 'true' }, typed, rest)
  const button = make('button', { type: 'button', class: 'small complete', hidden: true, click: accept }, '→')
  box.after(ghost, button)
  box.addEventListener('input', () => void complete())
  box.addEventListener('blur', (event) => event.relatedTarget === button || show(''))
  box.addEventListener('keydown', (event) => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing
    if (event.key === 'Escape' || event.key === 'Enter') return show('')
    if (event.key !== 'ArrowRight' || !isPlain || rest.textContent === '' || !isAtEnd()) return
    event.preventDefault()
    accept()
  })

  async function complete(): Promise<void> {
    const text = box.value
    show('')
    if (!/[\p{L}\p{M}]{2}$/u.test(text) || !isAtEnd()) return
    // A call that fails, for example while the store closes, only leaves the word as it is.
    const found = await completionOf(recall, text, scope()).catch(() => '')
    if (box.value === text && document.activeElement === box) show(found)
  }

  function show(completion: string): void {
    typed.textContent = completion === '' ? '' : box.value
    rest.textContent = completion
    // A text that is wider than the box is scrolled, so its end is in another place.
    const isShown = completion !== '' && box.scrollWidth <= box.clientWidth
    ghost.hidden = !isShown
    button.hidden = !isShown
    button.setAttribute('aria-label', `Complete to ${box.value}${completion}`)
  }

  function accept(): void {
    box.value += rest.textContent
    show('')
    box.focus()
    accepted()
  }

  function isAtEnd(): boolean {
    return box.selectionStart === box.value.length && box.selectionEnd === box.value.length
  }
}

/** What is missing at the end of the text; empty if no word or title begins like it. */
export async function completionOf(recall: Pick<Recall, 'suggest'>, text: string, scope: Scope): Promise<string> {
  const last = text.split(/\s/).at(-1) ?? ''
  for (const typed of new Set([text.trimStart(), last])) {
    const found = await recall.suggest(typed, { scope, limit: 5 })
    const first = found.find((one) => isStart(one.text, typed))
    // If the typed word is the most frequent one, it needs no completion.
    if (first !== undefined) return first.text.slice(typed.length)
  }
  return ''
}

/** Without case: the rest of the word is appended to what was typed. */
function isStart(text: string, typed: string): boolean {
  return text.slice(0, typed.length).toLowerCase() === typed.toLowerCase()
}
