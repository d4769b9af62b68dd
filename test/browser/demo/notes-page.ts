/** Opens the notes app for the tests of this folder, built and served like `npm run notes`, and works it as a person does. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { buildNotes } from '../../../demo/notes/build.mjs'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import type { Browser, Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyBuilt } from '../../support/pages/built-app.ts'
import { type NotesPage, notesPage } from '../../support/pages/notes-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

type Site = Awaited<ReturnType<typeof serveFolder>>

/** A folder for files of tests, with the built app in it. */
export interface BuiltNotes {
  readonly folder: string
  readonly built: string
  /** A test may replace it. */
  site: Site
}

export interface NotesApp extends BuiltNotes {
  readonly browser: Browser
  readonly page: Page
  readonly notes: NotesPage
  /** Also checks that the page reported no error. */
  close(): Promise<void>
}

export async function buildAndServe(): Promise<BuiltNotes> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-notes-'))
  const built = join(folder, 'app')
  await copyBuilt(buildNotes, built)
  return { folder, built, site: await serveNotes(built) }
}

export async function stopServing({ folder, site }: BuiltNotes): Promise<void> {
  await site.close()
  await rm(folder, { recursive: true, force: true })
}

export function serveNotes(built: string, port = 0): Promise<Site> {
  return serveFolder(built, { port, headers: { 'Content-Security-Policy': headerPolicy } })
}

/** Opens the app in Chromium, at an origin without any stored data, and waits until it works offline. */
export async function openNotes(): Promise<NotesApp> {
  const served = await buildAndServe()
  const browser = await shareBrowser('chromium')
  const page = await browser.page(`${served.site.url}/`)
  const notes = notesPage(page)
  const app = {
    ...served,
    browser,
    page,
    notes,
    async close() {
      try {
        expect(await complaintsOf(page)).toEqual([])
      } finally {
        await browser.close()
        await stopServing(app)
      }
    },
  }
  try {
    await notes.ready()
    await notes.until('text("#app-status") === "Works offline."')
  } catch (error) {
    await app.close().catch(() => undefined)
    throw error
  }
  return app
}

export async function goHome(notes: NotesPage): Promise<void> {
  await notes.run('fill("#query", ""); go("")')
  await notes.until('isSeen("#home") && !isSeen("#editor") && /notes$/.test(text("#list-heading"))')
}

/** The errors and warnings that the page reported so far. */
export async function complaintsOf(page: Page): Promise<Page['console']> {
  await page.evaluate('1')
  return page.console.filter(({ level }) => level === 'error' || level === 'warn')
}

export async function forget(notes: NotesPage, title: string): Promise<void> {
  await notes.open(title)
  await notes.until(`one("#note-title").value === ${JSON.stringify(title)} && one("#note-delete .danger")`)
  await notes.run('one("#note-delete .danger").click()')
  await notes.until('canDeleteNow()')
  expect(await notes.read('all(".proof").length')).toBe(0)
  await notes.run('toast("now").click()')
  await notes.until('one(".proof")')
  expect(await notes.read('text(".proof strong")')).toBe('Deleted. Nothing of it is left on this device.')
}

/** The file that a button saves, in base64. */
export async function download(notes: NotesPage, button: string, name: RegExp): Promise<string> {
  await notes.run(`
    const given = (window.given = {})
    const { createObjectURL } = URL
    const { click } = HTMLAnchorElement.prototype
    URL.createObjectURL = (blob) => {
      given.blob = blob
      URL.createObjectURL = createObjectURL
      return createObjectURL(blob)
    }
    HTMLAnchorElement.prototype.click = function () {
      if (this.download === '') return click.call(this)
      given.name = this.download
      HTMLAnchorElement.prototype.click = click
    }
    one('${button}').click()`)
  await notes.until('window.given?.name')
  expect(await notes.read('window.given.name')).toMatch(name)
  return notes.read(
    '(async () => { let text = ""; for (const byte of new Uint8Array(await window.given.blob.arrayBuffer())) text += String.fromCharCode(byte); return btoa(text) })()',
  )
}

/** Real key presses, which move the focus as a person's do. */
export async function press(page: Page, key: string, code = key, modifiers = 0): Promise<void> {
  const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40, s: 83 }
  const event = {
    key,
    code,
    modifiers,
    windowsVirtualKeyCode: codes[key],
    ...(key === 'Enter' ? { text: '\r' } : {}),
  }
  await page.devtools('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
  await page.devtools('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}

export async function type(page: Page, text: string): Promise<void> {
  for (const key of text) {
    await page.devtools('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key })
    await page.devtools('Input.dispatchKeyEvent', { type: 'keyUp', key })
  }
}

export async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    if ((await page.evaluate('return document.activeElement.id')) === id) return
    await press(page, 'Tab')
  }
  throw new Error(`Tab never came to ${id}.`)
}
