/** Opens the store of notes, and closes it when the user leaves the page. Several tabs can share it. */
import { openRecall, type Recall } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { make, partById } from '../shared/dom.ts'
import { languagesOf } from '../shared/store/user-languages.ts'

/** Resolves to null if the store cannot be opened; the page then shows the reason. `leaving` is called before the store is closed. */
export async function openNotes(leaving: () => Promise<void>): Promise<Recall | null> {
  try {
    const recall = await openRecall({ name: 'notes', ...languagesOf(navigator.languages) })
    addEventListener('pagehide', () => void leaving().finally(() => recall.close()))
    // A page from the back-forward cache has a closed store.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    recall.subscribe((event) => {
      if (event.type === 'outdated') explainError('A newer version of this app is open in another tab.', '', reload())
    })
    return recall
  } catch (error) {
    partById('store-brief').textContent = 'Store not open'
    explainError('Your notes could not be opened.', error, reload())
    return null
  }
}

function reload(): HTMLElement {
  return make('button', { type: 'button', click: () => location.reload() }, 'Reload')
}
