/** Starts the panel: opens the store, stores captures from the inbox, and answers the active page or the typed question. */
import {
  openRecall,
  type PutOutcome,
  type Recall,
  type RecallQuery,
  type RecallResult,
  type StoredRecord,
} from 'scrubjay'
import { createDeletions } from '../shared/delete/deletions.ts'
import { counted } from '../shared/format.ts'
import { markedText, passageOf } from '../shared/marked-text.ts'
import { explainError, showNotice } from '../shared/notice.ts'
import { oneAtATime } from '../shared/one-at-a-time.ts'
import { announce, make, partById } from '../shared/dom.ts'
import { createReadings } from '../shared/readings.ts'
import { titleOf } from '../shared/title-of.ts'
import { listenToTyping, type Typed } from '../shared/typing.ts'
import { createBringing } from './bring-files.ts'
import type { Capture } from './capture.ts'
import { type ActivePage, followTab, questionFrom, questionOf } from './follow-tab.ts'
import { onInboxChanged, readInbox } from './inbox.ts'
import { memoryCard } from './memory-card.ts'
import { pageOf } from './page-address.ts'
import { storeCaptures } from './store-captures.ts'
import { storeLine } from './store-line.ts'
import { createThisPage } from './this-page.ts'

const heading = partById('answer-heading')
const hits = partById('hits')
const searchBox = partById('query', HTMLInputElement)

void openRecall({ name: 'sidebar', metadataKeys: ['url'] }).then(start, (error: unknown) => {
  partById('store').replaceChildren(make('p', { class: 'safety', 'data-tone': 'warning' }, 'Store not open.'))
  heading.textContent = 'Nothing to show'
  const again = make('button', { type: 'button', click: () => location.reload() }, 'Try again')
  explainError('The store could not be opened.', error, again)
})

/** An empty text of the query asks for the newest memories. */
interface Asked {
  readonly query: RecallQuery
  /** The text that the user typed; null if the page asks. */
  readonly typed: string | null
}

function start(recall: Recall): void {
  let page: ActivePage | undefined
  let memories: readonly StoredRecord[] = []
  let records = 0
  let typed: Typed = 'whole'
  const deletions = createDeletions(recall, { app: 'sidebar', one: 'memory', many: 'memories' })
  const remove = (record: StoredRecord) => void deletions.remove([record])
  const ask = createAsking(recall, showAnswer)
  const readings = createReadings(recall, partById('readings'), 'memory', { ask: askText, askAgain })
  // A store that changes all the time is shown, too.
  const refresh = oneAtATime(readAll)
  const look = followTab((now) => {
    page = now
    void refresh()
  })
  const thisPage = createThisPage({ remove, look })

  listenToTyping(searchBox, (how) => {
    typed = how
    askAgain()
  })
  onInboxChanged(takeCaptures)
  recall.subscribe(({ type }) => {
    if (type === 'changed' || type === 'leader-changed' || type === 'ready') void refresh()
  })
  deletions.onChange(() => void refresh())
  createBringing(recall)
  void deletions.takeUp()
  takeCaptures()
  void refresh()

  function takeCaptures(): void {
    void storeCaptures(recall, showOutcome)
      .catch((error: unknown) => explainError('Not stored yet. The panel tries again when it next opens.', error))
      .then(refresh)
  }

  /** Reads the memories of the page from the store, and asks again. */
  async function readAll(): Promise<void> {
    const asked = page
    const [status, waiting, found] = await Promise.all([
      recall.status(),
      readInbox(),
      asked === undefined ? [] : memoriesOf(asked),
    ])
    // The tab has changed meanwhile, so it is read again.
    if (asked !== page) return
    records = status.records
    memories = found.filter(({ id }) => !deletions.ids().includes(id))
    partById('store').replaceChildren(...storeLine(status, waiting.length))
    if (page !== undefined) thisPage.show(page, memories)
    askAgain()
  }

  async function memoriesOf({ url }: ActivePage): Promise<readonly StoredRecord[]> {
    return url === '' ? [] : (await recall.list({ metadata: { url: pageOf(url) }, limit: 100 })).items
  }

  function askAgain(): void {
    const text = searchBox.value.trim()
    if (text !== '') return ask({ query: questionOfUser(text), typed: text })
    const query = page === undefined ? null : questionOf(page, records)
    // The page's own memories are shown above.
    const exclude = [...deletions.ids(), ...memories.map(({ id }) => id)]
    ask({ query: query === null ? { text: '', limit: 10, exclude } : { ...query, exclude }, typed: null })
  }

  function questionOfUser(text: string): RecallQuery {
    return { ...questionFrom(text, typed), ...readings.options(text), exclude: deletions.ids() }
  }

  function showAnswer({ query, typed: text }: Asked, result: RecallResult): void {
    const isNewest = query.text === ''
    const { hits: found, evidence } = result
    const isAnswered = found.length > 0 && evidence.strength !== 'none'
    heading.textContent = headingOf()
    hits.replaceChildren(
      ...found.map((hit, i) => {
        const contributions = isNewest ? [] : hit.contributions
        const card = {
          titleId: `memory-${i + 1}`,
          snippet: markedText(passageOf(hit, titleOf(hit.record))),
          contributions,
        }
        return make('li', {}, memoryCard(hit.record, { ...card, remove: () => remove(hit.record) }))
      }),
    )
    showHelp(found.length === 0, records)
    if (text === null) readings.hide()
    else readings.show({ text, result, isAnswered, isHalf: typed === 'half' })
    if (!isNewest) announce(`${heading.textContent}: ${found.length}`)

    function headingOf(): string {
      if (records === 0) return 'Nothing remembered yet'
      if (isNewest) return 'Newest memories'
      if (text === null) return found.length > 0 ? 'Related memories' : 'No related memories'
      if (isAnswered) return counted(found.length, 'memory', 'memories')
      return found.length > 0 ? 'No sure match. The closest memories:' : 'No match'
    }
  }

  function askText(text: string): void {
    searchBox.value = text
    typed = 'whole'
    askAgain()
  }
}

function showHelp(isEmpty: boolean, records: number): void {
  const help = partById('empty')
  help.hidden = !isEmpty
  help.textContent =
    records === 0
      ? 'Press “Remember it”, or select text on a page and press Alt+Shift+R. It appears here on related pages.'
      : `Search your ${counted(records, 'memory', 'memories')} above.`
}

/** A new question ends the previous one. Its answer is updated when records are stored or forgotten. */
function createAsking(recall: Recall, show: (asked: Asked, result: RecallResult) => void): (asked: Asked) => void {
  let current = ''
  let stop = () => {}
  return (asked) => {
    const key = JSON.stringify(asked)
    if (key === current) return
    current = key
    stop()
    stop = recall.subscribe({ query: asked.query }, (result) => show(asked, result), {
      onError: (error) => explainError('The question could not be answered.', error),
    })
  }
}

function showOutcome({ title, isSelection, text }: Capture, { outcome, message }: PutOutcome): void {
  if (outcome === 'rejected' || outcome === 'filtered') {
    showNotice('warning', make('p', {}, `Not remembered: ${message ?? outcome}`))
    return
  }
  const what = isSelection ? 'the selection of ' : text === '' ? 'title and address of ' : ''
  partById('outcome').textContent = `${outcome === 'unchanged' ? 'Known already' : 'Remembered'}: ${what}${title}`
}
