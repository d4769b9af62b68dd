/**
 * Imports the user's texts: dropped files, chosen files, or pasted text. Shows progress, can be stopped, and lists every
 * refused record with its reason.
 */
import { type Recall, RecallError } from 'scrubjay'
import { listenToDrops } from '../../shared/files/drops.ts'
import { type NamedFile, numbered, pickedFiles } from '../../shared/files/named-files.ts'
import { askAboutNames } from '../../shared/files/same-names.ts'
import { counted } from '../../shared/format.ts'
import { messageOf } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/dom.ts'
import { putInBatches } from '../../shared/put-in-batches.ts'
import { readText } from './read-text.ts'

interface NamedText {
  /** The path of a file, or `pasted`. */
  readonly name: string
  readonly text: string
  readonly modifiedMs: number
}

/** `changed` is called after an import. */
export function createImportPanel(recall: Recall, { changed }: { readonly changed: () => void }): void {
  const outcome = make('div', { class: 'import-outcome', role: 'status' })
  const files = picker('files', { accept: '.md,.markdown,.txt,.log,.jsonl,.ndjson,text/*' })
  const folder = picker('import-folder', { webkitdirectory: true })
  partById('import').append(
    make(
      'div',
      { class: 'drop' },
      make('p', {}, 'Drop Markdown, text or JSONL files, or a whole folder, anywhere on this page.'),
      make(
        'div',
        { class: 'buttons' },
        make('span', {}, files, make('label', { class: 'button', for: 'files' }, 'Choose files')),
        make('span', {}, folder, make('label', { class: 'button', for: 'import-folder' }, 'Choose a folder')),
      ),
      make('p', { class: 'quiet' }, 'The files stay in this browser.'),
    ),
    pasteFold((text) => void importTexts([{ name: 'pasted', text, modifiedMs: Date.now() }])),
    outcome,
  )
  listenToDrops((dropped) => void importFiles(dropped))

  function picker(id: string, attributes: Readonly<Record<string, string | boolean>>): HTMLInputElement {
    const input = make('input', { type: 'file', id, class: 'hidden', multiple: true, ...attributes })
    input.addEventListener('change', () => {
      void importFiles(Promise.resolve(pickedFiles(input.files ?? [])))
      input.value = ''
    })
    return input
  }

  async function importFiles(files: Promise<readonly NamedFile[]>): Promise<void> {
    try {
      const all = await files
      // A folder also holds other files; a file chosen by itself is read whatever its name.
      const candidates = all.filter(({ path }) => !path.includes('/') || textEnd.test(path))
      if (all.length === 0) return
      const texts: NamedText[] = []
      for (const { path, file } of candidates)
        texts.push({ name: path, text: await file.text(), modifiedMs: file.lastModified })
      const { named, skipped } = await resolveNames(recall, outcome, texts)
      await importTexts(named, all.length - candidates.length + skipped)
    } catch (error) {
      report([`The files could not be read: ${messageOf(error)}`], [])
    }
  }

  async function importTexts(texts: readonly NamedText[], skipped = 0): Promise<void> {
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
      report([describe(batch, errors.length, skipped)], errors)
    } catch (error) {
      const isStopped = stop.signal.aborted && !(error instanceof RecallError && error.code !== 'ABORTED')
      report(
        [isStopped ? `Stopped after ${count.textContent}.` : `Some records were not stored: ${messageOf(error)}`],
        errors,
      )
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

function describe(
  { inserted, updated, unchanged }: Awaited<ReturnType<typeof putInBatches>>,
  refused: number,
  skipped: number,
): string {
  const parts = [
    inserted > 0 ? `${counted(inserted, 'record')} added` : '',
    updated > 0 ? `${updated} updated` : '',
    unchanged > 0 ? `${unchanged} unchanged` : '',
    refused > 0 ? `${refused} refused` : '',
    skipped > 0 ? `${counted(skipped, 'other file')} skipped` : '',
  ]
  return `${parts.filter((part) => part !== '').join(', ') || 'Nothing to add'}.`
}

/** Asks about files whose names are stored with another text, and renames those that the user keeps in addition. */
async function resolveNames(
  recall: Recall,
  place: HTMLElement,
  texts: readonly NamedText[],
): Promise<{ readonly named: readonly NamedText[]; readonly skipped: number }> {
  const conflicts = new Set<NamedText>()
  for (const text of texts) if (!text.name.includes('/') && (await isTaken(recall, text))) conflicts.add(text)
  if (conflicts.size === 0) return { named: texts, skipped: 0 }
  const names = [...conflicts].map(({ name }) => name)
  const answer = await askAboutNames(place, names)
  if (answer === 'update') return { named: texts, skipped: 0 }
  if (answer === 'skip') return { named: texts.filter((text) => !conflicts.has(text)), skipped: conflicts.size }
  const named: NamedText[] = []
  for (const text of texts) {
    let free = text
    for (let number = 2; conflicts.has(text) && (await isTaken(recall, free)); number++)
      free = { ...text, name: numbered(text.name, number) }
    named.push(free)
  }
  return { named, skipped: 0 }
}

/** Whether a stored record of that file has another text. Lines of JSON are ignored: they name their own ids. */
async function isTaken(recall: Recall, { name, text, modifiedMs }: NamedText): Promise<boolean> {
  const records = readText(name, text, modifiedMs).records.flatMap(({ record }) =>
    record.id?.startsWith(`${name}#`) ? record : [],
  )
  const stored = await recall.get(records.map(({ id = '' }) => id))
  return records.some(({ body = null }, at) => stored[at] !== undefined && stored[at].body !== body)
}

/** Endings of the files that are read from a folder. */
const textEnd = /\.(md|markdown|txt|log|jsonl|ndjson)$/i

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
