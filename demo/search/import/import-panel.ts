/** Imports the visitor's own texts: dropped files, chosen files and folders, or pasted text. */
import type { Recall } from 'scrubjay'
import { make, partById } from '../../shared/dom.ts'
import { listenToDrops } from '../../shared/files/drops.ts'
import { type NamedFile, pickedFiles } from '../../shared/files/named-files.ts'
import { importFiles } from '../../shared/import/import-files.ts'

interface ImportActions {
  /** Called when files were dropped, anywhere on the page: the panel must be in view. */
  readonly begun: () => void
  /** Called after an import. */
  readonly changed: () => void
  /** Called with the report in a sentence when everything is stored: the answer must be in view. */
  readonly stored: (sentence: string) => void
}

export function createImportPanel(recall: Recall, { begun, changed, stored }: ImportActions): void {
  const outcome = make('div', { class: 'import-outcome', role: 'status' })
  const files = picker('files', {})
  const folder = picker('import-folder', { webkitdirectory: true })
  partById('import').append(
    make(
      'div',
      { class: 'drop' },
      make(
        'p',
        {},
        'Drop a folder of notes, an export of ChatGPT or Claude (zip), mail, bookmarks, tables or texts anywhere on this page.',
      ),
      make(
        'div',
        { class: 'buttons' },
        make('span', {}, files, make('label', { class: 'button', for: 'files' }, 'Choose files')),
        make('span', {}, folder, make('label', { class: 'button', for: 'import-folder' }, 'Choose a folder')),
      ),
      make('p', { class: 'quiet' }, 'You see what was found before anything is added. The files stay in this browser.'),
    ),
    pasteFold((text) => void take(Promise.resolve([pastedFile(text)]))),
    outcome,
  )
  listenToDrops((dropped) => {
    begun()
    void take(dropped)
  })

  function picker(id: string, attributes: Readonly<Record<string, string | boolean>>): HTMLInputElement {
    const input = make('input', { type: 'file', id, class: 'hidden', multiple: true, ...attributes })
    input.addEventListener('change', () => {
      void take(Promise.resolve(pickedFiles(input.files ?? [])))
      input.value = ''
    })
    return input
  }

  async function take(given: Promise<readonly NamedFile[]>): Promise<void> {
    const record = { project: 'yours', tags: ['imported'] }
    const isStored = await importFiles(given, { recall, outcome, noun: 'record', record })
    changed()
    if (isStored) stored(outcome.querySelector('.import-summary')?.textContent ?? '')
  }
}

function pastedFile(text: string): NamedFile {
  const path = /^\s*\{/.test(text) ? 'pasted.jsonl' : 'pasted.md'
  return { path, file: new File([text], path) }
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
