/** The notes are records of the store. The list follows the words typed, and changes in other tabs. */
import { openRecall, type StoredRecord } from 'scrubjay'
import './style.css'
import { markedText } from './marked-text.ts'

const find = <T extends HTMLElement = HTMLInputElement>(selector: string) => document.querySelector<T>(selector)!
const title = find('#title')
const body = find<HTMLTextAreaElement>('#body')
const words = find('#find')

const recall = await openRecall({ name: 'notes' })
/** The id of the note in the form; null for a new one. */
let openId: string | null = null
let shown = 0

find('#edit').addEventListener('submit', async (event) => {
  event.preventDefault()
  const [saved] = (await recall.put([{ id: openId ?? crypto.randomUUID(), title: title.value, body: body.value }]))
    .records
  if (saved?.outcome === 'rejected') return say(saved.message ?? 'Not saved.')
  edit(null)
  say('Saved.')
})
find('#new').addEventListener('click', () => edit(null))
find('#delete').addEventListener('click', async () => {
  if (openId === null || !confirm('Delete this note? It can not be undone.')) return
  await recall.forget(openId)
  edit(null)
  say('Deleted.')
})
words.addEventListener('input', () => void showList())
// Also called after changes in other tabs.
recall.subscribe((event) => {
  if (event.type === 'changed') void showList()
  if (event.type === 'outdated') say('A newer version is open in another tab: please reload.')
})
await showList()
// Before, a press would submit the form as a page.
find<HTMLButtonElement>('#save').disabled = false

async function showList(): Promise<void> {
  const turn = ++shown
  const text = words.value.trim()
  if (text === '') {
    const { items } = await recall.list({ order: { by: 'updatedAt' }, limit: 50 })
    if (turn === shown)
      show(
        items.map((note) => row(note, note.body?.slice(0, 200) ?? '')),
        '',
      )
    return
  }
  // `matching: 'only'` leaves out notes that are only near by meaning, while the last word is still being typed.
  const { hits, evidence } = await recall.recall({ text, prefix: 'last', matching: 'only', limit: 20 })
  if (turn !== shown) return
  const sentence = hits.length === 0 ? 'Nothing here answers this.' : `Evidence: ${evidence.strength}.`
  show(
    hits.map(({ record, snippet }) => row(record, markedText(snippet))),
    sentence,
  )
}

function show(rows: readonly HTMLElement[], sentence: string): void {
  find('#list').replaceChildren(...rows)
  find('#evidence').textContent = sentence
}

function row(note: StoredRecord, text: Node | string): HTMLElement {
  const item = document.createElement('li')
  const heading = document.createElement('h2')
  heading.textContent = note.title || 'Without a title'
  const shownText = document.createElement('p')
  shownText.append(text)
  const button = document.createElement('button')
  button.textContent = 'Edit'
  button.setAttribute('aria-label', `Edit ${heading.textContent}`)
  button.addEventListener('click', () => edit(note))
  item.append(heading, shownText, button)
  return item
}

function edit(note: StoredRecord | null): void {
  openId = note?.id ?? null
  title.value = note?.title ?? ''
  body.value = note?.body ?? ''
  find('#new').hidden = find('#delete').hidden = note === null
  say('')
  title.focus()
}

function say(sentence: string): void {
  find('#saved').textContent = sentence
}
