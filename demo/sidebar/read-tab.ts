/** Reads a tab, where the browser allows it: after a menu or a key was used there, until it goes to another site. */

import type { Wish } from './wish.ts'

export interface PageText {
  /** The page's own word: a tab may have moved on since somebody heard of it. */
  readonly url: string
  readonly title: string
  readonly selection: string
  readonly text: string
}

/** Null where reading is refused: nobody asked for this page, or no extension may read it. */
export async function readTab({ id }: chrome.tabs.Tab): Promise<PageText | null> {
  if (id === undefined) return null
  try {
    const [frame] = await chrome.scripting.executeScript({ target: { tabId: id }, func: readPage })
    return frame?.result ?? null
  } catch {
    return null
  }
}

/** The selection, `selected` where it cannot be read; else the page. Null for `selected` asks for the page in any case. */
export async function wishFor(tab: chrome.tabs.Tab, selected: string | null): Promise<Wish> {
  const page = await readTab(tab)
  const selection = selected === null ? '' : page?.selection || selected
  return {
    url: page?.url ?? tab.url ?? '',
    title: page?.title || (tab.title ?? ''),
    text: selection || (page?.text ?? ''),
    isSelection: selection !== '',
  }
}

/** Runs in the page and can use nothing from outside itself. */
function readPage(): PageText {
  const main = document.querySelector<HTMLElement>('main, article') ?? document.body
  return {
    url: location.href,
    title: document.title,
    selection: getSelection()?.toString().trim() ?? '',
    text: main.innerText.trim(),
  }
}
