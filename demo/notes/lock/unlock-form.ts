/** Asks for the passphrase of locked notes before the app starts. */
import { type LockInput, type Recall, RecallError } from 'scrubjay'
import { make, partById } from '../../shared/dom.ts'
import { messageOf } from '../../shared/notice.ts'
import { idleMs, secretField, secretOf } from './secret.ts'

/** Resolves when the notes are open. `open` rejects with WRONG_KEY for a wrong passphrase. */
export function askToUnlock(open: (lock: LockInput) => Promise<Recall>): Promise<Recall> {
  document.body.dataset['at'] = 'locked'
  partById('store-brief').textContent = 'Locked'
  return new Promise((resolve) => {
    const { input, line } = secretField('unlock-secret', 'Passphrase or recovery code', 'current-password')
    const outcome = make('p', { class: 'quiet', id: 'unlock-outcome', role: 'status' })
    const button = make('button', { type: 'submit', class: 'primary', id: 'unlock-now' }, 'Unlock')
    const unlock = async () => {
      button.disabled = true
      outcome.textContent = 'Opening …'
      try {
        const recall = await open({ ...secretOf(input.value), idleMs })
        form.remove()
        document.body.dataset['at'] = 'home'
        resolve(recall)
      } catch (error) {
        const isWrong = error instanceof RecallError && ['WRONG_KEY', 'INVALID_CONFIG'].includes(error.code)
        outcome.textContent = isWrong
          ? 'This does not open the notes. Check each letter, then try again.'
          : messageOf(error)
        button.disabled = false
        input.select()
      }
    }
    const form = make(
      'form',
      {
        class: 'panel sync',
        id: 'unlock',
        submit(event) {
          event.preventDefault()
          void unlock()
        },
      },
      make('h2', {}, 'Your notes are locked'),
      line,
      make('p', { class: 'buttons' }, button),
      outcome,
    )
    partById('notices').append(form)
    input.focus()
  })
}
