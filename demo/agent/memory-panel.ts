/** Lists the newest memories with their tiers, to edit or forget; adds pasted texts and examples; deletes everything. */
import type { Recall, StoredRecord } from 'scrubjay'
import { deleteEverything } from '../shared/delete/delete-everything.ts'
import { counted } from '../shared/format.ts'
import { downloadStore } from '../shared/files/download.ts'
import { explainError } from '../shared/notice.ts'
import { announce, hidden, make, partById } from '../shared/dom.ts'
import { titleOf } from '../shared/title-of.ts'
import { tierLabel, readElsewhere } from './authority-tiers.ts'
import { exampleRecords } from './examples.ts'
import { clearChat } from './kept-chat.ts'

export interface MemoryActions {
  showLife(id: string): void
  forget(record: StoredRecord): void
}

export interface MemoryPanel {
  refresh(): Promise<void>
}

const shownAtMost = 12

export function createMemoryPanel(
  recall: Recall,
  { deleting, ...actions }: MemoryActions & { readonly deleting: () => readonly string[] },
): MemoryPanel {
  const list = make('ul', { class: 'memories', 'aria-label': 'Newest memories' })
  const rest = make('p', { class: 'quiet' })
  partById('memories').append(list, rest, pasteFold(recall), storeButtons(recall))

  return {
    async refresh() {
      const hidden = new Set(deleting())
      const [page, stored] = await Promise.all([recall.list({ limit: shownAtMost + hidden.size }), recall.count()])
      const visible = page.items.filter(({ id }) => !hidden.has(id))
      const items = visible.slice(0, shownAtMost)
      const count = stored - (page.items.length - visible.length)
      // A text that is being edited is not redrawn.
      const editing = [...list.children].find((item) => item.querySelector('form') !== null)
      const rows = items.map((record) =>
        editing?.getAttribute('data-id') === record.id ? editing : row(recall, record, actions),
      )
      if (editing === undefined || !rows.includes(editing)) list.replaceChildren(...rows)
      else replaceAround(list, editing, rows)
      list.hidden = items.length === 0
      rest.hidden = items.length > 0 && count <= items.length
      rest.textContent =
        items.length === 0
          ? 'No memories yet. Write “remember that …”.'
          : `and ${counted(count - items.length, 'more', 'more')}`
    },
  }
}

/** Replaces the rows without moving one of them, so that it keeps the focus. */
function replaceAround(list: HTMLElement, kept: Element, rows: readonly Element[]): void {
  for (const item of Array.from(list.children)) if (item !== kept) item.remove()
  const place = rows.indexOf(kept)
  kept.before(...rows.slice(0, place))
  kept.after(...rows.slice(place + 1))
}

function row(recall: Recall, record: StoredRecord, { showLife, forget }: MemoryActions): HTMLElement {
  const { id, authorityTier } = record
  const name = hidden(`: ${titleOf(record)}`)
  const press = (text: string, click: () => void) =>
    make('button', { type: 'button', class: 'small', click }, text, name.cloneNode(true))
  const item = make(
    'li',
    { 'data-id': id, 'data-tier': authorityTier ?? 'none' },
    make('p', {}, titleOf(record)),
    make(
      'div',
      { class: 'memory-foot' },
      make('span', { class: 'quiet' }, tierLabel(authorityTier)),
      make(
        'p',
        { class: 'buttons' },
        press('History', () => showLife(id)),
        press('Edit', () =>
          item.replaceChildren(
            editForm(recall, record, () => item.replaceWith(row(recall, record, { showLife, forget }))),
          ),
        ),
        press('Forget', () => forget(record)),
      ),
    ),
  )
  return item
}

/** An edited memory keeps its tier: a text from elsewhere must not become the user's by a small change. */
function editForm(recall: Recall, record: StoredRecord, close: () => void): HTMLElement {
  const text = make('textarea', { id: 'edit-memory', rows: 3, maxlength: 20_000 })
  text.value = record.body ?? ''
  const save = make('button', { type: 'submit', class: 'small' }, 'Save')
  const form = make(
    'form',
    {},
    make('label', { class: 'hidden', for: text.id }, 'Text of the memory'),
    text,
    make('p', { class: 'buttons' }, save, make('button', { type: 'button', class: 'small', click: close }, 'Cancel')),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const body = text.value.trim()
    if (body === '' || body === record.body) return close()
    save.disabled = true
    recall.patch(record.id, { body }).then(
      () => {
        close()
        announce('Changed.')
      },
      (error: unknown) => {
        // The form keeps the text.
        save.disabled = false
        explainError('The memory could not be changed.', error)
      },
    )
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  })
  queueMicrotask(() => text.focus())
  return form
}

/** Pasted text gets the lowest tier: the agent may quote it, but it overrules nothing. */
function pasteFold(recall: Recall): HTMLElement {
  const text = make('textarea', { id: 'read-text', rows: 4, maxlength: 20_000 })
  const add = make('button', { type: 'submit' }, 'Remember this text')
  const form = make('form', {}, make('label', { for: 'read-text' }, 'Text from a page, a mail, a file'), text, add)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (text.value.trim() === '') return
    recall.put({ ...readElsewhere, body: text.value.trim() }).then(
      () => {
        text.value = ''
        announce('Remembered as read elsewhere.')
      },
      (error: unknown) => explainError('The text could not be stored.', error),
    )
  })
  return make('details', { class: 'paste' }, make('summary', {}, 'Add something you read'), form)
}

function storeButtons(recall: Recall): HTMLElement {
  const fill = make('button', { type: 'button', id: 'examples' }, 'Add example memories')
  fill.addEventListener('click', () => {
    recall.put(exampleRecords).then(
      () => announce('Examples added.'),
      (error: unknown) => explainError('The examples could not be added.', error),
    )
  })
  const save = make('button', { type: 'button', id: 'export-memories' }, 'Export memories')
  save.addEventListener('click', () => {
    downloadStore(recall, 'memories').then(
      () => announce('Exported.'),
      (error: unknown) => explainError('The memories could not be exported.', error),
    )
  })
  const everything = deleteEverything({
    id: 'forget-all',
    text: 'Forget everything',
    warning: 'This deletes every memory. It cannot be undone.',
    destroy: () =>
      void recall
        .destroy()
        .then(clearChat)
        .then(
          () => location.reload(),
          (error: unknown) => explainError('The memories could not be deleted.', error),
        ),
  })
  return make('div', { class: 'store-buttons' }, make('p', { class: 'buttons' }, fill, save), everything)
}
