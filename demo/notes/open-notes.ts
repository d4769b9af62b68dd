/** Opens the store of notes, and closes it when the user leaves the page. Several tabs can share it. */
import { type LockInput, openRecall, type Recall, RecallError } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { make, partById } from '../shared/dom.ts'
import { languagesOf } from '../shared/store/user-languages.ts'
import { askToUnlock } from './lock/unlock-form.ts'
import { noteStore } from './model/note.ts'

export interface OpenNotes {
  readonly recall: Recall
  readonly isLocked: boolean
}

/** Resolves to null if the store cannot be opened; the page then shows the reason. `leaving` is called before the store is closed. */
export async function openNotes(leaving: () => Promise<void>): Promise<OpenNotes | null> {
  try {
    const opened = await openOrUnlock()
    const { recall } = opened
    addEventListener('pagehide', () => void leaving().finally(() => recall.close()))
    // A page from the back-forward cache has a closed store.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    recall.subscribe((event) => {
      if (event.type === 'outdated') explainError('A newer version of this app is open in another tab.', '', reload())
      // Locked by a tab, or because no one used it for long: the page must not show its notes any longer.
      if (event.type === 'closed' && event.isLocked) location.reload()
    })
    return opened
  } catch (error) {
    partById('store-brief').textContent = 'Store not open'
    explainError('Your notes could not be opened.', error, reload())
    return null
  }
}

/** Asks for the passphrase if the notes are locked. */
async function openOrUnlock(): Promise<OpenNotes> {
  const open = (lock?: LockInput) =>
    openRecall({ name: noteStore, history: true, lock, ...languagesOf(navigator.languages) })
  try {
    return { recall: await open(), isLocked: false }
  } catch (error) {
    if (!(error instanceof RecallError) || error.code !== 'LOCKED') throw error
    return { recall: await askToUnlock(open), isLocked: true }
  }
}

function reload(): HTMLElement {
  return make('button', { type: 'button', click: () => location.reload() }, 'Reload')
}
