/**
 * Runs Chromium (DevTools protocol) and Firefox (WebDriver BiDi) through puppeteer-core. Decides the flags of each;
 * the caller manages the profile.
 */
import puppeteer, {
  type BrowserContext,
  type CDPSession,
  type Browser as NativeBrowser,
  type Page as NativePage,
} from 'puppeteer-core'
import { buildProgram, readReply } from '../pages/page-program.ts'
import type {
  Browser,
  ConsoleMessage,
  Page,
  ResolvedOpenOptions,
  ScreenshotOptions,
  ServiceWorker,
  StartedBrowser,
} from './browsers.ts'
import { findBrowser } from './find-browser.ts'
import { killGroup, ownGroup } from './process-group.ts'
import { within } from './within.ts'

type PuppeteerKind = 'chromium' | 'firefox'

/** Starts the browser headless. Rejects when it does not answer in time; no process is left running then. */
export async function openPuppeteerBrowser(kind: PuppeteerKind, options: ResolvedOpenOptions): Promise<StartedBrowser> {
  const executablePath = findBrowser(kind)
  if (executablePath === null) throw new Error(`no ${kind} found`)

  const native = await puppeteer.launch({
    browser: kind === 'chromium' ? 'chrome' : 'firefox',
    executablePath,
    headless: true,
    userDataDir: options.profileDir,
    args: [...defaultArgs(kind, options), ...options.args],
    // Chromium ends itself when this pipe breaks, so it cannot outlive even a killed test process.
    pipe: kind === 'chromium',
    enableExtensions: options.args.some((arg) => arg.startsWith('--load-extension')),
    // Crash reports and caches stay in the profile; and Firefox refuses to run as root with another user's home.
    env: { ...process.env, HOME: options.profileDir },
    timeout: options.timeoutMs,
    // Deadlines are set here: `within` names what was awaited.
    protocolTimeout: 0,
    defaultViewport: { width: 1280, height: 800 },
  })
  const processId = native.process()?.pid
  if (processId === undefined) throw new Error(`${kind} has no process`)
  ownGroup(processId)

  const [named, context] = await Promise.all([
    native.version(),
    options.isPrivate ? native.createBrowserContext() : native.defaultBrowserContext(),
  ]).catch(async (error: unknown) => {
    await killGroup(processId)
    throw error
  })
  return {
    kind,
    version: /\d[\d.]*/.exec(named)?.[0] ?? 'unknown',
    processId,
    page: async (url) => openPage(kind, context, url, options),
    devtools: createDevtools(kind, () => native.target().createCDPSession()),
    serviceWorker: (urlEnd) => attachTo('service_worker', kind, native, urlEnd, options),
    sidePanel: (urlEnd) => attachTo('page', kind, native, urlEnd, options),
    close: async () => {
      try {
        await within(5_000, `${kind}: closing`, native.close())
      } catch {
        // Killed before, or hanging: the end of the group below decides.
      }
      await killGroup(processId)
    },
    kill: () => killGroup(processId),
  }
}

// A quarter of the processor time of a worker's start goes into the last compiler of WebAssembly.
const onlyBaseline = '--js-flags=--liftoff-only'

function defaultArgs(kind: PuppeteerKind, { compilesLate }: ResolvedOpenOptions): readonly string[] {
  if (kind === 'firefox') return []
  const isRoot = process.getuid?.() === 0
  return [
    '--disable-quic',
    '--disable-background-networking',
    '--disable-gpu',
    ...(isRoot ? ['--no-sandbox'] : []),
    ...(compilesLate ? [onlyBaseline] : []),
  ]
}

async function openPage(
  kind: PuppeteerKind,
  context: BrowserContext,
  url: string,
  { timeoutMs, evaluateTimeoutMs }: ResolvedOpenOptions,
): Promise<Page> {
  const page = await within(timeoutMs, `${kind}: opening a tab`, context.newPage())
  const messages = collectMessages(page)
  await page.goto(url, { waitUntil: 'load', timeout: timeoutMs })
  return {
    console: messages,
    evaluate: async <T>(source: string, ...args: readonly unknown[]) =>
      readReply<T>(
        await within(
          evaluateTimeoutMs,
          `${kind}: evaluating ${source.slice(0, 120)}`,
          page.evaluate(buildProgram(source, args)),
        ),
      ),
    reload: async () => {
      await page.reload({ waitUntil: 'load', timeout: timeoutMs })
    },
    screenshot: (path, options) =>
      within(timeoutMs, `${kind}: taking a screenshot`, takeScreenshot(kind, page, path, options)),
    devtools: createDevtools(kind, () => page.createCDPSession()),
    close: () => within(timeoutMs, `${kind}: closing a tab`, page.close()),
  }
}

function collectMessages(page: NativePage): readonly ConsoleMessage[] {
  const messages: ConsoleMessage[] = []
  page.on('console', (message) => messages.push({ level: levelOf(message.type()), text: message.text() }))
  page.on('pageerror', (error) => messages.push({ level: 'error', text: String(error) }))
  return messages
}

function levelOf(type: string): ConsoleMessage['level'] {
  if (type === 'assert' || type === 'error') return 'error'
  if (type === 'warning' || type === 'warn') return 'warn'
  return type === 'info' || type === 'debug' ? type : 'log'
}

async function attachTo(
  type: 'service_worker' | 'page',
  kind: PuppeteerKind,
  native: NativeBrowser,
  urlEnd: string,
  { timeoutMs, evaluateTimeoutMs }: ResolvedOpenOptions,
): Promise<ServiceWorker> {
  if (kind !== 'chromium') throw new Error('Service workers and side panels are driven in Chromium alone.')
  const target = await native.waitForTarget((one) => one.type() === type && one.url().endsWith(urlEnd), {
    timeout: timeoutMs,
  })
  // A separate session: puppeteer's worker hangs for good once the browser has stopped its target.
  const session = await within(timeoutMs, `${kind}: attaching to ${urlEnd}`, target.createCDPSession())
  const messages: ConsoleMessage[] = []
  session.on('Runtime.consoleAPICalled', ({ type, args }) =>
    messages.push({
      level: levelOf(type),
      text: args.map(({ value, description }) => String(description ?? value)).join(' '),
    }),
  )
  session.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
    messages.push({ level: 'error', text: exception?.description ?? text }),
  )
  session.on('Log.entryAdded', ({ entry: { level, text } }) => messages.push({ level: levelOf(level), text }))
  await session.send('Runtime.enable')
  await session.send('Log.enable')
  return {
    console: messages,
    evaluate: async <T>(source: string, ...args: readonly unknown[]) => {
      const expression = buildProgram(source, args)
      const called = session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      const { result } = await within(evaluateTimeoutMs, `${kind}: evaluating ${source.slice(0, 120)}`, called)
      return readReply<T>(result.value)
    },
    detach: () => session.detach(),
  }
}

async function takeScreenshot(
  kind: PuppeteerKind,
  page: NativePage,
  path: string,
  { width, height, dark }: ScreenshotOptions,
): Promise<void> {
  // A background tab draws no frames, and the screenshot would never arrive.
  await page.bringToFront()
  await page.setViewport({ width, height })
  if (kind === 'chromium') {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }])
  } else if (dark) {
    throw new Error('A dark screenshot needs Chromium.')
  }
  await page.screenshot({ path: path as `${string}.png`, type: 'png' })
}

/** One DevTools session for all commands: an override, of a quota for example, lasts only as long as its session. */
function createDevtools(kind: PuppeteerKind, createSession: () => Promise<CDPSession>): Browser['devtools'] {
  let session: Promise<CDPSession> | undefined
  return async <T>(method: string, params: object = {}) => {
    if (kind !== 'chromium') throw new Error(`DevTools command ${method} needs Chromium.`)
    session ??= createSession()
    return (await (await session).send(method as Parameters<CDPSession['send']>[0], params as never)) as T
  }
}
