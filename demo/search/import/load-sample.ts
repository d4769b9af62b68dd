/** Fills the store with the sample on the first visit. The next visit resumes an interrupted load. */
import type { Recall } from 'scrubjay'
import { explainError, showNotice } from '../../shared/notice.ts'
import { announce, make } from '../../shared/dom.ts'
import { importSample } from './sample-file.ts'

const unfinishedKey = 'scrubjay-demo-sample-unfinished'
const emptiedKey = 'scrubjay-demo-emptied'

/** True for a store without any write, and for an incomplete sample; false after the user has emptied the store. */
export async function isFirstVisit(recall: Recall): Promise<boolean> {
  if (readNote(unfinishedKey) !== null) return true
  return (await recall.status()).revision === 0 && readNote(emptiedKey) === null
}

/** Notes that the store must stay empty. */
export function keepEmpty(): void {
  leaveNote(unfinishedKey, null)
  leaveNote(emptiedKey, 'yes')
}

/** Resolves when the sample is stored, or after an error was shown. */
export async function fillWithSample(recall: Recall): Promise<void> {
  const remove = showNotice('calm', make('p', { role: 'status' }, 'Opening the sample …'))
  try {
    leaveNote(unfinishedKey, 'yes')
    await importSample(recall)
    leaveNote(unfinishedKey, null)
    announce('The sample is ready.')
  } catch (error) {
    explainError('The sample could not be stored.', error)
  } finally {
    remove()
  }
}

/** Null without local storage: such browsers have no lasting store either, so there is nothing to resume. */
function readNote(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function leaveNote(key: string, note: string | null): void {
  try {
    if (note === null) localStorage.removeItem(key)
    else localStorage.setItem(key, note)
  } catch {
    // See readNote.
  }
}
