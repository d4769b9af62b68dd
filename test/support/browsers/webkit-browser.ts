/**
 * WebKitGTK's MiniBrowser through WebKitWebDriver, spoken to over plain HTTP (W3C WebDriver), on a virtual display
 * when there is none. Its storage is ephemeral under automation, so a kept profile is refused.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { buildProgram, readReply } from '../pages/page-program.ts'
import type { ConsoleMessage, Page, ResolvedOpenOptions, ScreenshotOptions, StartedBrowser } from './browsers.ts'
import { findBrowser, findMiniBrowser, findProgram } from './find-browser.ts'
import { endGroup, killGroup, spawnGroup } from './process-group.ts'
import { startRecording, takeRecording } from './record-console.ts'
import { until, within } from './within.ts'

type Command = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>

/** Starts display, driver and browser. Rejects when one does not get ready in time; nothing is left running then. */
export async function openWebkitBrowser(options: ResolvedOpenOptions): Promise<StartedBrowser> {
  if (options.isProfileKept) throw new Error('WebKitGTK keeps nothing under automation: profileDir cannot be honoured')

  const processes: ChildProcess[] = []
  const forAll = async (stop: (leaderId: number) => Promise<void>) => {
    // Last started first: a browser that loses its display first would write a crash report.
    for (const { pid } of processes.toReversed()) if (pid !== undefined) await stop(pid)
  }
  try {
    const display = process.env['DISPLAY'] || (await startDisplay(processes, options.timeoutMs))
    const { driver, url } = await startDriver(processes, display, options)
    const start = createCommand(url, options.timeoutMs)
    const { sessionId, capabilities } = await start<SessionReply>('POST', '/session', sessionRequest(options.args))
    // A step may wait for a page to load or for a script that blocks; both have deadlines of their own.
    const command = createCommand(`${url}/session/${sessionId}`, options.timeoutMs + options.evaluateTimeoutMs)
    const firstWindow = await command<string>('GET', '/window')
    const inTurn = createTurns()
    return {
      kind: 'webkit',
      version: capabilities.browserVersion,
      processId: driver.pid ?? 0,
      page: (url) => openPage(command, inTurn, firstWindow, url, options),
      devtools: refuseDevtools,
      serviceWorker: () => Promise.reject(new Error('Service workers are driven in Chromium alone.')),
      close: async () => {
        await within(5_000, 'webkit: closing', command('DELETE', '')).catch(() => undefined)
        await forAll(endGroup)
      },
      kill: () => forAll(killGroup),
    }
  } catch (error) {
    await forAll(killGroup)
    throw error
  }
}

interface SessionReply {
  readonly sessionId: string
  readonly capabilities: { readonly browserVersion: string }
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
  { profileDir, timeoutMs }: ResolvedOpenOptions,
): Promise<{ readonly driver: ChildProcess; readonly url: string }> {
  const program = findBrowser('webkit')
  if (program === null) throw new Error('no WebKitWebDriver found')
  const port = await findFreePort()
  const driver = spawnGroup(program, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', ...privateFolders(profileDir), ...softwareRendering },
  })
  processes.push(driver)
  const url = `http://127.0.0.1:${port}`
  const ask = createCommand(url, timeoutMs)
  await until(timeoutMs, 'the start of WebKitWebDriver', async () => {
    if (driver.exitCode !== null) throw new Error(`it exited with code ${driver.exitCode}`)
    const { ready } = await ask<{ ready: boolean }>('GET', '/status')
    return ready ? true : null
  })
  return { driver, url }
}

// Caches and settings of the user stay out of the test, and the test out of them.
function privateFolders(profileDir: string): Readonly<Record<string, string>> {
  return {
    HOME: profileDir,
    XDG_DATA_HOME: `${profileDir}/data`,
    XDG_CACHE_HOME: `${profileDir}/cache`,
    XDG_CONFIG_HOME: `${profileDir}/config`,
  }
}

// A virtual display has no graphics card. Compositing stays on: without it a screenshot never comes.
const softwareRendering: Readonly<Record<string, string>> = { LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1' }

function sessionRequest(args: readonly string[]): object {
  return {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: findMiniBrowser(),
          args: ['--automation', ...args],
        },
      },
    },
  }
}

async function openPage(
  command: Command,
  inTurn: Turns,
  firstWindow: string,
  url: string,
  { timeoutMs, evaluateTimeoutMs }: ResolvedOpenOptions,
): Promise<Page> {
  // The first window stays empty: a session ends with its last window, and only from an open one opens another.
  const { handle } = await inTurn(async () => {
    await command('POST', '/window', { handle: firstWindow })
    return command<{ handle: string }>('POST', '/window/new', { type: 'window' })
  })
  // The driver has one current window: each step selects its own first, and steps never interleave.
  const step: Turns = (run) =>
    inTurn(async () => {
      await command('POST', '/window', { handle })
      return run()
    })
  const load = (path: string, body: object) =>
    step(async () => {
      await command('POST', path, body)
      await command('POST', '/execute/sync', { script: startRecording, args: [] })
    })

  await step(() => command('POST', '/timeouts', { pageLoad: timeoutMs, script: evaluateTimeoutMs }))
  await load('/url', { url })
  const messages: ConsoleMessage[] = []
  return {
    console: messages,
    evaluate: <T>(source: string, ...args: readonly unknown[]) => {
      const deadline = new AbortController()
      const evaluation = evaluateInSlices<T>(command, step, buildProgram(source, args), messages, deadline.signal)
      const what = `webkit: evaluating ${source.slice(0, 120)}`
      return within(evaluateTimeoutMs, what, evaluation).finally(() => deadline.abort())
    },
    reload: () => load('/refresh', {}),
    screenshot: (path, size) => step(() => takeScreenshot(command, path, size)),
    devtools: refuseDevtools,
    close: () => step(async () => void (await command('DELETE', '/window'))),
  }
}

/** Starts the program, then looks after it in short slices, so that another page can act while this one waits. */
async function evaluateInSlices<T>(
  command: Command,
  step: Turns,
  program: string,
  messages: ConsoleMessage[],
  deadline: AbortSignal,
): Promise<T> {
  const slot = await step(() =>
    command<number>('POST', '/execute/sync', {
      script: `return (window.__evaluations ??= []).push(${program}) - 1`,
      args: [],
    }),
  )
  while (!deadline.aborted) {
    const slice = await step(() =>
      command<{ reply: string | null; said: readonly ConsoleMessage[] }>('POST', '/execute/async', {
        script: `const [slot, sliceMs, leftReply, done] = arguments
          const running = window.__evaluations?.[slot] ?? leftReply
          const pause = new Promise((resolve) => setTimeout(resolve, sliceMs, null))
          Promise.race([running, pause]).then((reply) => done({ reply, said: ${takeRecording} }))`,
        args: [slot, 50, leftReply],
      }),
    )
    messages.push(...slice.said)
    if (slice.reply !== null) return readReply<T>(slice.reply)
  }
  throw new Error('webkit: the evaluation was given up')
}

const leftReply = JSON.stringify({
  error: { name: 'Error', message: 'The page was left while it evaluated.', stack: '' },
})

async function takeScreenshot(
  command: Command,
  path: string,
  { width, height, dark }: ScreenshotOptions,
): Promise<void> {
  if (dark) throw new Error('A dark screenshot needs Chromium.')
  const toolbarHeight = await command<number>('POST', '/execute/sync', {
    script: 'return outerHeight - innerHeight',
    args: [],
  })
  await command('POST', '/window/rect', { width, height: height + toolbarHeight })
  await writeFile(path, Buffer.from(await command<string>('GET', '/screenshot'), 'base64'))
}

type Turns = <T>(run: () => Promise<T>) => Promise<T>

function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const mine = last.then(run)
    last = mine.catch(() => undefined)
    return mine
  }
}

function createCommand(baseUrl: string, timeoutMs: number): Command {
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
    if (!response.ok) throw new Error(`webkit: ${method} ${path} failed: ${value?.error}: ${value?.message}`)
    return value
  }
}

async function refuseDevtools(method: string): Promise<never> {
  throw new Error(`DevTools command ${method} needs Chromium.`)
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
