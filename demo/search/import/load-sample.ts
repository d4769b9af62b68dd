/** Fills the store with the sample on the first visit, with progress. A load that was cut short goes on at the next. */
import type { Recall, RecordInput } from 'scrubjay'
import { counted } from '../../shared/format.ts'
import { explainError, showNotice } from '../../shared/notice.ts'
import { announce, make } from '../../shared/parts.ts'
import { putInBatches } from '../../shared/put-in-batches.ts'
import { linkSample } from './link-sample.ts'

const unfinishedKey = 'scrubjay-demo-sample-unfinished'
const emptiedKey = 'scrubjay-demo-emptied'

/** True for a store that nothing was ever written to, and for one whose sample did not arrive whole; not once it was emptied. */
export async function isFirstVisit(recall: Recall): Promise<boolean> {
  if (readNote(unfinishedKey) !== null) return true
  return (await recall.status()).revision === 0 && readNote(emptiedKey) === null
}

/** Remembers that the store is meant to be empty. */
export function keepEmpty(): void {
  leaveNote(unfinishedKey, null)
  leaveNote(emptiedKey, 'yes')
}

/** Resolves when it is stored, or after saying why not. */
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

/** A browser that refuses local storage refuses lasting stores too, and then there is nothing to go on with. */
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
