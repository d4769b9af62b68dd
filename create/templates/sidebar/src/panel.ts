/** The panel owns the store: only a document can start the worker of the engine, and it is the extension's own storage. */
import { openRecall, type StoredRecord } from 'scrubjay'
import { redactSecrets, sha256Hex } from 'scrubjay/core'
import { markedText } from './marked-text.ts'
import './style.css'

const find = <T extends HTMLElement = HTMLElement>(selector: string) => document.querySelector<T>(selector)!
const words = find<HTMLInputElement>('#find')
let shown = 0

// Before the first `await`, so that a press during the start is not lost.
const opened = openRecall({ name: 'pages' })
find('#remember').addEventListener('click', () => void remember())
words.addEventListener('input', () => void showList())
// Also called after changes in other pages of the extension.
const store = await opened
store.subscribe((event) => {
  if (event.type === 'changed') void showList()
})
await showList()

async function remember(): Promise<void> {
  const recall = await opened
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
  try {
    const [read] = await chrome.scripting.executeScript({
      target: { tabId: tab?.id ?? -1 },
      func: () => ({ url: location.href, title: document.title, text: document.body.innerText }),
    })
    const page = read?.result
    if (!page) throw new Error('The page has no text.')
    const { records } = await recall.put([
      {
        // A hash, because ids stay in the log when a record is forgotten.
        id: sha256Hex(page.url),
        bank: 'pages',
        source: 'web',
        title: page.title.slice(0, 1000),
        body: redactSecrets(page.text.slice(0, 100_000)),
        metadata: { url: page.url },
      },
    ])
    say(records[0]?.outcome === 'rejected' ? `Not remembered: ${records[0].message}` : `Remembered: ${page.title}`)
  } catch (error) {
    say(`Not remembered. Press the icon of the extension on this page first. (${(error as Error).message})`)
  }
}

async function showList(): Promise<void> {
  const turn = ++shown
  const recall = await opened
  const text = words.value.trim()
  if (text === '') {
    const { items } = await recall.list({ order: { by: 'updatedAt' }, limit: 20 })
    if (turn === shown)
      show(
        items.map((page) => row(page, page.body?.slice(0, 160) ?? '')),
        '',
      )
    return
  }
  const { hits, evidence } = await recall.recall({ text, prefix: 'last', matching: 'only', limit: 10 })
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

function row(page: StoredRecord, text: Node | string): HTMLElement {
  const item = document.createElement('li')
  const heading = document.createElement('h2')
  const link = document.createElement('a')
  const url = String(page.metadata?.['url'] ?? '')
  link.textContent = page.title || url
  // A site chose this text and address.
  if (/^https?:/.test(url)) link.href = url
  link.target = '_blank'
  heading.append(link)
  const shownText = document.createElement('p')
  shownText.append(text)
  const forget = document.createElement('button')
  forget.textContent = 'Forget'
  forget.setAttribute('aria-label', `Forget ${link.textContent}`)
  forget.addEventListener('click', async () => {
    await (await opened).forget(page.id)
    say('Forgotten.')
  })
  item.append(heading, shownText, forget)
  return item
}

function say(sentence: string): void {
  find('#state').textContent = sentence
}
