/**
 * Lets the user sync the notes through a WebDAV folder, and shows how it goes. Of several tabs one syncs; when it is closed, another
 * takes over.
 */
import type { Recall } from 'scrubjay'
import type { RoundReport } from 'scrubjay/replicate'
import { copyButton } from '../../shared/copy-button.ts'
import { counted } from '../../shared/format.ts'
import { make, partById } from '../../shared/dom.ts'
import {
  headersOf,
  keepSettings,
  newKey,
  onSettingsChanged,
  problemOf,
  readKey,
  readSettings,
  type SyncSettings,
} from './sync-settings.ts'
import { uniteNotes } from './unite-notes.ts'

/** ms between two rounds. */
const everyMs = 30_000

export function createSync(recall: Recall): void {
  const place = partById('sync-body')
  const outcome = partById('sync-outcome')
  let running: AbortController | null = null

  onSettingsChanged(follow)
  follow()

  /** Applies the settings, in every tab. */
  function follow(): void {
    running?.abort()
    running = null
    const settings = readSettings()
    say('')
    if (settings === null) showForm()
    else run(settings)
  }

  function showForm(): void {
    const url = field('sync-url', 'Folder address', 'url', 'https://cloud.example/dav/notes/')
    const user = field('sync-user', 'User name', 'text')
    const password = field('sync-password', 'Password', 'password')
    const key = field('sync-key', 'Key', 'text', 'from your other device')
    const makeKey = make('button', { type: 'button', class: 'small', id: 'sync-new-key' }, 'Make a new key')
    makeKey.addEventListener('click', () => (key.input.value = newKey()))
    const start = make('button', { type: 'button', class: 'primary', id: 'sync-start' }, 'Start syncing')
    start.addEventListener('click', () => {
      const chosen = {
        url: url.input.value.trim(),
        user: user.input.value.trim(),
        password: password.input.value,
        key: key.input.value.trim(),
      }
      const problem = problemOf(chosen)
      say(problem ?? '')
      if (problem !== null) return
      keepSettings(chosen)
      follow()
    })
    const form = make(
      'details',
      { class: 'sync' },
      make('summary', {}, 'Set up'),
      make(
        'div',
        { class: 'settings' },
        url.line,
        user.line,
        password.line,
        key.line,
        make('p', { class: 'buttons' }, makeKey),
      ),
      quiet(
        'The key is the same on every device. Keep a copy of it: without the key, no one can read the synced notes. Password and key are kept in this browser. The server must allow this page (CORS).',
      ),
      make('p', { class: 'buttons' }, start),
    )
    place.replaceChildren(
      quiet(
        'Keep these notes equal on your devices, through a WebDAV folder. They are encrypted before they leave this browser.',
      ),
      form,
    )
  }

  function run(chosen: SyncSettings): void {
    const mine = new AbortController()
    running = mine
    const now = make('button', { type: 'button', id: 'sync-now', disabled: true }, 'Sync now')
    const stop = make('button', { type: 'button', id: 'sync-stop' }, 'Stop syncing')
    stop.addEventListener('click', () => {
      keepSettings(null)
      follow()
      say('Syncing stopped. The notes stay here and in the folder.')
    })
    place.replaceChildren(
      quiet(`Folder: ${new URL(chosen.url).host}${new URL(chosen.url).pathname}`),
      make(
        'p',
        { class: 'buttons' },
        now,
        stop,
        copyButton('Copy the key for another device', () => chosen.key, 'Copy the key'),
      ),
    )
    say('Waiting for another tab that syncs …')
    navigator.locks
      .request('notes sync', { signal: mine.signal }, () => replicateUntil(chosen, now, mine.signal))
      .catch((error: unknown) => {
        if (!mine.signal.aborted) say(`Not synced: ${reasonOf(error)}`)
      })
  }

  /** Resolves when the user stops it. */
  async function replicateUntil(chosen: SyncSettings, now: HTMLButtonElement, signal: AbortSignal): Promise<void> {
    // Most people never sync, so this is loaded when needed.
    const { replicate, webDavTransport } = await import('scrubjay/replicate')
    say('Syncing …')
    const failed = (error: unknown) => running !== null && say(`Not synced: ${reasonOf(error)} The app tries again.`)
    const replication = replicate(
      {
        exportTo: recall.exportTo.bind(recall),
        status: recall.status.bind(recall),
        importFrom: (bytes, options, call) => recall.importFrom(bytes, { ...options, onConflict: uniteNotes }, call),
      },
      {
        transport: webDavTransport(chosen.url, { headers: headersOf(chosen) }),
        key: readKey(chosen.key) ?? new Uint8Array(),
        everyMs,
        onError: failed,
        onRound: (report) => say(sentenceOf(report)),
      },
    )
    now.disabled = false
    now.addEventListener('click', () => {
      say('Syncing …')
      replication.sync().catch(failed)
    })
    await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }))
    await replication.stop()
  }

  function say(sentence: string): void {
    if (outcome.textContent !== sentence) outcome.textContent = sentence
  }
}

function sentenceOf({ inserted, updated, forgotten }: RoundReport): string {
  const time = new Date().toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
  const changes = [
    inserted > 0 ? `${counted(inserted, 'new note')}` : '',
    updated > 0 ? `${updated} changed` : '',
    forgotten > 0 ? `${forgotten} deleted` : '',
  ].filter((part) => part !== '')
  return `Synced at ${time}${changes.length === 0 ? '' : `: ${changes.join(', ')}`}.`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function field(id: string, name: string, type: string, placeholder = '') {
  // Outside any form, so that browsers do not offer to save the password.
  const input = make('input', {
    id,
    type,
    placeholder,
    autocomplete: type === 'password' ? 'new-password' : 'off',
    spellcheck: 'false',
  })
  return { input, line: make('p', { class: 'setting' }, make('label', { for: id }, name), input) }
}

function quiet(text: string): HTMLElement {
  return make('p', { class: 'quiet' }, text)
}
