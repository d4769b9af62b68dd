/** Encrypts the notes with a passphrase, locks them now, and takes the lock away. Each ends with a reload, so that the app starts with what is stored. */
import { decryptStore, encryptStore, openRecall, type Recall, RecallError } from 'scrubjay'
import { copyButton } from '../../shared/copy-button.ts'
import { make, partById } from '../../shared/dom.ts'
import { messageOf } from '../../shared/notice.ts'
import { noteStore } from '../model/note.ts'
import { secretField, secretOf } from './secret.ts'

/** `flush` stores what is typed. */
export function createLock(recall: Recall, isLocked: boolean, flush: () => Promise<void>): void {
  const outcome = partById('lock-outcome')
  let isClosed = false
  partById('lock-body').replaceChildren(...(isLocked ? lockedParts() : openParts()))

  function openParts(): readonly HTMLElement[] {
    const first = secretField('lock-new', 'New passphrase', 'new-password')
    const again = secretField('lock-again', 'The same again', 'new-password')
    const button = make('button', { type: 'submit', class: 'primary', id: 'lock-start' }, 'Lock the notes')
    const form = formOf(button, [first.line, again.line], async () => {
      if (first.input.value !== again.input.value) return say('The two passphrases differ.')
      if (first.input.value.trim().length < shortest)
        return say(`Take at least ${shortest} letters: five random words are good.`)
      await encrypt(first.input.value)
    })
    return [
      quiet(
        'Encrypt these notes with a passphrase. Then a stolen computer, a copied browser profile or a backup shows nothing of them.',
      ),
      make(
        'details',
        { class: 'sync' },
        make('summary', {}, 'Set up'),
        quiet(
          'It does not protect open notes from someone at this computer, or from a program in this browser. Only the passphrase and a recovery code open the notes: if both are lost, the notes are lost. Password and key of Sync stay readable in this browser.',
        ),
        form,
      ),
    ]
  }

  async function encrypt(passphrase: string): Promise<void> {
    await closed()
    await encryptStore(noteStore, { lock: { passphrase } })
    const locked = await openRecall({ name: noteStore, history: true, lock: { passphrase } })
    const { recoveryCode } = await locked.keys.add({ recoveryCode: true })
    await locked.close()
    document.body.dataset['at'] = 'locked'
    const done = make('button', { type: 'button', class: 'primary', id: 'lock-done' }, 'I wrote it down')
    done.addEventListener('click', () => location.reload())
    partById('notices').append(
      make(
        'section',
        { class: 'panel' },
        make('h2', {}, 'Your notes are locked'),
        make(
          'p',
          {},
          'This recovery code opens them, too, if the passphrase is forgotten. It is shown only now: write it down.',
        ),
        make('p', { class: 'recovery-code', id: 'recovery-code' }, recoveryCode),
        make(
          'p',
          { class: 'buttons' },
          copyButton('Copy the recovery code', () => recoveryCode, 'Copy'),
          done,
        ),
      ),
    )
    done.focus()
  }

  function lockedParts(): readonly HTMLElement[] {
    const now = make('button', { type: 'button', class: 'primary', id: 'lock-now' }, 'Lock now')
    now.addEventListener('click', () =>
      attempt(async () => {
        await flush()
        await recall.lockNow()
        location.reload()
      }),
    )
    const { input, line } = secretField('lock-secret', 'Passphrase or recovery code', 'current-password')
    const button = make('button', { type: 'submit', class: 'danger', id: 'lock-remove' }, 'Remove the lock')
    const form = formOf(button, [line], async () => {
      await closed()
      await decryptStore(noteStore, { lock: secretOf(input.value) })
      location.reload()
    })
    return [
      quiet('The notes are encrypted. They lock themselves in every tab after 15 minutes without use.'),
      make('p', { class: 'buttons' }, now),
      make('details', { class: 'sync' }, make('summary', {}, 'Remove the lock'), form),
    ]
  }

  function formOf(button: HTMLButtonElement, lines: readonly HTMLElement[], send: () => Promise<void>): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault()
      button.disabled = true
      void attempt(send).finally(() => (button.disabled = false))
    }
    return make('form', { class: 'settings', submit }, ...lines, make('p', { class: 'buttons' }, button))
  }

  /** The store must be closed in every tab. From then on only a reload helps this page. */
  async function closed(): Promise<void> {
    say('One moment …')
    await flush()
    isClosed = true
    await recall.close()
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      say(sentenceOf(error))
      if (isClosed)
        outcome.append(
          ' ',
          make('button', { type: 'button', class: 'small', click: () => location.reload() }, 'Reload'),
        )
    }
  }

  function say(sentence: string): void {
    outcome.textContent = sentence
  }
}

/** Letters of a passphrase. */
const shortest = 12

function sentenceOf(error: unknown): string {
  const code = error instanceof RecallError ? error.code : null
  if (code === 'STORE_BUSY') return 'The notes are open in another tab. Close it, then try again. Nothing was changed.'
  if (code === 'WRONG_KEY') return 'This does not open the notes. Nothing was changed.'
  return messageOf(error)
}

function quiet(text: string): HTMLElement {
  return make('p', { class: 'quiet' }, text)
}
