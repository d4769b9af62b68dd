/** Follows the active tab and turns it into a query: the selected text, else the title of the page. */
import { type Policy, policies, type RecallQuery } from 'scrubjay'
import { prefixOf, type Typed } from '../shared/typing.ts'
import { siteOf } from './capture.ts'
import { readTab } from './read-tab.ts'

/** Calls `changed` with the active tab of the window now, and when another tab or page is shown. */
export function followTab(changed: (tab: chrome.tabs.Tab) => void): void {
  const look = () =>
    void chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
      // If the panel is opened as a tab, that tab is ignored.
      if (tab !== undefined && !tab.url?.startsWith(chrome.runtime.getURL(''))) changed(tab)
    })
  chrome.tabs.onActivated.addListener(look)
  chrome.tabs.onUpdated.addListener((_id, change, { active }) => {
    if (active && ('title' in change || 'url' in change || 'status' in change)) look()
  })
  // Selecting text sends no event to the panel, but the panel gets the focus afterwards.
  addEventListener('focus', look)
  look()
}

/** Null for a tab without readable text, title or path. Prefers records of the same site, but includes others. */
export async function questionOf(tab: chrome.tabs.Tab): Promise<RecallQuery | null> {
  const url = tab.url ?? ''
  const site = siteOf(url)
  const selection = (await readTab(tab))?.selection ?? ''
  const text = selection.slice(0, maxSelectionLength) || (hasTitle(tab) ? (tab.title ?? '') : pathWords(url))
  if (text.trim() === '' || !/^(https?|file):/.test(url)) return null
  // Without a minimum of evidence, every page would show unrelated memories.
  return {
    text,
    policy: related,
    minEvidence: 'weak',
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
const maxSelectionLength = 1_000

/** False if the browser shows the address in place of a title. */
function hasTitle({ title = '', url = '' }: chrome.tabs.Tab): boolean {
  return title !== '' && !url.includes(title)
}

function pathWords(url: string): string {
  if (!URL.canParse(url)) return ''
  const { pathname } = new URL(url)
  return pathname.split(/[^\p{L}\p{N}]+/u).join(' ')
}
