/** Tests in Chromium how the notes app deletes for good, with a proof, and how a person takes a deletion back. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { availableBrowsers, type Page } from '../../support/browsers/browsers.ts'
import { type NotesPage, notesPage } from '../../support/pages/notes-tools.ts'
import { forget, goHome, type NotesApp, openNotes, press } from './notes-page.ts'

describe.runIf(availableBrowsers().includes('chromium'))('in Chromium', () => {
  let app: NotesApp
  let page: Page
  let notes: NotesPage

  beforeAll(async () => {
    app = await openNotes()
    ;({ page, notes } = app)
  })

  afterAll(() => app?.close())

  beforeEach(() => goHome(notes))

  test('[W3] deletes for good by two different presses, and shows the proof on request', async () => {
    await notes.write('Secret', 'The vault opens with zanzibar.')
    await forget(notes, 'Secret')
    expect(await notes.read('[one(".proof details").open, text(".proof summary")]')).toEqual([false, 'Show the proof'])
    expect(await notes.read('all(".proof dd").map((count) => count.textContent)')).toEqual(Array(6).fill('0'))
    await notes.run('one("[data-toast=close]").click()')
    await notes.run('fill("#query", "zanzibar")')
    await notes.until('text("#verdict") === "Nothing here answers this." || !titles().includes("Secret")')
  })

  test('[W3] a double-click deletes nothing for good: the note comes back, with what was typed last', async () => {
    await notes.write('Keepsake', 'A shell.')
    await notes.run(
      'fill("#note-body", "A shell from Sylt."); const button = one("#note-delete .danger"); button.click(); button.click()',
    )
    await notes.until('isSeen("#home") && text(".toast p") === "Note deleted." && !titles().includes("Keepsake")')
    expect(await notes.read('document.activeElement.className')).toBe('toast')
    await press(page, 'Tab')
    expect(await notes.read('document.activeElement.dataset.toast')).toBe('undo')
    await press(page, 'Enter')
    await notes.until('one("#note-title").value === "Keepsake" && isSeen("#editor") && !one(".toast")')
    expect(await notes.read('one("#note-body").value')).toBe('A shell from Sylt.')
    await notes.until('titles().includes("Keepsake")')
  })

  test('[W3] the only hit of a typed question goes when it is deleted, in this tab and in another one', async () => {
    const second = await app.browser.page(`${app.site.url}/`)
    const other = notesPage(second)
    await other.ready()
    await notes.write('Gift', 'A zibeline for Ana, hidden in the cellar.')
    for (const tab of [notes, other]) {
      await tab.run('go("")')
      for (const typed of ['z', 'zib', 'zibel', 'zibeline']) {
        await tab.run('fill("#query", args[0])', typed)
        await tab.until('!titles().length || titles()[0] === "Gift"')
      }
      await tab.until('titles()[0] === "Gift"')
    }
    await notes.open('Gift')
    await notes.until('isSeen("#editor") && one("#note-delete .danger")')
    await notes.run('one("#note-delete .danger").click()')
    for (const tab of [notes, other]) await tab.until('!titles().includes("Gift")')
    await notes.until('canDeleteNow()')
    await notes.run('toast("now").click()')
    await notes.until('text(".proof strong") === "Deleted. Nothing of it is left on this device."')
    for (const tab of [notes, other]) expect(await tab.read('titles().includes("Gift")')).toBe(false)
    await notes.run('one("[data-toast=close]").click()')
    await second.close()
  })
})
