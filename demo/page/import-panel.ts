/**
 * Takes a person's own texts: files dropped anywhere on the page, picked, or pasted. Shows progress, can be stopped, and
 * lists every record that was refused with its reason.
 */
import { type Recall, RecallError } from 'scrubjay'
import { listenToDrops } from './drops.ts'
import { counted } from './format.ts'
import { messageOf } from './notice.ts'
import { announce, make, partById } from './parts.ts'
import { putInBatches } from './put-in-batches.ts'
import { readText } from './read-text.ts'

interface NamedText {
  readonly name: string
  readonly text: string
  readonly modifiedMs: number
}

/** `changed` is called after records arrived. */
export function createImportPanel(recall: Recall, { changed }: { readonly changed: () => void }): void {
  const outcome = make('div', { class: 'import-outcome', role: 'status' })
  const picker = make('input', {
    type: 'file',
    id: 'files',
    class: 'hidden',
    multiple: true,
    accept: '.md,.markdown,.txt,.log,.jsonl,.ndjson,text/*',
  })
  picker.addEventListener('change', () => {
    void importFiles([...(picker.files ?? [])])
    picker.value = ''
  })
  partById('import').append(
    make(
      'div',
      { class: 'drop' },
      make('p', {}, 'Drop Markdown, text or JSONL files anywhere on this page.'),
      make('p', { class: 'buttons' }, picker, make('label', { class: 'button', for: 'files' }, 'Choose files')),
      make('p', { class: 'quiet' }, 'They stay in this browser.'),
    ),
    pasteFold((text) => void importTexts([{ name: 'pasted', text, modifiedMs: Date.now() }])),
    outcome,
  )
  listenToDrops((files) => void importFiles(files))

  async function importFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) return
    const texts = await Promise.all(
      files.map(async (file) => ({ name: file.name, text: await file.text(), modifiedMs: file.lastModified })),
    )
    await importTexts(texts)
  }

  async function importTexts(texts: readonly NamedText[]): Promise<void> {
    const read = texts.map(({ name, text, modifiedMs }) => ({ name, ...readText(name, text, modifiedMs) }))
    const records = read.flatMap((one) =>
      one.records.map(({ record, place }) => ({ record, place: `${one.name}, ${place}` })),
    )
    const errors = read.flatMap((one) => one.errors.map((error) => `${one.name}, ${error}`))
    const stop = new AbortController()
    const progress = make('progress', { 'aria-label': 'Import', value: 0, max: Math.max(1, records.length) })
    const count = make('span', {}, `0 of ${records.length}`)
    const button = make('button', { type: 'button', class: 'small', click: () => stop.abort() }, 'Stop')
    outcome.replaceChildren(make('div', { class: 'importing' }, progress, count, button))
    try {
      const batch = await putInBatches(
        recall,
        records.map(({ record }) => record),
        (done) => {
          progress.value = done
          count.textContent = `${done} of ${records.length}`
        },
        stop.signal,
      )
      for (const { index, message } of batch.rejected) errors.push(`${records[index]?.place}: ${message}`)
      report([describe(batch, errors.length)], errors)
    } catch (error) {
      const isStopped = stop.signal.aborted && !(error instanceof RecallError && error.code !== 'ABORTED')
      report([isStopped ? `Stopped after ${count.textContent}.` : `Not all arrived: ${messageOf(error)}`], errors)
    }
    changed()
  }

  function report(sentences: readonly string[], errors: readonly string[]): void {
    outcome.replaceChildren(
      ...sentences.map((sentence) => make('p', { class: 'import-summary' }, sentence)),
      ...(errors.length === 0
        ? []
        : [make('ul', { class: 'notes', 'data-tone': 'warning' }, ...errors.map((error) => make('li', {}, error)))]),
    )
    announce(sentences.join(' '))
  }
}

function describe({ inserted, updated, unchanged }: Awaited<ReturnType<typeof putInBatches>>, refused: number): string {
  const parts = [
    inserted > 0 ? `${counted(inserted, 'record')} added` : '',
    updated > 0 ? `${updated} updated` : '',
    unchanged > 0 ? `${unchanged} unchanged` : '',
    refused > 0 ? `${refused} refused` : '',
  ]
  return `${parts.filter((part) => part !== '').join(', ') || 'Nothing to add'}.`
}

function pasteFold(submitted: (text: string) => void): HTMLElement {
  const text = make('textarea', { id: 'pasted', rows: 5, placeholder: '# A heading\nIts text' })
  const add = make('button', { type: 'button' }, 'Add this text')
  add.addEventListener('click', () => {
    if (text.value.trim() === '') return text.focus()
    submitted(text.value)
    text.value = ''
  })
  return make(
    'details',
    { class: 'paste' },
    make('summary', {}, 'Paste instead'),
    make('label', { class: 'hidden', for: 'pasted' }, 'Text to add'),
    text,
    make('p', { class: 'buttons' }, add),
  )
}
