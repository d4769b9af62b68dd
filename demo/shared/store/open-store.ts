/** Opens the store of a page and closes it when the user leaves the page, so that other tabs can open it. */
import { type OpenOptions, openRecall, type Recall, RecallError } from 'scrubjay'
import { explainError } from '../notice.ts'
import { make, partById } from '../dom.ts'
import { languagesOf } from './user-languages.ts'

/** Resolves to null if the store cannot be opened. The page then shows the reason. */
export async function openStore(options: OpenOptions, heading: HTMLElement): Promise<Recall | null> {
  try {
    const recall = await openRecall({ ...languagesOf(navigator.languages), ...options })
    releaseOnLeave(recall)
    return recall
  } catch (error) {
    const isBusy = error instanceof RecallError && error.code === 'STORE_BUSY'
    partById('store-brief').textContent = isBusy ? 'Open in another tab' : 'Store not open'
    heading.textContent = 'Nothing to show'
    explainError(
      isBusy ? 'This store is open in another tab.' : 'The store could not be opened.',
      isBusy ? 'Nothing was changed. Close the other tab, then try again.' : error,
      make('button', { type: 'button', click: () => location.reload() }, 'Try again'),
    )
    return null
  }
}

/** A page in the back-forward cache would keep the store's files open and lock out every other tab. */
function releaseOnLeave(recall: Recall): void {
  addEventListener('pagehide', () => void recall.close())
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
}
