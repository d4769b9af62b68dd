/** Lists the newest memories with their bands; adds pasted texts and examples; deletes everything. */
import type { Recall, StoredRecord } from 'scrubjay'
import { deleteEverything } from '../shared/delete/delete-everything.ts'
import { counted } from '../shared/format.ts'
import { explainError } from '../shared/notice.ts'
import { announce, hidden, make, partById } from '../shared/parts.ts'
import { titleOf } from '../shared/title-of.ts'
import { bandLabel, readElsewhere } from './bands.ts'
import { exampleRecords } from './examples.ts'

export interface MemoryPanel {
  refresh(): Promise<void>
}

const shownAtMost = 12

export function createMemoryPanel(
  recall: Recall,
  { showLife, deleting }: { readonly showLife: (id: string) => void; readonly deleting: () => readonly string[] },
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
      list.replaceChildren(...items.map((record) => row(record, showLife)))
      list.hidden = items.length === 0
      rest.hidden = items.length > 0 && count <= items.length
      rest.textContent =
        items.length === 0
          ? 'No memories yet. Write “remember that …”.'
          : `and ${counted(count - items.length, 'more', 'more')}`
    },
  }
}

function row(record: StoredRecord, showLife: (id: string) => void): HTMLElement {
  const { id, authorityTier } = record
  const show = make('button', { type: 'button', class: 'small' }, 'History', hidden(`: ${titleOf(record)}`))
  show.addEventListener('click', () => showLife(id))
  return make(
    'li',
    { 'data-id': id, 'data-tier': authorityTier ?? 'none' },
    make('p', {}, titleOf(record)),
    make('p', { class: 'memory-foot' }, make('span', { class: 'quiet' }, bandLabel(authorityTier)), show),
  )
}

/** Pasted text gets the lowest band: the agent may quote it, but it overrules nothing. */
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
  const fill = make('button', { type: 'button', id: 'examples' }, 'Add examples')
  fill.addEventListener('click', () => {
    recall.put(exampleRecords).then(
      () => announce('Examples added.'),
      (error: unknown) => explainError('The examples could not be added.', error),
    )
  })
  const everything = deleteEverything({
    id: 'forget-all',
    text: 'Forget everything',
    warning: 'This deletes every memory. It cannot be undone.',
    destroy: () =>
      void recall.destroy().then(
        () => location.reload(),
        (error: unknown) => explainError('The memories could not be deleted.', error),
      ),
  })
  return make('div', { class: 'store-buttons' }, make('p', { class: 'buttons' }, fill), everything)
}
