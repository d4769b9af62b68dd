/**
 * Runs the example of docs/desktop.md for Obsidian: bundled by esbuild into one CommonJS file, evaluated in a page of Chromium with a stand-in
 * of Obsidian's vault. Like Obsidian's window, the page also has a `process` of Node.
 */
import { cp, readdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type Page } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type InstalledPackage, installPackage, root, run } from '../support/install-package.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const isHere = availableBrowsers().includes('chromium')

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
})

/** Path, text, ms of the last change. */
type Note = readonly [string, string, number]

interface Answer {
  readonly asked: Readonly<Record<string, readonly string[]>>
  /** Notes whose text the plugin read from the vault. */
  readonly reads: readonly string[]
  readonly backend: string
}

test.runIf(isHere)('the plugin indexes notes, follows changes, and keeps its store over a reload', async () => {
  const { app } = installed
  await cp(join(root, 'test/fixtures/desktop/obsidian'), app, { recursive: true })
  await symlink(join(root, 'node_modules/esbuild'), join(app, 'node_modules/esbuild'), 'junction')
  await run(process.execPath, ['build.mjs'], app)
  // Only this file reaches the page.
  expect(await readdir(join(app, 'dist'))).toEqual(['main.js'])
  await rename(join(app, 'dist/main.js'), join(app, 'dist/plugin.js'))
  await writeFile(join(app, 'dist/index.html'), pageHtml)
  const site = await serveFolder(join(app, 'dist'))
  const page = await browser.page(`${site.url}/`)
  try {
    const notes: Note[] = [
      ['birds/Jays.md', 'Jays hide acorns under the oak.', 1000],
      ['Deploy.md', 'The deploy key rotates on Mondays.', 1000],
      ['Lunch.md', 'The noodle place is closed on Sundays.', 1000],
      ['Draft.md', 'A poem about rivers.', 1000],
    ]
    const first = await start(page, notes, [
      ['change', 'Deploy.md', 'The deploy key rotates on Thursdays.', 2000],
      ['delete', 'Lunch.md'],
      ['rename', 'Draft.md', 'poems/Rivers.md'],
    ])
    expect(first).toEqual({
      asked: {
        acorns: ['birds/Jays.md'],
        thursdays: ['Deploy.md'],
        mondays: [],
        noodle: [],
        rivers: ['poems/Rivers.md'],
      },
      reads: ['birds/Jays.md', 'Deploy.md', 'Lunch.md', 'Draft.md', 'poems/Rivers.md'],
      backend: 'opfs',
    })

    // While the app is closed, one note changes and one is deleted.
    await page.reload()
    const later: Note[] = [
      ['birds/Jays.md', 'Jays hide acorns under the oak.', 1000],
      ['Deploy.md', 'The deploy key rotates on Fridays.', 3000],
    ]
    const again = await start(page, later, [])
    expect(again).toEqual({
      asked: { acorns: ['birds/Jays.md'], thursdays: [], mondays: [], noodle: [], rivers: [] },
      // The other note is still in the store, so its text is not read again.
      reads: ['Deploy.md'],
      backend: 'opfs',
    })
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  } finally {
    await page.close()
    await site.close()
  }
})

/** Starts the plugin over these notes, makes the changes, and asks with its command. */
function start(page: Page, notes: readonly Note[], changes: readonly (readonly unknown[])[]): Promise<Answer> {
  return page.evaluate<Answer>('startPlugin', notes, changes)
}

const pageHtml = `<!doctype html><html lang="en"><meta charset="utf-8"><title>vault</title><link rel="icon" href="data:,">
<script>
globalThis.process = { versions: { node: '22.0.0', electron: '39.0.0' }, type: 'renderer' }

class Events {
  listeners = {}
  on(name, listener) { (this.listeners[name] ??= []).push(listener); return { name, listener } }
  /** Resolves when the plugin's work is done. */
  emit(name, ...args) { return Promise.all((this.listeners[name] ?? []).map((listener) => listener(...args))) }
}

let modal
class SuggestModal { constructor(app) { this.app = app } open() { modal = this } }
class Plugin {
  commands = []
  constructor(app) { this.app = app }
  registerEvent() {}
  addCommand(command) { this.commands.push(command) }
}
class Notice { constructor(message) { console.error(message) } }
const obsidian = { Notice, Plugin, SuggestModal, getAllTags: () => ['#vault', '#vault'] }

function fileOf([path, text, mtime]) {
  const name = path.split('/').at(-1)
  return { path, text, basename: name.slice(0, -3), extension: 'md', stat: { ctime: mtime, mtime } }
}

async function startPlugin(notes, changes) {
  const reads = []
  const files = new Map(notes.map((note) => [note[0], fileOf(note)]))
  const vault = Object.assign(new Events(), {
    getMarkdownFiles: () => [...files.values()],
    cachedRead: async (file) => { reads.push(file.path); return file.text },
  })
  const metadataCache = Object.assign(new Events(), { getFileCache: () => ({}) })
  const app = {
    vault,
    metadataCache,
    workspace: { onLayoutReady: (listener) => queueMicrotask(listener) },
    loadLocalStorage: (key) => JSON.parse(localStorage.getItem(key)),
    saveLocalStorage: (key, value) => localStorage.setItem(key, JSON.stringify(value)),
  }

  const module = { exports: {} }
  const load = (name) => { if (name === 'obsidian') return obsidian; throw new Error('The plugin must not load ' + name) }
  new Function('module', 'exports', 'require', await (await fetch('plugin.js')).text())(module, module.exports, load)
  const plugin = new module.exports.default(app)
  plugin.onload()
  await Promise.resolve()
  await plugin.started

  for (const [kind, path, ...rest] of changes) {
    const file = files.get(path)
    files.delete(path)
    if (kind === 'delete') await vault.emit('delete', file)
    if (kind === 'change') {
      const changed = fileOf([path, ...rest])
      files.set(path, changed)
      await metadataCache.emit('changed', changed, changed.text, {})
    }
    if (kind === 'rename') {
      const moved = fileOf([rest[0], file.text, file.stat.mtime])
      files.set(moved.path, moved)
      await vault.emit('rename', moved, path)
    }
  }

  plugin.commands.find(({ id }) => id === 'ask').callback()
  const asked = {}
  for (const word of ['acorns', 'thursdays', 'mondays', 'noodle', 'rivers'])
    asked[word] = (await modal.getSuggestions(word)).map(({ id }) => id)
  const { backend } = await plugin.store.status()
  await plugin.onunload()
  return { asked, reads, backend }
}
</script></html>`
