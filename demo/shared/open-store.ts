/** Opens a page's one store and lets go of it when the page is left, so that the next tab can have it. */
import { type OpenOptions, openRecall, type Recall, RecallError } from 'scrubjay'
import { explainError } from './notice.ts'
import { make, partById } from './parts.ts'

/** Resolves to null after saying why the store cannot be had, under the heading too. */
export async function openStore(options: OpenOptions, heading: HTMLElement): Promise<Recall | null> {
  try {
    const recall = await openRecall(options)
    releaseOnLeave(recall)
    return recall
  } catch (error) {
    const isBusy = error instanceof RecallError && error.code === 'STORE_BUSY'
    partById('store-brief').textContent = isBusy ? 'Open in another tab' : 'No store'
    heading.textContent = 'Nothing to show'
    explainError(
      isBusy ? 'This store is open in another tab.' : 'The store could not be opened.',
      isBusy ? 'Close it there, then try again; nothing was changed.' : error,
      make('button', { type: 'button', click: () => location.reload() }, 'Try again'),
    )
    return null
  }
}

/** A page kept for the back button would hold the store's files and lock out every other tab. */
function releaseOnLeave(recall: Recall): void {
  addEventListener('pagehide', () => void recall.close())
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
}
