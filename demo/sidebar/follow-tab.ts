/** Follows the tab one looks at, and turns it into a question: what is selected there, else what the page is called. */
import { type Policy, policies, type RecallQuery } from 'scrubjay'
import { prefixOf, type Typed } from '../shared/typing.ts'
import { readTab } from './read-tab.ts'
import { siteOf } from './wish.ts'

/** `told` hears of the window's tab now, and whenever another one is in front or it shows another page. */
export function followTab(told: (tab: chrome.tabs.Tab) => void): void {
  const look = () =>
    void chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => {
      // The panel opened as a tab of its own is no page to ask about.
      if (tab !== undefined && !tab.url?.startsWith(chrome.runtime.getURL(''))) told(tab)
    })
  chrome.tabs.onActivated.addListener(look)
  chrome.tabs.onUpdated.addListener((_id, change, { active }) => {
    if (active && ('title' in change || 'url' in change || 'status' in change)) look()
  })
  // Selecting is no event of the tab; coming to the panel afterwards is one of the panel.
  addEventListener('focus', look)
  look()
}

/** Null for a tab that says nothing of itself. Records of the same site are preferred, others are not left out. */
export async function questionOf(tab: chrome.tabs.Tab): Promise<RecallQuery | null> {
  const url = tab.url ?? ''
  const site = siteOf(url)
  const selection = (await readTab(tab))?.selection ?? ''
  const text = selection.slice(0, maxSelectionLength) || (hasTitle(tab) ? (tab.title ?? '') : pathWords(url))
  if (text.trim() === '' || !/^(https?|file):/.test(url)) return null
  // The nearest of unrelated memories would be noise beside every page.
  return {
    text,
    policy: related,
    minEvidence: 'weak',
    limit: 5,
    ...(site === null ? {} : { prefer: { project: site } }),
  }
}

/** A question of one's own: the nearest are shown even where nothing answers it, if there is any reason to name. */
export function questionFrom(text: string, typed: Typed): RecallQuery {
  return { text, policy: nearest, ...prefixOf(typed), limit: 10 }
}

// Being of the same site is worth 0.1 and makes nothing related by itself.
const related: Policy = { ...policies.balanced, name: 'related', minScore: 0.15 }
const nearest: Policy = { ...policies.balanced, name: 'nearest', minScore: 0.01 }
const maxSelectionLength = 1_000

/** Without a title of its own, a page is called by its address. */
function hasTitle({ title = '', url = '' }: chrome.tabs.Tab): boolean {
  return title !== '' && !url.includes(title)
}

function pathWords(url: string): string {
  if (!URL.canParse(url)) return ''
  const { pathname } = new URL(url)
  return pathname.split(/[^\p{L}\p{N}]+/u).join(' ')
}
