/** Fills the store with the sample on the first visit, and shows progress. The next visit resumes an interrupted load. */
import type { Recall, RecordInput } from 'scrubjay'
import { counted } from '../../shared/format.ts'
import { explainError, showNotice } from '../../shared/notice.ts'
import { announce, make } from '../../shared/parts.ts'
import { putInBatches } from '../../shared/put-in-batches.ts'
import { linkSample } from './link-sample.ts'

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
  const progress = make('progress', { 'aria-labelledby': 'sample-progress', value: 0, max: 1 })
  const label = make('span', { id: 'sample-progress' }, 'Filling the store with the sample …')
  const removeNotice = showNotice('calm', make('p', {}, label), progress)
  try {
    leaveNote(unfinishedKey, 'yes')
    const records = await fetchSample()
    const { rejected } = await putInBatches(recall, records, (done) => {
      progress.value = done / records.length
      label.textContent = `Filling the store with the sample: ${done} of ${records.length}`
    })
    leaveNote(unfinishedKey, null)
    const [first] = rejected
    if (first !== undefined) throw new Error(`${counted(rejected.length, 'record')} refused: ${first.message}`)
    await linkSample(recall, records)
    announce(`${counted(records.length, 'sample record')} stored.`)
  } catch (error) {
    explainError('The sample could not be stored.', error)
  } finally {
    removeNotice()
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

async function fetchSample(): Promise<readonly RecordInput[]> {
  const response = await fetch(new URL('sample.jsonl', document.baseURI))
  if (!response.ok) throw new Error(`The server answered sample.jsonl with status ${response.status}.`)
  const lines = (await response.text()).trim().split('\n')
  return lines.map((line): RecordInput => JSON.parse(line))
}
