/** Tests the lock of the notes app in Chromium: a passphrase encrypts the notes, the app asks for it, and it can be taken away again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildNotes, policy } from '../../../demo/notes/build.mjs'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyBuilt } from '../../support/pages/built-app.ts'
import { type NotesPage, notesPage } from '../../support/pages/notes-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const passphrase = 'seven jays in the old oak'

describe.runIf(availableBrowsers().includes('chromium'))('in Chromium', () => {
  let folder: string
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveFolder>>
  let page: Page
  let notes: NotesPage
  let code: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-notes-lock-'))
    await copyBuilt(buildNotes, folder)
    browser = await shareBrowser('chromium')
    site = await serveFolder(folder, { headers: { 'Content-Security-Policy': policy.header } })
    page = await browser.page(`${site.url}/`)
    notes = notesPage(page)
    await notes.ready()
  })

  afterAll(async () => {
    await page?.close()
    await browser?.close()
    await site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Sends a form of the page. */
  const send = (button: string, fields: Readonly<Record<string, string>>) =>
    notes.run(
      'for (const [selector, typed] of Object.entries(args[0])) fill(selector, typed); one(args[1]).form.requestSubmit(one(args[1]))',
      fields,
      button,
    )
  const unlock = (secret: string) => send('#unlock-now', { '#unlock-secret': secret })
  const lockStart = (first: string, again = first) => send('#lock-start', { '#lock-new': first, '#lock-again': again })
  /** Only the question for the passphrase is there. */
  const isLocked = 'isSeen("#unlock") && !isSeen("#tools") && !isSeen("#query") && all("#hits .hit").length === 0'

  test('says what is wrong with a passphrase, and that the notes are open in another tab', async () => {
    await notes.write('Kettle', 'The first kettle leaks.')
    await notes.run('fill("#note-body", "The quetzalcoatlus whistles. #kitchen")')
    await notes.until('saved()')
    await notes.run('go("")')
    await notes.run('one("#lock-body details").open = true')
    await lockStart(passphrase, 'another one here')
    await notes.until('text("#lock-outcome") === "The two passphrases differ."')
    await lockStart('short')
    await notes.until('/^Take at least 12 letters/.test(text("#lock-outcome"))')
    const other = await browser.page(`${site.url}/`)
    await notesPage(other).ready()
    await lockStart(passphrase)
    await notes.until('/open in another tab.*Reload$/.test(text("#lock-outcome"))')
    await other.close()
    await page.reload()
    await notes.ready()
  })

  test('encrypts the notes, shows a recovery code once, then asks for the passphrase', async () => {
    await notes.run('one("#lock-body details").open = true')
    expect(await seriousViolations(page)).toEqual([])
    await lockStart(passphrase)
    await notes.until('isSeen("#recovery-code")')
    expect(await seriousViolations(page)).toEqual([])
    code = await notes.read<string>('text("#recovery-code")')
    expect(code).toMatch(/^(?:\w{5}-){6}\w{5}$/)
    await notes.run('one("#lock-done").click()')
    await notes.until(isLocked)
    expect(await seriousViolations(page)).toEqual([])
    await unlock('no jays at all')
    await notes.until('/^This does not open the notes/.test(text("#unlock-outcome"))')
    await unlock(passphrase)
    await notes.ready()
    expect(await notes.read('titles().includes("Kettle") && isSeen("#lock-now")')).toBe(true)
    // Earlier versions are encrypted with the notes.
    await notes.open('Kettle')
    await notes.until('isSeen("#versions-fold")')
    await notes.run('one("#versions-fold").open = true')
    await notes.until('one("#versions-list button")')
    await notes.run('one("#versions-list button").click()')
    await notes.until('/The first kettle leaks/.test(text("dialog [data-kind=new]"))')
    await notes.run('one("dialog").close(); go("")')
  })

  test('keeps nothing that is typed outside the store, and locks every tab at once', async () => {
    await notes.run('go("#new/")')
    await notes.until('isSeen("#editor") && text("#save-state") === "Nothing to save yet"')
    await notes.run('fill("#note-title", "Secret"); fill("#note-body", "An okapi hides.")')
    // Longer than a draft waits.
    const stored = await page.evaluate<string>(
      'new Promise((resolve) => setTimeout(() => resolve(JSON.stringify({ ...localStorage })), 300))',
    )
    expect(stored).not.toContain('okapi')
    await notes.until('saved()')
    await notes.run('go("")')
    const other = await browser.page(`${site.url}/`)
    const second = notesPage(other)
    await second.until(isLocked)
    await second.run('fill("#unlock-secret", args[0]); one("#unlock").requestSubmit()', code.toLowerCase())
    await second.ready()
    expect(await second.read('titles().includes("Secret")')).toBe(true)
    await notes.run('one("#lock-now").click()')
    await notes.until(isLocked)
    await second.until(isLocked)
    await other.close()
  })

  test('takes the lock away with the recovery code, not with a wrong passphrase', async () => {
    await unlock(passphrase)
    await notes.ready()
    await notes.run('one("#lock-body details").open = true')
    await send('#lock-remove', { '#lock-secret': 'no jays at all' })
    await notes.until('/^This does not open the notes. Nothing was changed.*Reload$/.test(text("#lock-outcome"))')
    await page.reload()
    await notes.until(isLocked)
    await unlock(passphrase)
    await notes.ready()
    await send('#lock-remove', { '#lock-secret': code })
    await notes.ready()
    await notes.until('isSeen("#lock-body summary") && text("#lock-body summary") === "Set up"')
    expect(await notes.read('titles().includes("Kettle") && titles().includes("Secret")')).toBe(true)
  })
})
