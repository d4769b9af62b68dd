/** Shows the page in the active tab: whether it is remembered, what is remembered of it, and the button that remembers it. */
import type { StoredRecord } from 'scrubjay'
import { counted, day, wholeNumber } from '../shared/format.ts'
import { make, partById } from '../shared/dom.ts'
import { askToRead, isFirstAsking } from './access.ts'
import type { ActivePage } from './follow-tab.ts'
import { addToInbox } from './inbox.ts'
import { memoryCard } from './memory-card.ts'
import { canRemember } from './page-address.ts'
import { captureTab } from './read-tab.ts'

export interface ThisPage {
  /** `memories`: the records of this page. */
  show(page: ActivePage, memories: readonly StoredRecord[]): void
}

export interface PageActions {
  remove(record: StoredRecord): void
  /** Reads the tab again, after the user has allowed it. */
  look(): Promise<void>
}

export function createThisPage({ remove, look }: PageActions): ThisPage {
  const button = partById('remember', HTMLButtonElement)
  const access = partById('access')
  let page: ActivePage | undefined

  button.addEventListener('click', () => void remember())
  partById('allow').addEventListener('click', () => void askToRead().then(look))

  return {
    show(now, memories) {
      if (now.url !== page?.url) partById('outcome').replaceChildren()
      page = now
      const { url, title, glance } = now
      const isPossible = canRemember(url)
      const stored = memories.find(({ kind }) => kind === 'page')
      partById('here').textContent = title
      partById('state').replaceChildren(...(isPossible ? rememberedLine(stored) : [impossible]))
      const hasSelection = (glance?.selection ?? '') !== ''
      button.textContent = hasSelection ? 'Remember the selection' : stored === undefined ? 'Remember it' : 'Update it'
      button.dataset['tone'] = hasSelection || stored === undefined ? 'primary' : 'calm'
      button.disabled = !isPossible
      // Without the right to read the page, an update would have no text.
      button.hidden = !isPossible || (glance === null && stored !== undefined)
      access.hidden = !isPossible || glance !== null
      showOwn(memories)
    },
  }

  async function remember(): Promise<void> {
    if (page === undefined) return
    const { tab, glance } = page
    if (glance === null && (await isFirstAsking()) && (await askToRead())) await look()
    await addToInbox(await captureTab(tab, ''))
  }

  function showOwn(memories: readonly StoredRecord[]): void {
    const fold = partById('own', HTMLDetailsElement)
    fold.hidden = memories.length === 0
    partById('own-count').textContent = `${counted(memories.length, 'memory', 'memories')} of this page`
    partById('own-list').replaceChildren(
      ...memories.map((record, i) => {
        const snippet = [(record.body ?? '').slice(0, maxQuoteLength)]
        const card = { titleId: `own-${i + 1}`, snippet, contributions: [], remove: () => remove(record) }
        return make('li', {}, memoryCard(record, card))
      }),
    )
  }
}

const maxQuoteLength = 300

const impossible =
  'Extensions can’t read this page: it belongs to the browser. Open a web page to remember it or to see related memories.'

function rememberedLine(stored: StoredRecord | undefined): (HTMLElement | string)[] {
  if (stored === undefined) return []
  const words = (stored.body ?? '').split(/\s+/).filter((word) => word !== '').length
  const what = words === 0 ? 'title and address only' : words === 1 ? '1 word' : `${wholeNumber(words)} words`
  return [make('strong', {}, 'Remembered ✓'), ` ${day(stored.updatedAt)}, ${what}`]
}
