/** Reads a tab. The browser allows this after the user has used a menu or key there, until the tab leaves the site. */
import type { Capture } from './capture.ts'

export interface PageText {
  /** Read from the page: the tab may have moved on since its event. */
  readonly url: string
  readonly title: string
  readonly selection: string
  readonly text: string
}

/** Null if reading is refused: the user has not acted on this page, or extensions cannot read it. */
export async function readTab({ id }: chrome.tabs.Tab): Promise<PageText | null> {
  if (id === undefined) return null
  try {
    const [frame] = await chrome.scripting.executeScript({ target: { tabId: id }, func: readPage })
    return frame?.result ?? null
  } catch {
    return null
  }
}

/** Captures the selection, or `selected` if it cannot be read; without a selection the page. `selected` null: always the page. */
export async function captureTab(tab: chrome.tabs.Tab, selected: string | null): Promise<Capture> {
  const page = await readTab(tab)
  const selection = selected === null ? '' : page?.selection || selected
  return {
    url: page?.url ?? tab.url ?? '',
    title: page?.title || (tab.title ?? ''),
    text: selection || (page?.text ?? ''),
    isSelection: selection !== '',
  }
}

/** Runs in the page, so it must not use anything outside this function. */
function readPage(): PageText {
  const main = document.querySelector<HTMLElement>('main, article') ?? document.body
  return {
    url: location.href,
    title: document.title,
    selection: getSelection()?.toString().trim() ?? '',
    text: main.innerText.trim(),
  }
}
