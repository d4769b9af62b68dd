/** Starts the panel: opens the store, stores captures from the inbox, and answers the active tab or the typed question. */
import { openRecall, type PutOutcome, type Recall, type RecallQuery, type RecallResult } from 'scrubjay'
import { createDeletions, type Deletions } from '../shared/delete/deletions.ts'
import { explainError, showNotice } from '../shared/notice.ts'
import { announce, make, partById } from '../shared/parts.ts'
import { listenToTyping, type Typed } from '../shared/typing.ts'
import type { Capture } from './capture.ts'
import { followTab, questionFrom, questionOf } from './follow-tab.ts'
import { addToInbox, onInboxChanged, readInbox } from './inbox.ts'
import { memoryCard } from './memory-card.ts'
import { captureTab } from './read-tab.ts'
import { storeCaptures } from './store-captures.ts'
import { storeLine } from './store-line.ts'

const heading = partById('answer-heading')
const hits = partById('hits')
const rememberButton = partById('remember', HTMLButtonElement)
const searchBox = partById('query', HTMLInputElement)

void openRecall({ name: 'sidebar' }).then(start, (error: unknown) => {
  partById('store').replaceChildren(make('p', { class: 'safety', 'data-tone': 'warning' }, 'Store not open.'))
  heading.textContent = 'Nothing to show'
  const again = make('button', { type: 'button', click: () => location.reload() }, 'Try again')
  explainError('The store could not be opened.', error, again)
})

function start(recall: Recall): void {
  let tab: chrome.tabs.Tab | undefined
  const deletions = createDeletions(recall, { app: 'sidebar', one: 'memory', many: 'memories' })
  const ask = createAsking(recall, deletions)
  const refreshStore = async () => {
    const [status, waiting] = await Promise.all([recall.status(), readInbox()])
    partById('store').replaceChildren(...storeLine(status, waiting.length))
  }
  const takeCaptures = () =>
    void storeCaptures(recall, showOutcome)
      .catch((error: unknown) => explainError('Not stored yet. The panel tries again when it next opens.', error))
      .then(refreshStore)
  let turn = 0
  let typed: Typed = 'whole'
  const askAgain = async () => {
    const own = ++turn
    const text = searchBox.value.trim()
    const question = text !== '' ? questionFrom(text, typed) : tab === undefined ? null : await questionOf(tab)
    // While the tab was read, another question may have been asked.
    if (own === turn) ask(question)
  }

  followTab((inFront) => {
    if (inFront.url !== tab?.url) partById('outcome').replaceChildren()
    tab = inFront
    partById('here').textContent = inFront.title ?? ''
    rememberButton.disabled = false
    void askAgain()
  })
  listenToTyping(searchBox, (how) => {
    typed = how
    void askAgain()
  })
  rememberButton.addEventListener('click', () => {
    if (tab !== undefined) void captureTab(tab, '').then(addToInbox)
  })
  onInboxChanged(takeCaptures)
  recall.subscribe(({ type }) => {
    if (type === 'changed' || type === 'leader-changed' || type === 'ready') void refreshStore()
  })
  deletions.onChange(() => void askAgain())
  void deletions.takeUp()
  takeCaptures()
  void askAgain()
}

/** A new question ends the previous one. Its answer is updated when records are stored or forgotten. */
function createAsking(recall: Recall, deletions: Deletions): (question: RecallQuery | null) => void {
  let current = ''
  let stop = () => {}
  return (question) => {
    const query: RecallQuery = { ...(question ?? { text: '', limit: 10 }), exclude: deletions.ids() }
    const key = JSON.stringify([query, question === null])
    if (key === current) return
    current = key
    stop()
    stop = recall.subscribe({ query }, (result) => showAnswer(deletions, result, question === null), {
      onError: (error) => explainError('The question could not be answered.', error),
    })
  }
}

function showAnswer(deletions: Deletions, result: RecallResult, isNewest: boolean): void {
  const { hits: found, evidence } = result
  const nearest = evidence.strength === 'none' ? 'Nearest memories, but no sure match' : 'You remembered'
  heading.textContent = isNewest ? 'Newest memories' : found.length > 0 ? nearest : 'Nothing remembered'
  const cards = found.map((hit, i) =>
    memoryCard(hit, { number: i + 1, isAsked: !isNewest, remove: () => void deletions.remove([hit.record]) }),
  )
  hits.replaceChildren(...cards.map((card) => make('li', {}, card)))
  partById('empty').hidden = cards.length > 0
  if (!isNewest) announce(`${heading.textContent}: ${cards.length}`)
}

function showOutcome({ title, isSelection, text }: Capture, { outcome, message }: PutOutcome): void {
  if (outcome === 'rejected' || outcome === 'filtered') {
    showNotice('warning', make('p', {}, `Not remembered: ${message ?? outcome}`))
    return
  }
  const what = isSelection ? 'the selection of ' : text === '' ? 'title and address of ' : ''
  partById('outcome').textContent = `${outcome === 'unchanged' ? 'Known already' : 'Remembered'}: ${what}${title}`
}
