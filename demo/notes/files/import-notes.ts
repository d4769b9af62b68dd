/**
 * Imports Markdown from a folder, files or a drop, exports of this app, and exports of other apps. A file becomes a note; the same file updates
 * its note later. A note that is newer than its file is kept.
 */
import { type Recall, RecallError, type RecordInput } from 'scrubjay'
import { listenToDrops } from '../../shared/files/drops.ts'
import { exportEnd } from '../../shared/files/download.ts'
import { type NamedFile, numbered, pickedFiles } from '../../shared/files/named-files.ts'
import { counted } from '../../shared/format.ts'
import { messageOf } from '../../shared/notice.ts'
import { make, partById } from '../../shared/dom.ts'
import { putInBatches } from '../../shared/put-in-batches.ts'
import { importFiles } from '../../shared/import/import-files.ts'
import { showOutcome, showProgress } from '../../shared/import/show-import.ts'
import { titlesOf } from '../model/links.ts'
import { titleKey } from '../../shared/title-first.ts'
import { comingBack, pinTag, recordOf, textOf, trashedAtOf } from '../model/note.ts'
import type { NoteIndex } from '../model/note-index.ts'
import { dateIn } from '../model/day-note.ts'
import { dateOfHead, type FileFacts, fileFactsOf, keepPin } from '../model/front-matter.ts'
import { isAsImported, notesOfRecords } from './notes-of-records.ts'
import { readMarkdown } from './read-markdown.ts'
import { askAboutNames } from './same-names.ts'

const textEnd = /\.(md|markdown|txt)$/i
/** Files in which `scrubjay/import` finds records. */
const exportsEnd = /\.(zip|json|jsonl|ndjson|html?|csv|tsv|mbox|eml|enex)$/i
/** Largest body that the engine accepts. */
const maxBytes = 1_048_576

interface ReadFile {
  readonly id: string
  readonly path: string
  readonly title: string
  readonly body: string
  readonly facts: FileFacts
  readonly modifiedMs: number
  /** Of the front matter, else of the name or the title, else when the file was modified. */
  readonly datedMs: number
}

export function createImport(recall: Recall, index: NoteIndex): void {
  const outcome = partById('import-outcome')
  for (const id of ['import-folder', 'import-files']) {
    const picker = partById(id, HTMLInputElement)
    picker.addEventListener('change', () => {
      const files = pickedFiles(picker.files ?? [])
      picker.value = ''
      void take(files)
    })
  }
  listenToDrops((dropped) => {
    dropped.then(take).catch((error: unknown) => report(`The files could not be read: ${messageOf(error)}`, []))
  })

  async function take(files: readonly NamedFile[]): Promise<void> {
    const backup = files.find(({ path }) => path.endsWith(exportEnd))?.file
    const texts = files.filter(({ path }) => textEnd.test(path))
    const others = files.filter(({ path }) => exportsEnd.test(path))
    const otherCount = files.length - texts.length - others.length
    const stop = new AbortController()
    const progress = showProgress(outcome, stop)
    const showDone = (done: number, total: number) => progress.show(`${done} of ${total}`, done / Math.max(1, total))
    const stopHearing = recall.subscribe((event) => {
      if (event.type === 'progress' && event.operation === 'import') showDone(event.done, event.total)
    })
    try {
      if (backup !== undefined) {
        const receipt = await recall.importFrom(backup, { mode: 'merge', signal: stop.signal })
        const { read, inserted, updated, forgotten } = receipt
        const left =
          forgotten === 0
            ? ''
            : ` ${counted(forgotten, 'note')} deleted on this device left out. To have ${forgotten === 1 ? 'it back, import its Markdown file' : 'them back, import their Markdown files'}.`
        report(`${counted(read, 'note')} read: ${inserted} new, ${updated} updated.${left}`, [])
      } else if (texts.length > 0) await takeTexts(texts, otherCount, stop.signal, showDone)
      else report(others.length > 0 ? '' : 'None of these files can be read as notes.', [])
      if (backup === undefined && others.length > 0) await takeOthers(others)
    } catch (error) {
      const isStopped = stop.signal.aborted && !(error instanceof RecallError && error.code !== 'ABORTED')
      report(isStopped ? 'Stopped. Notes imported so far stay.' : `Not imported: ${messageOf(error)}`, [])
    } finally {
      stopHearing()
    }
  }

  async function takeOthers(files: readonly NamedFile[]): Promise<void> {
    const place = make('div', { class: 'import-outcome' })
    outcome.append(place)
    await importFiles(files, {
      recall,
      outcome: place,
      noun: 'note',
      record: {},
      toOwn: (records) => keepPins(notesOfRecords(records, (link) => index.byLink(link)?.id)),
      mayReplace: async ({ id = '', title = null, body = null }) => {
        const stored = await recall.get(id)
        const isSame = stored?.title === title && stored?.body === body
        return stored === undefined || trashedAtOf(stored) !== null || isSame || isAsImported(stored)
      },
    })
  }

  async function* keepPins(notes: AsyncIterable<RecordInput>): AsyncIterable<RecordInput> {
    for await (const note of notes) {
      const isPinned = index.byId(note.id ?? '')?.tags.includes(pinTag) === true
      const frontMatter = keepPin(fileFactsOf(note.metadata).frontMatter, isPinned)
      yield isPinned
        ? { ...note, tags: [pinTag, ...(note.tags ?? [])], metadata: { ...note.metadata, frontMatter } }
        : note
    }
  }

  async function takeTexts(
    files: readonly NamedFile[],
    otherCount: number,
    signal: AbortSignal,
    showProgress: (done: number, total: number) => void,
  ): Promise<void> {
    const refused: string[] = []
    const texts: ReadFile[] = []
    for (const file of files) {
      signal.throwIfAborted()
      const read = await readFile(file)
      if (typeof read === 'string') refused.push(read)
      else texts.push(read)
    }
    const skipped = new Set(await resolveNames(texts))
    const { records, paths, kept } = await toWrite(texts.filter((text) => !skipped.has(text)))
    const batch = await putInBatches(recall, records, (done) => showProgress(done, records.length), signal)
    for (const { index: place, message } of batch.rejected) refused.push(`${paths[place]}: ${message}`)
    const parts = [
      batch.inserted > 0 ? `${counted(batch.inserted, 'note')} added` : '',
      batch.updated > 0 ? `${batch.updated} updated` : '',
      batch.unchanged > 0 ? `${batch.unchanged} unchanged` : '',
      kept > 0 ? `${kept} newer here and kept` : '',
      refused.length > 0 ? `${refused.length} refused` : '',
      otherCount + skipped.size > 0 ? `${counted(otherCount + skipped.size, 'other file')} skipped` : '',
    ]
    report(`${parts.filter((part) => part !== '').join(', ')}.`, refused)
  }

  /** Asks about files whose names are stored with another text. Resolves to the files to skip. */
  async function resolveNames(texts: ReadFile[]): Promise<readonly ReadFile[]> {
    const conflicts: ReadFile[] = []
    for (const text of texts) if (!text.path.includes('/') && (await isTaken(text))) conflicts.push(text)
    if (conflicts.length === 0) return []
    const answer = await askAboutNames(
      outcome,
      conflicts.map(({ path }) => path),
    )
    if (answer === 'skip') return conflicts
    if (answer === 'update') return []
    for (const text of conflicts) {
      let free = text
      for (let number = 2; await isTaken(free); number++)
        free = { ...text, path: numbered(text.path, number), id: `file:${numbered(text.path, number)}` }
      texts[texts.indexOf(text)] = free
    }
    return []
  }

  /** Whether the file would replace a note with another text. */
  async function isTaken({ id, path, title, body, modifiedMs }: ReadFile): Promise<boolean> {
    if (id !== `file:${path}`) return false
    const record = await recall.get(id)
    if (record === undefined || trashedAtOf(record) !== null || record.updatedAt > modifiedMs) return false
    const { title: storedTitle, body: storedBody } = textOf(record)
    return storedTitle !== title || storedBody !== body
  }

  /** The records to store, and the number of notes that are newer than their files. */
  async function toWrite(texts: readonly ReadFile[]): Promise<{
    readonly records: readonly RecordInput[]
    /** Path of each record, in the same order. */
    readonly paths: readonly string[]
    readonly kept: number
  }> {
    const found = texts.length === 0 ? [] : await recall.get(texts.map(({ id }) => id))
    // A file brings its note back from the trash.
    const stored = found.map((record) => (record === undefined || trashedAtOf(record) !== null ? undefined : record))
    // Files may link to each other in any order.
    const ids = new Map(texts.map(({ id, path }) => [titleKey(path.replace(/^.*\/|\.[^./]+$/g, '')), id]))
    for (const { id, title } of texts) ids.set(titleKey(title), id)
    const idOf = (link: string) =>
      titlesOf(link)
        .map((title) => ids.get(titleKey(title)))
        .find((id) => id !== undefined) ?? index.byLink(link)?.id
    const records: RecordInput[] = []
    const paths: string[] = []
    let kept = 0
    for (const [place, { id, path, title, body, facts, modifiedMs, datedMs }] of texts.entries()) {
      const before = stored[place]
      const storedText = before === undefined ? null : textOf(before)
      if (
        before !== undefined &&
        before.updatedAt > modifiedMs &&
        (storedText?.title !== title || storedText.body !== body)
      ) {
        kept++
        continue
      }
      const frontMatter = keepPin(facts.frontMatter, before?.tags.includes(pinTag) === true)
      const fields = recordOf({ title, body, rhythm: 'never' }, idOf, frontMatter)
      paths.push(path)
      records.push({
        id,
        kind: 'note',
        source: before?.source ?? 'file',
        ...fields,
        metadata: { ...facts, frontMatter },
        ...(before === undefined
          ? { ...comingBack('never', datedMs), createdAt: datedMs, updatedAt: datedMs }
          : { cycles: before.cycles, pressureRate: before.pressureRate }),
      })
    }
    return { records, paths, kept }
  }

  function report(sentence: string, refused: readonly string[]): void {
    showOutcome(outcome, sentence, refused)
  }
}

/** Resolves to a sentence if the file cannot become a note. */
async function readFile({ path, file }: NamedFile): Promise<ReadFile | string> {
  if (file.size > maxBytes) return `${path}: must be at most 1 MB.`
  const text = await file.text()
  if (text.includes('\0')) return `${path}: must be text.`
  const { id, title, body, facts } = readMarkdown(path, text)
  const name = path.split('/').at(-1) ?? path
  const datedMs = dateOfHead(facts.frontMatter) ?? dateIn(name) ?? dateIn(title) ?? file.lastModified
  return { id: id ?? `file:${path}`, path, title, body, facts, modifiedMs: file.lastModified, datedMs }
}
