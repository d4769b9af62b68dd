/**
 * Reads a tab. The browser allows it on a page where the user has pressed the extension's icon, menu or key, and on every page
 * after the user has allowed that.
 */
import type { Capture } from './capture.ts'

export interface PageGlance {
  /** Read from the page: the tab may have moved on since its event. */
  readonly url: string
  readonly title: string
  /** What the page calls its site; empty if it does not say. */
  readonly siteName: string
  readonly selection: string
}

/** Reads the selection but not the text. Null if reading is refused: the user has not allowed it, or extensions cannot read the page. */
export function glanceAt(tab: chrome.tabs.Tab): Promise<PageGlance | null> {
  return run(tab, glance)
}

/** Captures the selection, or `selected` if it cannot be read; without a selection the page. `selected` null: always the page. */
export async function captureTab(tab: chrome.tabs.Tab, selected: string | null): Promise<Capture> {
  const page = await glanceAt(tab)
  const selection = selected === null ? '' : page?.selection || selected
  return {
    url: page?.url ?? tab.url ?? '',
    title: page?.title || (tab.title ?? ''),
    text: selection || ((await run(tab, readText)) ?? ''),
    isSelection: selection !== '',
  }
}

async function run<T>({ id }: chrome.tabs.Tab, func: () => T): Promise<T | null> {
  if (id === undefined) return null
  try {
    const [frame] = await chrome.scripting.executeScript({ target: { tabId: id }, func })
    return frame?.result ?? null
  } catch {
    return null
  }
}

/** Runs in the page, so it must not use anything outside this function. */
function glance(): PageGlance {
  return {
    url: location.href,
    title: document.title,
    siteName: document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '',
    selection: getSelection()?.toString().trim() ?? '',
  }
}

/** Runs in the page, so it must not use anything outside this function. The longest article is the page's own; others are teasers. */
function readText(): string {
  const parts = [...document.querySelectorAll<HTMLElement>('main, [role="main"], article')]
  const texts = parts.map((part) => part.innerText.trim()).sort((a, b) => b.length - a.length)
  return texts[0] || document.body.innerText.trim()
}
