/**
 * Times a newcomer's way: an empty folder, the tarball, the README's ten lines, the first recall, in Chromium. Once
 * with each bundler (webpack with `npm run test:everywhere`) and once with none. The folders of test/fixtures/newcomer contain exactly what a newcomer writes.
 */
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { availableBrowsers, type Browser } from '../support/browsers/browsers.ts'
import { casesOf } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type InstalledPackage, installPackage, root, run } from '../support/install-package.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const isHere = availableBrowsers().includes('chromium')

/** How it is built, and what the page adds to the README's lines. */
const ways = casesOf(
  [
    { way: 'vite', tool: 'vite', served: 'dist', isVerbatim: true },
    { way: 'esbuild', tool: 'esbuild', served: 'dist', isVerbatim: false },
    { way: 'plain', tool: null, served: '.', isVerbatim: true },
  ],
  // Its build takes a minute of processor time; `npm run hosts` has an app of Next.js, too.
  [{ way: 'webpack', tool: 'webpack', served: 'dist', isVerbatim: true }],
)

const steps = ['install', 'build', 'first recall', 'again'] as const
const table: Record<string, Record<(typeof steps)[number], number>> = {}

let installed: InstalledPackage
let browser: Browser

beforeAll(async () => {
  if (!isHere) return
  installed = await installPackage()
  browser = await shareBrowser('chromium')
})

afterAll(async () => {
  await browser?.close()
  await installed?.remove()
  if (Object.keys(table).length > 0) process.stdout.write(`${tableInWords()}\n`)
})

test.runIf(isHere).each(ways)(
  'from an empty folder to the first recall: $way',
  async ({ way, tool, served, isVerbatim }) => {
    const app = join(installed.app, '..', way)
    await cp(join(root, 'test/fixtures/newcomer', way), app, { recursive: true })
    if (isVerbatim) expect(await readFile(join(app, 'main.js'), 'utf8')).toBe(await tenLines())

    // The same for all of them: the files npm made in an empty folder.
    await cp(join(installed.app, 'node_modules'), join(app, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    if (tool !== null) await lendTool(tool, app)
    const build = tool === null ? 0 : await timed(() => run('npm', ['run', '--silent', 'build'], app))
    const site = await serveFolder(join(app, served))
    try {
      const first = await timed(() => expectRecall(`${site.url}/`))
      const again = await timed(() => expectRecall(`${site.url}/`))
      table[way] = { install: installed.installMs, build, 'first recall': first, again }
    } finally {
      await site.close()
    }
  },
)

/** The page's own console is the newcomer's proof. */
async function expectRecall(url: string): Promise<void> {
  const page = await browser.page(url)
  try {
    await vi.waitFor(() => expect(page.console.length).toBeGreaterThanOrEqual(2), { timeout: 30_000, interval: 20 })
    expect(page.console.map(({ level, text }) => `${level}: ${text}`)).toEqual([
      'log: strong standup',
      'log: words match at 38 % of the best possible',
    ])
  } finally {
    await page.close()
  }
}

/** The README's first block of code. */
async function tenLines(): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  return /^## Install\n.*?```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? 'none'
}

/** As if it were installed there; uses no registry. */
async function lendTool(name: string, app: string): Promise<void> {
  await symlink(join(root, 'node_modules', name), join(app, 'node_modules', name))
  await mkdir(join(app, 'node_modules/.bin'), { recursive: true })
  if (name === 'vite') await symlink('../vite/bin/vite.js', join(app, 'node_modules/.bin/vite'))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function tableInWords(): string {
  const rows = Object.entries(table).map(([way, times]) => [way, ...steps.map((step) => `${Math.round(times[step])}`)])
  const lines = [['ms', ...steps], ...rows].map((row) => row.map((cell) => cell.padStart(12)).join(''))
  return `a newcomer's way, tarball of ${installed.bytes} bytes\n${lines.join('\n')}`
}
