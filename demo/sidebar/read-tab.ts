/** Reads a tab, where the browser allows it: after a menu or a key was used there, until it goes to another site. */

export interface PageText {
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

/** Runs in the page and can use nothing from outside itself. */
function readPage(): PageText {
  const main = document.querySelector<HTMLElement>('main, article') ?? document.body
  return { selection: getSelection()?.toString().trim() ?? '', text: main.innerText.trim() }
}
