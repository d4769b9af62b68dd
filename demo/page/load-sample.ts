/** Fills the store with the sample on the first visit, with progress. A load that was cut short goes on at the next. */
import type { Recall, RecordInput } from 'scrubjay'
import { counted } from './format.ts'
import { linkSample } from './link-sample.ts'
import { explainError, showNotice } from './notice.ts'
import { announce, make } from './parts.ts'
import { putInBatches } from './put-in-batches.ts'

const unfinishedKey = 'scrubjay-demo-sample-unfinished'

/** True for a store that nothing was ever written to, and for one whose sample did not arrive whole. */
export async function isFirstVisit(recall: Recall): Promise<boolean> {
  return (await recall.status()).revision === 0 || readNote() !== null
}

/** Resolves when it is stored, or after saying why not. */
export async function fillWithSample(recall: Recall): Promise<void> {
  const progress = make('progress', { 'aria-labelledby': 'sample-progress', value: 0, max: 1 })
  const label = make('span', { id: 'sample-progress' }, 'Filling the store with the sample …')
  const removeNotice = showNotice('calm', make('p', {}, label), progress)
  try {
    leaveNote('yes')
    const records = await fetchSample()
    const { rejected } = await putInBatches(recall, records, (done) => {
      progress.value = done / records.length
      label.textContent = `Filling the store with the sample: ${done} of ${records.length}`
    })
    leaveNote(null)
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
function readNote(): string | null {
  try {
    return localStorage.getItem(unfinishedKey)
  } catch {
    return null
  }
}

function leaveNote(note: string | null): void {
  try {
    if (note === null) localStorage.removeItem(unfinishedKey)
    else localStorage.setItem(unfinishedKey, note)
  } catch {
    // See readNote.
  }
}

async function fetchSample(): Promise<readonly RecordInput[]> {
  const response = await fetch(new URL('sample.jsonl', document.baseURI))
  if (!response.ok) throw new Error(`sample.jsonl answered ${response.status}.`)
  const lines = (await response.text()).trim().split('\n')
  return lines.map((line): RecordInput => JSON.parse(line))
}
