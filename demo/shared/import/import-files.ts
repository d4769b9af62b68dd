/**
 * Imports files: reads them, shows what was found, stores it when the visitor agrees, and says what was left out and why. Files are read twice,
 * so that a large export does not need the memory to hold it.
 */
import { type Recall, RecallError, type RecordInput } from 'scrubjay'
import { announce, make } from '../dom.ts'
import type { NamedFile } from '../files/named-files.ts'
import { counted } from '../format.ts'
import { messageOf } from '../notice.ts'
import { putInBatches } from '../put-in-batches.ts'
import { findRecords, type FoundRecords, type ReadRecords, withFreeNames } from './find-records.ts'
import { foundSentence, leftOut } from './found-sentence.ts'
import { showOutcome, showProgress } from './show-import.ts'

export interface Importing {
  readonly recall: Recall
  /** The element that shows preview, progress and report. */
  readonly outcome: HTMLElement
  /** What the app calls a record. */
  readonly noun: string
  /** Default: the noun with an s. */
  readonly many?: string | undefined
  /** Fields that each record gets. */
  readonly record: Partial<RecordInput>
  /** Makes the app's own records of those that were read. */
  readonly toOwn?: ((records: AsyncIterable<RecordInput>) => AsyncIterable<RecordInput>) | undefined
  /** False: this record stays as it is stored. */
  readonly mayReplace?: ((record: RecordInput) => Promise<boolean>) | undefined
}

type Answer = 'add' | 'update' | 'both' | 'skip' | 'cancel'

/** Resolves when it is done, also after an error, which it shows; true if all that was chosen is stored. */
export async function importFiles(
  given: readonly NamedFile[] | Promise<readonly NamedFile[]>,
  importing: Importing,
): Promise<boolean> {
  const { recall, outcome, noun, many, record, toOwn = (records) => records } = importing
  const stop = new AbortController()
  try {
    const files = await given
    // The readers are loaded with the first file.
    const { readExport } = await import('scrubjay/import')
    const read: ReadRecords = (some) => {
      const given = readExport(some, { record, signal: stop.signal, onProgress })
      return { records: toOwn(given), report: () => given.report }
    }
    const { show } = showProgress(outcome, stop)
    function onProgress({ report }: { readonly report: { readonly records: number } }): void {
      show(`${counted(report.records, noun, many)} read`)
    }
    const found = await findRecords(recall, files, read)
    if (found.count === 0) {
      showOutcome(outcome, 'Nothing to add.', [], leftOut(found.report))
      return false
    }
    const answer = isPlain(found) ? 'add' : await ask(importing, found)
    if (answer === 'cancel') {
      showOutcome(outcome, 'Nothing was added.', [])
      return false
    }
    const chosen =
      answer === 'both'
        ? await withFreeNames(recall, files, found.taken, read)
        : files.filter(({ path }) => answer !== 'skip' || !found.taken.includes(path))
    await store(read(chosen), found, importing, stop)
    return true
  } catch (error) {
    const isStopped = stop.signal.aborted && !(error instanceof RecallError && error.code !== 'ABORTED')
    showOutcome(outcome, isStopped ? 'Stopped. What was added stays.' : `Not all was added: ${messageOf(error)}`, [])
    return false
  }
}

/** One record, which replaces nothing: there is nothing to decide. */
function isPlain({ count, report: { left }, taken }: FoundRecords): boolean {
  return count === 1 && left === 0 && taken.length === 0
}

async function store(
  { records }: ReturnType<ReadRecords>,
  found: FoundRecords,
  importing: Importing,
  stop: AbortController,
): Promise<void> {
  const { recall, outcome, noun, many, mayReplace = async () => true } = importing
  const { show } = showProgress(outcome, stop)
  let kept = 0
  const replacing = async function* () {
    for await (const record of records)
      if (await mayReplace(record)) yield record
      else kept++
  }
  const batch = await putInBatches(
    recall,
    replacing(),
    (done) => show(`${done} of ${found.count}`, done / found.count),
    stop.signal,
  )
  const parts = [
    batch.inserted > 0 ? `${counted(batch.inserted, noun, many)} added` : '',
    batch.updated > 0 ? `${batch.updated} updated` : '',
    batch.unchanged > 0 ? `${batch.unchanged} unchanged` : '',
    kept > 0 ? `${kept} edited here and kept` : '',
    batch.rejected.length > 0 ? `${batch.rejected.length} refused` : '',
    found.report.left > 0 ? `${counted(found.report.left, 'part')} left out` : '',
  ]
  const refused = batch.rejected.map(({ name, message }) => `${name}: ${message}`)
  const sentence = `${parts.filter((part) => part !== '').join(', ') || 'Nothing to add'}.`
  showOutcome(outcome, sentence, refused, leftOut(found.report))
}

/** Resolves to what the visitor chooses; names the files that would replace another text. */
function ask({ outcome, noun, many }: Importing, found: FoundRecords): Promise<Answer> {
  const sentence = foundSentence(found, noun, many)
  return new Promise((resolve) => {
    const choice = (answer: Answer, text: string) =>
      make('button', { type: 'button', class: 'small', 'data-import': answer, click: () => resolve(answer) }, text)
    const { taken, titles, report, count } = found
    const isOne = taken.length === 1
    const more = count - titles.length
    outcome.replaceChildren(
      make('p', { class: 'import-found' }, sentence),
      make(
        'ul',
        { class: 'import-titles' },
        ...titles.map((title) => make('li', {}, title)),
        ...(more > 0 ? [make('li', {}, `and ${more} more`)] : []),
      ),
      ...leftOut(report),
      ...(taken.length === 0
        ? []
        : [
            make(
              'p',
              {},
              isOne
                ? `“${taken[0]}” is already here with other text.`
                : `${taken.length} of these files are already here with other text: ${taken.join(', ')}.`,
            ),
          ]),
      make(
        'p',
        { class: 'buttons' },
        ...(taken.length === 0
          ? [choice('add', `Add ${counted(count, noun, many)}`)]
          : [
              choice('update', isOne ? 'Update it' : 'Update them'),
              choice('both', 'Keep both'),
              choice('skip', 'Skip'),
            ]),
        choice('cancel', 'Cancel'),
      ),
    )
    announce(sentence)
  })
}
