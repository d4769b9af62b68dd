/** The palette (Ctrl+K, ⌘K): one list of notes and commands for the keyboard. It finds notes as the search does. */
import type { Recall } from 'scrubjay'
import { make, partById } from '../../shared/dom.ts'
import { explainError } from '../../shared/notice.ts'
import { nearHits } from '../../shared/record/near-hits.ts'
import { listenToTyping, prefixOf, type Typed } from '../../shared/typing.ts'
import { newHref, noteHref } from '../address/route.ts'
import type { NoteLine } from '../model/note.ts'
import type { NoteIndex } from '../model/note-index.ts'
import { commandsNow } from './commands.ts'
import { type Command, nameOf, type PaletteRow, paletteRows, selectedPlace } from './palette-rows.ts'

export function createPalette(recall: Recall, index: NoteIndex, goHome: () => void): void {
  const dialog = partById('palette', HTMLDialogElement)
  const box = partById('palette-query', HTMLInputElement)
  const list = partById('palette-list')
  let commands: readonly Command[] = []
  let found: readonly NoteLine[] = []
  let rows: readonly PaletteRow[] = []
  /** −1: none yet, because the store has not answered. */
  let selected = -1
  /** The name of the row that the person moved to; it stays selected while answers come. */
  let chosen: string | null = null
  let running = new AbortController()
  /** Whether Enter was pressed before the answer came. */
  let isAwaited = false

  document.addEventListener('keydown', (event) => {
    const isKey =
      (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k'
    if (!isKey || event.defaultPrevented) return
    event.preventDefault()
    if (dialog.open) dialog.close()
    else if (document.querySelector('dialog[open]') === null) open()
  })
  dialog.addEventListener('close', () => running.abort())
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  box.addEventListener('input', () => {
    isAwaited = false
    chosen = null
  })
  listenToTyping(box, (typed) => void ask(typed))
  box.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const last = rows.length - 1
    if (event.key === 'ArrowDown') move(selected >= last ? 0 : selected + 1)
    else if (event.key === 'ArrowUp') move(selected <= 0 ? last : selected - 1)
    else if (event.key === 'Enter') enter()
    else return
    event.preventDefault()
  })

  function open(): void {
    commands = commandsNow(goHome)
    box.value = ''
    chosen = null
    dialog.showModal()
    box.focus()
    void ask('whole')
  }

  async function ask(typed: Typed): Promise<void> {
    running.abort()
    running = new AbortController()
    const { signal } = running
    const text = box.value.trim()
    found = []
    show(text === '')
    if (text === '') return
    try {
      const query = { text, ...prefixOf(typed), exclude: index.deleting(), limit: 8 }
      const { hits, evidence } = await recall.recall(query, { signal })
      if (signal.aborted || !dialog.open) return
      if (evidence.strength !== 'none') found = nearHits(hits).flatMap(({ id }) => index.byId(id) ?? [])
      show(typed === 'whole')
      if (!isAwaited || typed !== 'whole') return
      isAwaited = false
      if (found.length > 0) enter()
    } catch (error) {
      if (!signal.aborted) explainError('The notes could not be searched.', error)
    }
  }

  function show(isWhole: boolean): void {
    rows = paletteRows(box.value, commands, index.all(), found)
    list.replaceChildren(...rows.map(optionOf))
    select(selectedPlace(rows, chosen, isWhole))
  }

  function move(place: number): void {
    const row = rows[place]
    chosen = row === undefined ? null : nameOf(row)
    select(place)
  }

  function optionOf(row: PaletteRow, place: number): HTMLElement {
    const name =
      row.kind === 'note' ? row.line.title : row.kind === 'command' ? row.command.name : `Create “${row.title}”`
    const hint = row.kind === 'note' ? '' : row.kind === 'command' ? 'Command' : 'New note'
    const option = make(
      'li',
      { role: 'option', id: `palette-${place}`, 'aria-selected': 'false' },
      make('span', {}, name),
      make('span', { class: 'palette-hint' }, hint),
    )
    // The field keeps the focus.
    option.addEventListener('mousedown', (event) => event.preventDefault())
    option.addEventListener('click', () => run(row))
    return option
  }

  function select(place: number): void {
    selected = place
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === place))
    if (place < 0) return box.removeAttribute('aria-activedescendant')
    box.setAttribute('aria-activedescendant', `palette-${place}`)
    list.children[place]?.scrollIntoView({ block: 'nearest' })
  }

  function enter(): void {
    const row = rows[selected]
    if (row !== undefined) return run(row)
    isAwaited = true
    void ask('whole')
  }

  function run(row: PaletteRow): void {
    isAwaited = false
    dialog.close()
    if (row.kind === 'command') row.command.run()
    else location.hash = row.kind === 'note' ? noteHref(row.line.id) : newHref(row.title)
  }
}
