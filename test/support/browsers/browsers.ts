/**
 * One small abstraction over the three browsers, for tests that drive a real browser from Node. It opens, evaluates,
 * reads the console, takes screenshots and kills; it knows nothing of Scrubjay. The adapters are puppeteer-browser.ts
 * (Chromium, Firefox) and webkit-browser.ts.
 */
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserKind, browserKinds, explainMissing } from './find-browser.ts'
import { ownFolder } from './process-group.ts'
import { openPuppeteerBrowser } from './puppeteer-browser.ts'
import { openWebkitBrowser } from './webkit-browser.ts'

export type { BrowserKind } from './find-browser.ts'

export interface OpenOptions {
  /** A profile to keep: it is created when absent and never deleted. Default: a new one, deleted on close. */
  readonly profileDir?: string
  /**
   * Opens pages in a private window, which keeps its storage in memory. Chromium only; others reject. Default false.
   */
  readonly isPrivate?: boolean
  /** Further command line arguments of the browser. */
  readonly args?: readonly string[]
  /** Longest wait for a start or for a page to load. Default 45,000. */
  readonly timeoutMs?: number
  /** Longest wait for one `evaluate`. Default 120,000. */
  readonly evaluateTimeoutMs?: number
  /**
   * WebKit compiles a function of WebAssembly with its last compiler only after many more calls than for users, and
   * Chromium never. A quarter to half of the processor time of a short test goes into that compiler. Default false.
   */
  readonly compilesLate?: boolean
}

export interface Browser {
  readonly kind: BrowserKind
  /** Digits only, `156.0.8078.79`. */
  readonly version: string
  /** Leads the process group that `kill` kills. For WebKit: the driver, whose child the browser is. */
  readonly processId: number
  /** How long the start took, retries included. */
  readonly startMs: number
  /** Opens a tab and waits for its `load` event. */
  page(url: string): Promise<Page>
  /** Sends a DevTools command to the browser (`SystemInfo.getProcessInfo`). Chromium only; others reject. */
  devtools<T>(method: string, params?: object): Promise<T>
  /** The service worker whose URL ends like this, as soon as it runs. Chromium only; others reject. */
  serviceWorker(urlEnd: string): Promise<ServiceWorker>
  /** The side panel whose URL ends like this, as soon as it is open. Chromium only; others reject. */
  sidePanel(urlEnd: string): Promise<ServiceWorker>
  /** Ends the browser normally, then by force; deletes its own temporary profile. May be called again. */
  close(): Promise<void>
  /** SIGKILLs the process group and resolves when it is gone. `close` afterwards still cleans up. */
  kill(): Promise<void>
}

export interface Page {
  /**
   * The messages of this page and its workers so far, oldest first. WebKit cannot distinguish pages: all pages since
   * opening.
   */
  readonly console: readonly ConsoleMessage[]
  /**
   * Runs source in the page and resolves to its awaited value. The source is an expression (`document.title`), a
   * function that is then called with the arguments (`async (n) => n + 1`), or the body of an async function
   * (`const reply = await ask(args[0]); return reply`). `args` names the arguments in all three.
   * Arguments and value pass as JSON. Rejects with the page's error, or when the deadline passes.
   */
  evaluate<T>(source: string, ...args: readonly unknown[]): Promise<T>
  reload(): Promise<void>
  /** Writes a PNG of the viewport. `dark` selects the dark colour scheme: Chromium only; others reject. */
  screenshot(path: string, options: ScreenshotOptions): Promise<void>
  /**
   * Sends a DevTools command to the page (`Storage.overrideQuotaForOrigin`); its overrides last until the page closes.
   * Chromium only; others reject.
   */
  devtools<T>(method: string, params?: object): Promise<T>
  close(): Promise<void>
}

export interface ServiceWorker {
  /** Its messages since it started, oldest first. */
  readonly console: readonly ConsoleMessage[]
  /** Like `evaluate` of a page. */
  evaluate<T>(source: string, ...args: readonly unknown[]): Promise<T>
  /** Detaches from it. An attached worker does not end when it is stopped. */
  detach(): Promise<void>
}

export interface ScreenshotOptions {
  readonly width: number
  readonly height: number
  readonly dark?: boolean
}

/** `error` covers console.error, uncaught errors and failed loads. */
export interface ConsoleMessage {
  readonly level: 'error' | 'warn' | 'info' | 'log' | 'debug'
  readonly text: string
}

/** The input of an adapter: all options resolved, a profile folder that exists. */
export interface ResolvedOpenOptions {
  readonly profileDir: string
  readonly isProfileKept: boolean
  readonly isPrivate: boolean
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly evaluateTimeoutMs: number
  readonly compilesLate: boolean
}

/** The result of an adapter; `openBrowser` adds the time and deletes the profile. */
export type StartedBrowser = Omit<Browser, 'startMs'>

const startAttempts = 3

/**
 * Starts a browser with a profile of its own, headless or on a virtual display. A failed start is tried again, at most
 * twice; then rejects with every attempt's reason.
 */
export async function openBrowser(kind: BrowserKind, options: OpenOptions = {}): Promise<Browser> {
  const missing = explainMissing(kind)
  if (missing !== null) throw new Error(`${kind} cannot run: ${missing}`)
  if (options.isPrivate && kind !== 'chromium') throw new Error(`A private window needs Chromium, got ${kind}.`)

  const startedAtMs = performance.now()
  const failures: string[] = []
  for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
    const profileDir = options.profileDir ?? (await mkdtemp(join(tmpdir(), `scrubjay-${kind}-`)))
    const isProfileKept = options.profileDir !== undefined
    const dropProfile = isProfileKept ? keepProfile : ownFolder(profileDir)
    await mkdir(profileDir, { recursive: true })
    try {
      const browser = await adapters[kind]({
        profileDir,
        isProfileKept,
        isPrivate: options.isPrivate ?? false,
        args: options.args ?? [],
        timeoutMs: options.timeoutMs ?? 45_000,
        evaluateTimeoutMs: options.evaluateTimeoutMs ?? 120_000,
        compilesLate: options.compilesLate ?? false,
      })
      return joinProfile(browser, dropProfile, performance.now() - startedAtMs)
    } catch (error) {
      failures.push(`attempt ${attempt}: ${error instanceof Error ? error.message : String(error)}`)
      await dropProfile()
    }
  }
  throw new Error(`${kind} did not start.\n${failures.join('\n')}`)
}

/**
 * The kinds a suite should run in, for `describe.each`. On a desktop: those that can run here. In CI (`CI=true`): all
 * of them, so that a missing browser fails its tests instead of hiding them. `missingBrowsers` lists the others.
 */
export function availableBrowsers(): readonly BrowserKind[] {
  if (process.env['CI'] === 'true') return browserKinds
  return browserKinds.filter((kind) => explainMissing(kind) === null)
}

/** The kinds that cannot run here, each with its reason and the remedy. */
export function missingBrowsers(): readonly { readonly kind: BrowserKind; readonly reason: string }[] {
  return browserKinds.flatMap((kind) => {
    const reason = explainMissing(kind)
    return reason === null ? [] : [{ kind, reason }]
  })
}

const adapters: Readonly<Record<BrowserKind, (options: ResolvedOpenOptions) => Promise<StartedBrowser>>> = {
  chromium: (options) => openPuppeteerBrowser('chromium', options),
  firefox: (options) => openPuppeteerBrowser('firefox', options),
  webkit: openWebkitBrowser,
}

async function keepProfile(): Promise<void> {}

function joinProfile(browser: StartedBrowser, dropProfile: () => Promise<void>, startMs: number): Browser {
  let closing: Promise<void> | undefined
  return {
    ...browser,
    startMs,
    close: () => {
      closing ??= browser.close().finally(dropProfile)
      return closing
    },
  }
}
