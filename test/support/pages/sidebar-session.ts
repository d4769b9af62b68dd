/**
 * Drives the sidebar extension in one start of Chromium: the page in the front tab, the panel as a second tab that follows it, and the
 * extension's service worker.
 */
import { vi } from 'vitest'
import { type Browser, openBrowser, type Page, type ServiceWorker } from '../browsers/browsers.ts'
import { demoTools as tools } from './demo-tools.ts'

export interface SidebarOptions {
  /** The folder of the unpacked extension. */
  readonly extension: string
  /** The URL of the site whose pages the front tab shows. */
  readonly site: string
  /** The browser's profile. Default: a new one, deleted at the end. */
  readonly profileDir?: string
}

/** Opens the front tab at `tides.html`, and the panel. */
export async function startSidebar({ extension, site, profileDir }: SidebarOptions): Promise<SidebarSession> {
  // No host name resolves: any request to another machine would fail, and appear on the console.
  const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'
  const args = [`--load-extension=${extension}`, `--disable-extensions-except=${extension}`, offline]
  const open = (options: { readonly profileDir?: string; readonly timeoutMs?: number }) =>
    openSession(site, { args, ...options })
  if (profileDir === undefined) return open({})
  // Seen once: after it was killed, Chromium did not start the extension's worker until it was started again.
  return open({ profileDir, timeoutMs: 20_000 }).catch(() => open({ profileDir }))
}

async function openSession(site: string, options: Parameters<typeof openBrowser>[1]): Promise<SidebarSession> {
  const browser = await openBrowser('chromium', options)
  try {
    const worker = await findWorker(browser)
    const front = await browser.page(`${site}/tides.html`)
    return new SidebarSession(browser, site, front, worker, await loadPanel(browser, worker))
  } catch (error) {
    await browser.close()
    throw error
  }
}

export class SidebarSession {
  readonly browser: Browser
  readonly front: Page
  /** Of every panel and every service worker so far. */
  readonly consoles: Page['console'][]
  readonly #site: string
  #worker: ServiceWorker
  #panel: Page

  constructor(browser: Browser, site: string, front: Page, worker: ServiceWorker, panel: Page) {
    this.browser = browser
    this.front = front
    this.consoles = [worker.console, panel.console]
    this.#site = site
    this.#worker = worker
    this.#panel = panel
  }

  /** The panel that was opened last. */
  get panel(): Page {
    return this.#panel
  }

  get worker(): ServiceWorker {
    return this.#worker
  }

  async openPanel(): Promise<void> {
    this.#panel = await loadPanel(this.browser, this.#worker)
    this.consoles.push(this.#panel.console)
    await this.waitForStore()
  }

  waitForStore(): Promise<void> {
    return this.waitFor('one("#store .safety")')
  }

  /** In the front tab, which the panel follows. */
  async goTo(name: string): Promise<void> {
    await this.search('')
    // The mark ends with the page: a page that is loaded again has the same path.
    // The answer comes first: a page that goes away could no longer answer.
    const leave = 'globalThis.isLeft = true; setTimeout(() => (location.href = args[0])); return null'
    await this.front.evaluate(leave, `${this.#site}/${name}`)
    const state = '[location.pathname, document.readyState, globalThis.isLeft ?? false]'
    const loaded = [`/${name}`, 'complete', false]
    await vi.waitFor(
      async () => {
        const found = await this.front.evaluate(state)
        if (JSON.stringify(found) !== JSON.stringify(loaded)) throw new Error(`Never loaded: ${name}, but ${found}`)
      },
      { timeout: 20_000 },
    )
    await this.front.devtools('Page.bringToFront')
  }

  async select(selector: string): Promise<void> {
    await this.front.evaluate('getSelection().selectAllChildren(document.querySelector(args[0]))', selector)
  }

  /** As the browser notifies the service worker of a menu entry or a key: with the front tab. */
  async dispatch(event: string, what: unknown): Promise<void> {
    await this.#worker.evaluate(
      `const [tab] = await chrome.tabs.query({ url: '*://*/*' }); chrome.${event}.dispatch(args[0], tab)`,
      what,
    )
  }

  async stopWorker(): Promise<void> {
    await this.#worker.detach()
    await this.#panel.devtools('ServiceWorker.enable')
    await this.#panel.devtools('ServiceWorker.stopAllWorkers')
    await vi.waitFor(
      async () => {
        if (await this.#hasWorker()) throw new Error('The service worker still runs.')
      },
      { timeout: 30_000 },
    )
  }

  async startWorker(): Promise<void> {
    const scopeURL = await this.read('new URL("/", location.href).href')
    await this.#panel.devtools('ServiceWorker.startWorker', { scopeURL })
    this.#worker = await findWorker(this.browser)
    this.consoles.push(this.#worker.console)
  }

  /** In the panel. */
  async search(text: string): Promise<void> {
    await this.#panel.evaluate(`${tools}; ask(args[0])`, text)
  }

  /** In the panel. */
  async click(element: string): Promise<void> {
    await this.#panel.evaluate(`${tools}; ${element}.click()`)
  }

  /** In the panel. */
  async press(key: string): Promise<void> {
    for (const type of ['rawKeyDown', 'keyUp'])
      await this.#panel.devtools('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: 9 })
  }

  /** For an expression of the panel. */
  waitFor(condition: string): Promise<void> {
    const look = async () => {
      if (!(await this.read(`Boolean(${condition})`)))
        throw new Error(`Never: ${condition}\n${await this.read<string>('document.body.innerText')}`)
    }
    return vi.waitFor(look, { timeout: 20_000, interval: 100 })
  }

  /** The value of an expression in the panel. */
  read<T>(expression: string): Promise<T> {
    return this.#panel.evaluate<T>(`${tools}; return (${expression})`)
  }

  async #hasWorker(): Promise<boolean> {
    const { targetInfos } = await this.browser.devtools<{ targetInfos: readonly { readonly type: string }[] }>(
      'Target.getTargets',
    )
    return targetInfos.some(({ type }) => type === 'service_worker')
  }
}

async function findWorker(browser: Browser): Promise<ServiceWorker> {
  const found = await browser.serviceWorker('/service-worker.js')
  // It exists before the extension's interface does.
  await vi.waitFor(() => found.evaluate('chrome.runtime.id'), { timeout: 20_000 })
  return found
}

async function loadPanel(browser: Browser, worker: ServiceWorker): Promise<Page> {
  return browser.page(`chrome-extension://${await worker.evaluate('chrome.runtime.id')}/panel.html`)
}
