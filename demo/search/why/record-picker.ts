/**
 * Makes a field to choose a stored record: it suggests records whose titles or ids contain the typed words. It lists the
 * store, so it also finds records that no answer shows. The pattern is ARIA's list combobox.
 */
import type { Recall, StoredRecord } from 'scrubjay'
import { make } from '../../shared/dom.ts'
import { titleOf } from '../../shared/title-of.ts'

export interface RecordPicker {
  readonly input: HTMLInputElement
  readonly list: HTMLElement
  /** The next suggestion lists the store again. */
  forgetNames(): void
}

interface Named {
  readonly id: string
  readonly title: string
  readonly searchText: string
}

const shownAtMost = 8
/** Pages of 1,000 records; ids of further records must be typed in full. */
const maxPages = 10

/** `picked` receives the id of a suggestion, or the typed text if Enter is pressed without suggestions. */
export function createRecordPicker(recall: Recall, id: string, picked: (id: string) => void): RecordPicker {
  const listId = `${id}-list`
  const input = make('input', {
    id,
    type: 'text',
    role: 'combobox',
    placeholder: 'Title or id',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
  })
  const list = make('ul', {
    id: listId,
    class: 'suggestions',
    role: 'listbox',
    'aria-label': 'Stored records',
    hidden: true,
  })
  let names: Promise<readonly Named[]> | null = null
  let found: readonly Named[] = []
  let active = -1

  input.addEventListener('input', () => void suggest())
  input.addEventListener('keydown', onKey)
  input.addEventListener('blur', close)
  // The field must keep the focus, or the list would close before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault())

  return { input, list, forgetNames: () => (names = null) }

  async function suggest(): Promise<void> {
    const typed = input.value
    names ??= namesOf(recall)
    const all = await names.catch(() => [])
    if (input.value !== typed) return
    found = matching(all, typed).slice(0, shownAtMost)
    active = -1
    draw()
  }

  function draw(): void {
    list.replaceChildren(...found.map(option))
    list.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(found.length > 0))
    if (active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${listId}-${active}`)
    list.children[active]?.scrollIntoView({ block: 'nearest' })
  }

  function option({ id: recordId, title }: Named, index: number): HTMLElement {
    return make(
      'li',
      {
        id: `${listId}-${index}`,
        role: 'option',
        'aria-selected': String(index === active),
        click: () => pick(recordId),
      },
      title,
      make('span', { class: 'id quiet' }, recordId),
    )
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault()
      void choose()
    } else if (event.key === 'Escape' && found.length > 0) {
      event.preventDefault()
      close()
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && found.length > 0) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      active = active < 0 && step < 0 ? found.length - 1 : (active + step + found.length) % found.length
      draw()
    }
  }

  async function choose(): Promise<void> {
    // Enter may be pressed before the names are loaded.
    if (found.length === 0) await suggest()
    const recordId = found[Math.max(active, 0)]?.id ?? input.value.trim()
    if (recordId !== '') pick(recordId)
  }

  function pick(recordId: string): void {
    input.value = recordId
    close()
    picked(recordId)
  }

  function close(): void {
    found = []
    active = -1
    draw()
  }
}

/** Records whose title or id contains every word: an exact id first, then shorter texts before longer ones. */
function matching(all: readonly Named[], typed: string): readonly Named[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const length = ({ id, searchText }: Named) => (id === typed.trim() ? 0 : searchText.length)
  return all
    .filter(({ searchText }) => words.every((word) => searchText.includes(word)))
    .sort((a, b) => length(a) - length(b))
}

async function namesOf(recall: Recall): Promise<readonly Named[]> {
  const records: StoredRecord[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor }: Awaited<ReturnType<Recall['list']>> = await recall.list({ limit: 1000, cursor })
    records.push(...items)
    cursor = nextCursor
    if (cursor === null) break
  }
  return records.map((record) => {
    const title = titleOf(record)
    return { id: record.id, title, searchText: `${title}\n${record.id}`.toLowerCase() }
  })
}
