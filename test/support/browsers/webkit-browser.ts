/**
 * Runs WebKitGTK's MiniBrowser through WebKitWebDriver and selenium-webdriver, on a virtual display when there is
 * none. Its storage is ephemeral under automation, so a kept profile is refused. Selenium has no deadlines and would
 * start the driver in this process's own group, so both are decided here.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { Builder, type WebDriver } from 'selenium-webdriver'
import { buildProgram, readReply } from '../pages/page-program.ts'
import type { ConsoleMessage, Page, ResolvedOpenOptions, ScreenshotOptions, StartedBrowser } from './browsers.ts'
import { findBrowser, findMiniBrowser, findProgram } from './find-browser.ts'
import { endGroup, killGroup, spawnGroup } from './process-group.ts'
import { startRecording, takeRecording } from './record-console.ts'
import { until, within } from './within.ts'

/** Starts display, driver and browser. Rejects when one is not ready in time; no process is left running then. */
export async function openWebkitBrowser(options: ResolvedOpenOptions): Promise<StartedBrowser> {
  if (options.isProfileKept) throw new Error('WebKitGTK keeps nothing under automation: profileDir cannot be honoured')

  const processes: ChildProcess[] = []
  const forAll = async (stop: (leaderId: number) => Promise<void>) => {
    // Last started first: a browser that loses its display first would write a crash report.
    for (const { pid } of processes.toReversed()) if (pid !== undefined) await stop(pid)
  }
  try {
    const display = process.env['DISPLAY'] || (await startDisplay(processes, options.timeoutMs))
    const { server, url } = await startDriver(processes, display, options)
    const driver = await within(options.timeoutMs, 'the start of a WebDriver session', startSession(url, options.args))
    const version = (await driver.getCapabilities()).getBrowserVersion() ?? 'unknown'
    // A step may wait for a page to load or for a script that blocks; both have their own deadlines.
    const inTurn = createTurns(options.timeoutMs + options.evaluateTimeoutMs)
    const firstWindow = await inTurn(() => driver.getWindowHandle())
    return {
      kind: 'webkit',
      version,
      processId: server.pid ?? 0,
      page: (url) => openPage(driver, inTurn, firstWindow, url, options),
      devtools: refuseDevtools,
      serviceWorker: () => Promise.reject(new Error('Service workers are driven in Chromium alone.')),
      sidePanel: () => Promise.reject(new Error('Side panels are driven in Chromium alone.')),
      close: async () => {
        await within(5_000, 'webkit: closing', driver.quit()).catch(() => undefined)
        await forAll(endGroup)
      },
      kill: () => forAll(killGroup),
    }
  } catch (error) {
    await forAll(killGroup)
    throw error
  }
}

async function startDisplay(processes: ChildProcess[], timeoutMs: number): Promise<string> {
  const xvfb = findProgram('Xvfb')
  if (xvfb === null) throw new Error('no Xvfb found')
  // Xvfb itself picks a free number and writes it to descriptor 3 once it is ready; xvfb-run would guess and wait.
  const child = spawnGroup(xvfb, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  processes.push(child)
  const numberPipe = child.stdio[3] as NodeJS.ReadableStream
  const [line] = (await within(timeoutMs, 'the start of Xvfb', once(createInterface(numberPipe), 'line'))) as [string]
  return `:${line.trim()}`
}

async function startDriver(
  processes: ChildProcess[],
  display: string,
  { profileDir, timeoutMs, compilesLate }: ResolvedOpenOptions,
): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const program = findBrowser('webkit')
  if (program === null) throw new Error('no WebKitWebDriver found')
  const port = await findFreePort()
  const server = spawnGroup(program, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      ...privateFolders(profileDir),
      ...softwareRendering,
      ...(compilesLate ? lateCompiler : {}),
    },
  })
  processes.push(server)
  const url = `http://127.0.0.1:${port}`
  await until(timeoutMs, 'the start of WebKitWebDriver', async () => {
    if (server.exitCode !== null) throw new Error(`it exited with code ${server.exitCode}`)
    const { ok } = await fetch(`${url}/status`, { signal: AbortSignal.timeout(timeoutMs) })
    return ok ? true : null
  })
  return { server, url }
}

// Keeps the user's caches and settings out of the test, and the test's out of them.
function privateFolders(profileDir: string): Readonly<Record<string, string>> {
  return {
    HOME: profileDir,
    XDG_DATA_HOME: `${profileDir}/data`,
    XDG_CACHE_HOME: `${profileDir}/cache`,
    XDG_CONFIG_HOME: `${profileDir}/config`,
  }
}

// A virtual display has no graphics card. Compositing stays on: without it a screenshot never arrives.
const softwareRendering: Readonly<Record<string, string>> = { LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1' }

// Sixty times the usual number of calls and loops: heavy work still reaches that compiler.
export const lateCompiler: Readonly<Record<string, string>> = {
  JSC_thresholdForOMGOptimizeAfterWarmUp: '3000000',
  JSC_thresholdForOMGOptimizeSoon: '3000000',
}

async function startSession(url: string, args: readonly string[]): Promise<WebDriver> {
  return new Builder()
    .disableEnvironmentOverrides()
    .usingServer(url)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation', ...args] },
    })
    .build()
}

async function openPage(
  driver: WebDriver,
  inTurn: Turns,
  firstWindow: string,
  url: string,
  { timeoutMs, evaluateTimeoutMs }: ResolvedOpenOptions,
): Promise<Page> {
  // The first window stays empty: a session ends with its last window, and only an open one can open another.
  const handle = await inTurn(async () => {
    await driver.switchTo().window(firstWindow)
    await driver.switchTo().newWindow('window')
    return driver.getWindowHandle()
  })
  // The driver has one current window: each step selects its own first, and steps never interleave.
  const step: Turns = (run) =>
    inTurn(async () => {
      await driver.switchTo().window(handle)
      return run()
    })
  const load = (navigate: () => Promise<void>) =>
    step(async () => {
      await navigate()
      await driver.executeScript(startRecording)
    })

  await step(() => driver.manage().setTimeouts({ pageLoad: timeoutMs, script: evaluateTimeoutMs }))
  await load(() => driver.get(url))
  const messages: ConsoleMessage[] = []
  return {
    console: messages,
    evaluate: <T>(source: string, ...args: readonly unknown[]) => {
      const deadline = new AbortController()
      const evaluation = evaluateInSlices<T>(driver, step, buildProgram(source, args), messages, deadline.signal)
      const what = `webkit: evaluating ${source.slice(0, 120)}`
      return within(evaluateTimeoutMs, what, evaluation).finally(() => deadline.abort())
    },
    reload: () => load(() => driver.navigate().refresh()),
    screenshot: (path, size) => step(() => takeScreenshot(driver, path, size)),
    devtools: refuseDevtools,
    close: () => step(() => driver.close()),
  }
}

/** Starts the program, then polls it in short slices, so that another page can act while this one waits. */
async function evaluateInSlices<T>(
  driver: WebDriver,
  step: Turns,
  program: string,
  messages: ConsoleMessage[],
  deadline: AbortSignal,
): Promise<T> {
  const slot = await step(() =>
    driver.executeScript<number>(`return (window.__evaluations ??= []).push(${program}) - 1`),
  )
  while (!deadline.aborted) {
    const slice = await step(() =>
      driver.executeAsyncScript<{ reply: string | null; said: readonly ConsoleMessage[] }>(
        waitForReply,
        slot,
        50,
        leftReply,
      ),
    )
    messages.push(...slice.said)
    if (slice.reply !== null) return readReply<T>(slice.reply)
  }
  throw new Error('webkit: the evaluation was given up')
}

const waitForReply = `const [slot, sliceMs, leftReply, done] = arguments
  const running = window.__evaluations?.[slot] ?? leftReply
  const pause = new Promise((resolve) => setTimeout(resolve, sliceMs, null))
  Promise.race([running, pause]).then((reply) => done({ reply, said: ${takeRecording} }))`

const leftReply = JSON.stringify({
  error: { name: 'Error', message: 'The page was left while it evaluated.', stack: '' },
})

async function takeScreenshot(
  driver: WebDriver,
  path: string,
  { width, height, dark }: ScreenshotOptions,
): Promise<void> {
  if (dark) throw new Error('A dark screenshot needs Chromium.')
  const toolbarHeight = await driver.executeScript<number>('return outerHeight - innerHeight')
  await driver
    .manage()
    .window()
    .setRect({ width, height: height + toolbarHeight })
  await writeFile(path, await driver.takeScreenshot(), 'base64')
}

type Turns = <T>(run: () => Promise<T>) => Promise<T>

/** Each turn begins when the one before it has ended, or has taken longer than `deadlineMs`. */
function createTurns(deadlineMs: number): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const mine = last.then(() => within(deadlineMs, 'webkit: a command', run()))
    last = mine.catch(() => undefined)
    return mine
  }
}

async function refuseDevtools(method: string): Promise<never> {
  throw new Error(`DevTools command ${method} needs Chromium.`)
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
