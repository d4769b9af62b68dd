/** Follows the active tab and turns it into a query: the selected text, else the title of the page. */
import { type Policy, policies, type RecallQuery } from 'scrubjay'
import { prefixOf, type Typed } from '../shared/typing.ts'
import { canRemember, pathWords, siteOf, subjectOf } from './page-address.ts'
import { glanceAt, type PageGlance } from './read-tab.ts'

/** The page in the active tab. */
export interface ActivePage {
  readonly tab: chrome.tabs.Tab
  readonly url: string
  readonly title: string
  /** Null if the browser does not let the extension read the page. */
  readonly glance: PageGlance | null
}

/** Calls `changed` with the active page of the window now, and when another tab or page is shown. Returns a function that looks again. */
export function followTab(changed: (page: ActivePage) => void): () => Promise<void> {
  let turn = 0
  const look = async () => {
    const own = ++turn
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
    // If the panel is opened as a tab, that tab is ignored.
    if (tab === undefined || tab.url?.startsWith(chrome.runtime.getURL(''))) return
    const glance = await glanceAt(tab)
    const { url = tab.url ?? '', title = tab.title ?? '' } = glance ?? {}
    // While the page was read, another one may have come to the front.
    if (own === turn) changed({ tab, url, title, glance })
  }
  chrome.tabs.onActivated.addListener(() => void look())
  chrome.tabs.onUpdated.addListener((_id, change, { active }) => {
    if (active && ('title' in change || 'url' in change || 'status' in change)) void look()
  })
  // A press of the icon allows reading the page.
  chrome.runtime.onMessage.addListener(() => void look())
  // Selecting text sends no event to the panel, but the panel gets the focus afterwards.
  addEventListener('focus', () => void look())
  void look()
  return look
}

/**
 * Null for a page without readable text, title or path. Prefers records of the same site, but includes others. `records`: how many the
 * store has.
 */
export function questionOf({ url, title, glance }: ActivePage, records: number): RecallQuery | null {
  if (!canRemember(url)) return null
  const site = siteOf(url)
  const selection = (glance?.selection ?? '').slice(0, maxSelectionLength)
  // Without a title, the browser shows the address in its place.
  const hasTitle = title !== '' && !url.includes(title)
  const text = selection || (hasTitle ? subjectOf(title, url, glance?.siteName ?? '') : pathWords(url))
  if (text.trim() === '') return null
  // Among few records every word is rare, so an unknown word of the title weighs too much: `minScore` decides alone.
  const minEvidence = records < fewRecords ? 'none' : 'weak'
  return {
    text,
    policy: related,
    minEvidence,
    limit: 5,
    ...(site === null ? {} : { prefer: { project: site } }),
  }
}

/** A question that the user typed: shows the nearest records even without evidence, if they score above `minScore`. */
export function questionFrom(text: string, typed: Typed): RecallQuery {
  return { text, policy: nearest, ...prefixOf(typed), limit: 10 }
}

// The same site adds 0.1, which is below `minScore` and so not enough by itself.
const related: Policy = { ...policies.balanced, name: 'related', minScore: 0.15 }
const nearest: Policy = { ...policies.balanced, name: 'nearest', minScore: 0.01 }
const fewRecords = 20
const maxSelectionLength = 1_000
