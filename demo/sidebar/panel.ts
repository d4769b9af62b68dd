/**
 * The panel: it owns the store, takes wishes out of the inbox, and keeps the answer to the tab in front, or to what one
 * types. Everything it does starts here.
 */
import { openRecall, type PutOutcome, type Recall, type RecallQuery, type RecallResult } from 'scrubjay'
import { createDeletions, type Deletions } from '../shared/delete/deletions.ts'
import { explainError, showNotice } from '../shared/notice.ts'
import { announce, make, partById } from '../shared/parts.ts'
import { listenToTyping, type Typed } from '../shared/typing.ts'
import { emptyInbox } from './empty-inbox.ts'
import { followTab, questionFrom, questionOf } from './follow-tab.ts'
import { addToInbox, onInboxChanged, readInbox } from './inbox.ts'
import { memoryCard } from './memory-card.ts'
import { wishFor } from './read-tab.ts'
import { storeLine } from './store-line.ts'
import type { Wish } from './wish.ts'

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
  const takeWishes = () =>
    void emptyInbox(recall, tellOutcome)
      .catch((error: unknown) => explainError('Not stored yet. The panel tries again when it next opens.', error))
      .then(refreshStore)
  let turn = 0
  let typed: Typed = 'whole'
  const askAnew = async () => {
    const own = ++turn
    const text = searchBox.value.trim()
    const question = text !== '' ? questionFrom(text, typed) : tab === undefined ? null : await questionOf(tab)
    // Reading the tab took a while: somebody may have asked something else.
    if (own === turn) ask(question)
  }

  followTab((inFront) => {
    if (inFront.url !== tab?.url) partById('outcome').replaceChildren()
    tab = inFront
    partById('here').textContent = inFront.title ?? ''
    rememberButton.disabled = false
    void askAnew()
  })
  listenToTyping(searchBox, (how) => {
    typed = how
    void askAnew()
  })
  rememberButton.addEventListener('click', () => {
    if (tab !== undefined) void wishFor(tab, '').then(addToInbox)
  })
  onInboxChanged(takeWishes)
  recall.subscribe(({ type }) => {
    if (type === 'changed' || type === 'leader-changed' || type === 'ready') void refreshStore()
  })
  deletions.onChange(() => void askAnew())
  void deletions.takeUp()
  takeWishes()
  void askAnew()
}

/** The newest question ends the one before it. Its answer stays right: whatever is put or forgotten asks again. */
function createAsking(recall: Recall, deletions: Deletions): (question: RecallQuery | null) => void {
  let asked = ''
  let stop = () => {}
  return (question) => {
    const query: RecallQuery = { ...(question ?? { text: '', limit: 10 }), exclude: deletions.ids() }
    const named = JSON.stringify([query, question === null])
    if (named === asked) return
    asked = named
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

function tellOutcome({ title, isSelection, text }: Wish, { outcome, message }: PutOutcome): void {
  if (outcome === 'rejected' || outcome === 'filtered') {
    showNotice('warning', make('p', {}, `Not remembered: ${message ?? outcome}`))
    return
  }
  const what = isSelection ? 'the selection of ' : text === '' ? 'title and address of ' : ''
  partById('outcome').textContent = `${outcome === 'unchanged' ? 'Known already' : 'Remembered'}: ${what}${title}`
}
