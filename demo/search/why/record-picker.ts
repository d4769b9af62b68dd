/**
 * A field that names a stored record: suggests by words of title and id while one types, by arrows, Enter and pointer.
 * It lists the store itself, so that records no answer would show are found too. The pattern is ARIA's list combobox.
 */
import type { Recall, StoredRecord } from 'scrubjay'
import { make } from '../../shared/parts.ts'
import { titleOf } from '../../shared/title-of.ts'

export interface RecordPicker {
  readonly input: HTMLInputElement
  readonly list: HTMLElement
  /** Lists the store anew at the next look. */
  forgetNames(): void
}

interface Named {
  readonly id: string
  readonly title: string
  readonly sought: string
}

const shownAtMost = 8
/** Of 1,000 records each; beyond them an id has to be typed whole. */
const maxPages = 10

/** `picked` receives an id: a suggestion's, or what was typed when Enter is pressed without one. */
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
  // Before the field loses focus, or the list would be gone before the click.
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
    // Enter may come before the names do.
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

/** Every word stands in title or id; a whole id first, then the shorter, of which the words are more. */
function matching(all: readonly Named[], typed: string): readonly Named[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const length = ({ id, sought }: Named) => (id === typed.trim() ? 0 : sought.length)
  return all.filter(({ sought }) => words.every((word) => sought.includes(word))).sort((a, b) => length(a) - length(b))
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
    return { id: record.id, title, sought: `${title}\n${record.id}`.toLowerCase() }
  })
}
