/** Opens the store of notes, and lets go of it when the page is left. Several tabs have it at once. */
import { openRecall, type Recall } from 'scrubjay'
import { explainError } from '../shared/notice.ts'
import { make, partById } from '../shared/parts.ts'

/** Resolves to null after saying why the store cannot be had. `leaving` is called first when the page goes. */
export async function openNotes(leaving: () => Promise<void>): Promise<Recall | null> {
  try {
    const recall = await openRecall({ name: 'notes' })
    addEventListener('pagehide', () => void leaving().finally(() => recall.close()))
    // Kept for the back button, its store is closed.
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
