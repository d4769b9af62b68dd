/** Shows notices above the answer: errors, hints and progress. */
import { RecallError } from 'scrubjay'
import { type Child, make, partById } from './dom.ts'

/** Shows a notice until it is closed; `tone` sets its colour. Returns a function that removes it. */
export function showNotice(tone: 'calm' | 'warning', ...content: readonly Child[]): () => void {
  const notice = make('div', { class: `notice notice-${tone}`, role: tone === 'warning' ? 'alert' : false }, ...content)
  partById('notices').append(notice)
  return () => notice.remove()
}

/** Shows an error with its code and hint, and buttons that help. Returns a function that removes it. */
export function explainError(sentence: string, error: unknown, ...buttons: readonly HTMLElement[]): () => void {
  const remove = showNotice(
    'warning',
    make('p', {}, make('strong', {}, `${sentence} `), messageOf(error)),
    make('p', { class: 'buttons' }, ...buttons, make('button', { type: 'button', click: () => remove() }, 'Close')),
  )
  return remove
}

/** Shows what was done, and a button for the details. Returns a function that removes it. */
export function showReport(sentence: string, showDetails: () => void): () => void {
  const button = (text: string, click: () => void) => make('button', { type: 'button', class: 'small', click }, text)
  const remove = showNotice(
    'calm',
    make('p', {}, sentence),
    make(
      'p',
      { class: 'buttons' },
      button('Details', () => {
        remove()
        showDetails()
      }),
      button('Close', () => remove()),
    ),
  )
  return remove
}

/** The message, with the code of a `RecallError`. */
export function messageOf(error: unknown): string {
  if (error instanceof RecallError) return `${error.message} (${error.code})`
  return error instanceof Error ? error.message : String(error)
}
