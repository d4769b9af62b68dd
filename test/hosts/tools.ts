/**
 * Tools for a host's fixture: programs run to their end, servers that are started and stopped, pages in real browsers.
 */
import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { isDeepStrictEqual, promisify } from 'node:util'
import { availableBrowsers, type BrowserKind, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { serveFolder } from '../support/pages/static-server.ts'

export interface Tools {
  /** The app's folder. */
  readonly app: string
  /** A program of the app (`next build`), found in its node_modules. Rejects with its output. */
  run(command: string, env?: Record<string, string>): Promise<string>
  /** A program that serves while `use` runs; `command` contains the port. Resolves when its URL answers. */
  serve(command: (port: number) => string, use: (url: string) => Promise<void>): Promise<void>
  /** A folder of the app, served. */
  serveFolder(folder: string, use: (url: string) => Promise<void>): Promise<void>
  /** In each installed browser of the requested kinds: what the page writes into `#answer`. */
  expectAnswer(url: string, kinds?: readonly BrowserKind[]): Promise<void>
  /** One page in Chromium. */
  inPage(url: string, use: (page: Page) => Promise<void>): Promise<void>
  /** Waits for `#answer` of the page. */
  answerOf(page: Page): Promise<string>
  /** Rejects unless the text is the JSON that every fixture must answer. */
  expectWorks(text: string): void
}

/** By words alone "building an application" finds neither record: the vectors must work. */
const works = { ids: ['a'], isVectorRun: true }
const patienceMs = 120_000

export function openTools(app: string): Tools {
  const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' }
  const tools: Tools = {
    app,
    async run(command, env = {}) {
      const options = { cwd: app, env: { ...environment, ...env }, maxBuffer: 64 * 1024 * 1024 }
      try {
        return (await promisify(execFile)('npx', ['--no-install', ...command.split(' ')], options)).stdout
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        throw new Error(`${command} failed\n${tail(stdout)}\n${tail(stderr)}`, { cause: error })
      }
    },
    async serve(command, use) {
      const port = await freePort()
      const [program = '', ...rest] = ['--no-install', ...command(port).split(' ')]
      // A process group of its own: npx is the parent of the server.
      const child = spawn('npx', [program, ...rest], {
        cwd: app,
        env: { ...environment, PORT: `${port}` },
        detached: true,
      })
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => (printed += text.toString()))
      try {
        const url = `http://127.0.0.1:${port}`
        await untilAnswers(url, () => child.exitCode)
        await use(url)
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${tail(printed)}`, { cause: error })
      } finally {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
      }
    },
    async serveFolder(folder, use) {
      const site = await serveFolder(`${app}/${folder}`)
      try {
        await use(site.url)
      } finally {
        await site.close()
      }
    },
    async expectAnswer(url, kinds = ['chromium']) {
      for (const kind of availableBrowsers().filter((one) => kinds.includes(one))) {
        const browser = await openBrowser(kind)
        try {
          const page = await browser.page(url)
          tools.expectWorks(await tools.answerOf(page))
        } finally {
          await browser.close()
        }
      }
    },
    async inPage(url, use) {
      const browser = await openBrowser('chromium')
      try {
        await use(await browser.page(url))
      } finally {
        await browser.close()
      }
    },
    async answerOf(page) {
      const untilMs = performance.now() + patienceMs
      while (performance.now() < untilMs) {
        const text = await page
          .evaluate<string>(`document.querySelector('#answer')?.textContent ?? ''`)
          // The page may be between two loads.
          .catch(() => '')
        if (text !== '' && text !== 'waiting') return text
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`no answer in ${patienceMs} ms\n${JSON.stringify(page.console)}`)
    },
    expectWorks(text) {
      const answer: unknown = text.startsWith('{') ? JSON.parse(text) : text
      if (!isDeepStrictEqual(answer, works)) throw new Error(`answered ${text}`)
    },
  }
  return tools
}

function tail(text: string): string {
  return text.split('\n').slice(-40).join('\n')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function untilAnswers(url: string, exitCode: () => number | null): Promise<void> {
  const untilMs = performance.now() + patienceMs
  while (performance.now() < untilMs) {
    if (exitCode() !== null) throw new Error(`the server ended with code ${exitCode()}`)
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`nothing answers at ${url}`)
}
