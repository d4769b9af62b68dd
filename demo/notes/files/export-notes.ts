/** Exports notes: everything including learned values as one file, all notes as Markdown in a zip, or one note as Markdown. */
import type { Recall, StoredRecord } from 'scrubjay'
import { explainError } from '../../shared/notice.ts'
import { announce, partById } from '../../shared/dom.ts'
import { download, downloadStore, today } from '../../shared/files/download.ts'
import { titleOf } from '../../shared/title-of.ts'
import { type NoteText, textOf } from '../model/note.ts'
import type { NoteIndex } from '../model/note-index.ts'
import { fileFactsOf } from '../model/front-matter.ts'
import { writeMarkdown } from './read-markdown.ts'

export function createExport(recall: Recall, index: NoteIndex): void {
  listen('export-all', () => downloadStore(recall, 'notes'))
  listen('export-markdown', async () => {
    const { zipSync } = await import('fflate')
    const files: Record<string, [Uint8Array, { mtime: number }]> = {}
    const records = await recall.get(index.all().map(({ id }) => id))
    for (const record of records) {
      if (record === undefined) continue
      const path = freePath(files, record)
      const text = writeMarkdown(textOf(record), { id: record.id, facts: fileFactsOf(record.metadata), path })
      files[path] = [new TextEncoder().encode(text), { mtime: zipTime(record.updatedAt) }]
    }
    download(new Blob([Uint8Array.from(zipSync(files))], { type: 'application/zip' }), `notes-${today()}.zip`)
  })
}

/** Saves the text of the editor, with the front matter of the stored note; `id` is null for a note that is not stored. */
export async function exportNote(recall: Recall, id: string | null, text: NoteText): Promise<void> {
  const [record] = id === null ? [] : await recall.get([id])
  const name = fileName(text.title || text.body.trim().split('\n', 1)[0] || 'note')
  const path = `${name}.md`
  const markdown = writeMarkdown(text, { id: null, facts: fileFactsOf(record?.metadata), path })
  download(new Blob([markdown], { type: 'text/markdown' }), path)
}

function listen(id: string, make: () => Promise<void>): void {
  const button = partById(id, HTMLButtonElement)
  button.addEventListener('click', () => {
    button.setAttribute('aria-busy', 'true')
    make()
      .then(
        () => announce('Exported.'),
        (error: unknown) => explainError('The notes could not be exported.', error),
      )
      .finally(() => button.removeAttribute('aria-busy'))
  })
}

/** A note that came of a file gets its folder and name again; another one is named after its title. */
function freePath(used: Readonly<Record<string, unknown>>, record: StoredRecord): string {
  const path = /^file:(.+)\.(?:md|markdown)$/is.exec(record.id)?.[1]
  const name = path === undefined ? fileName(titleOf(record)) : path.split('/').map(fileName).join('/')
  for (let count = 1; ; count++) {
    const free = `${name}${count === 1 ? '' : ` ${count}`}.md`
    if (!Object.hasOwn(used, free)) return free
  }
}

/** A file name that every file system accepts. */
function fileName(title: string): string {
  const name = title
    .replaceAll(/[\p{Cc}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
  return [...name].slice(0, 80).join('').trim() || 'note'
}

/** Zip files support only the years 1980 to 2099. */
function zipTime(ms: number): number {
  return Math.min(Math.max(ms, Date.UTC(1980, 0, 2)), Date.UTC(2099, 11, 30))
}
