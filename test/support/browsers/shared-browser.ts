/**
 * Shares one browser of a kind among all test files of a process: a start costs seconds, Firefox's most. Each file's
 * storage stays separate by its origin, because `serveFolder` never reuses a port. A test that kills its browser,
 * gives it arguments or counts its processes opens one of its own; so does one that compares the bits that compiled
 * code makes.
 */
import { type Browser, type BrowserKind, openBrowser, type Page } from './browsers.ts'

const running = new Map<BrowserKind, Promise<Browser>>()

/**
 * Like `openBrowser`, but `close` closes the pages opened here and leaves the browser to the next file; `kill` is
 * refused.
 */
export async function shareBrowser(kind: BrowserKind): Promise<Browser> {
  const browser = await findRunning(kind)
  const pages = new Set<Page>()
  let closing: Promise<void> | undefined
  return {
    ...browser,
    async page(url) {
      const page = await browser.page(url)
      pages.add(page)
      return {
        ...page,
        async close() {
          pages.delete(page)
          await page.close()
        },
      }
    },
    close() {
      closing ??= closeAll(pages).catch(() => replace(kind, browser))
      return closing
    },
    kill: () => Promise.reject(new Error(`This ${kind} is shared: open one of its own to kill it.`)),
  }
}

async function findRunning(kind: BrowserKind): Promise<Browser> {
  const known = await running.get(kind)?.catch(() => undefined)
  if (known !== undefined && isAlive(known)) return known
  await known?.close()
  const started = openBrowser(kind, { compilesLate: true })
  running.set(kind, started)
  return started
}

async function closeAll(pages: Iterable<Page>): Promise<void> {
  for (const page of pages) await page.close()
}

/** A browser that cannot even close its pages is not passed to the next file. */
async function replace(kind: BrowserKind, browser: Browser): Promise<void> {
  running.delete(kind)
  await browser.close()
}

function isAlive({ processId }: Browser): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}
