/** Tests the core of the notes app in every browser, as a person uses it: writing, finding, a reload. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type NotesPage, notesPage } from '../../support/pages/notes-tools.ts'
import { type BuiltNotes, buildAndServe, complaintsOf, stopServing } from './notes-page.ts'

let app: BuiltNotes

beforeAll(async () => {
  app = await buildAndServe()
})

afterAll(async () => {
  if (app !== undefined) await stopServing(app)
})

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let page: Page
  let notes: NotesPage

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${app.site.url}/`)
    notes = notesPage(page)
    await notes.ready()
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('explains itself in its first notes, two of which come back today', async () => {
    expect(await notes.read('titles()[0]')).toBe('Welcome')
    await notes.until('due().length === 2')
    expect(await notes.read<string[]>('due()')).toEqual(
      expect.arrayContaining(['What comes back', 'Bicycle: slow puncture at the back']),
    )
    expect(await notes.read('text("#store-brief")')).toBe('8 notes · kept in this browser')
  })

  test('writes a note, says that it is saved, lists it first, and tags it by its text', async () => {
    await notes.write('Quinces', 'Peel, quarter, simmer for hours with a lemon. #kitchen #autumn')
    expect(await notes.read('text("#save-state")')).toBe('Saved')
    expect(await notes.read('location.hash')).toMatch(/^#note\//)
    // A note comes back only if the user asks for it.
    expect(await notes.read('one("#note-rhythm").value')).toBe('never')
    await notes.until('titles()[0] === "Quinces"')
    expect(await notes.read('all("#note-tags .tag").map((tag) => tag.textContent)')).toEqual(['kitchen', 'autumn'])
    await notes.run('one("[data-chip=kitchen]").click()')
    await notes.until('titles().join() === "Quinces,Sourdough, the short way"')
    await notes.run('one("[data-chip=kitchen]").click()')
    await notes.until('titles().length === 9')
  })

  test('finds half a word with its marks, and a meaning without the word; shows the sentence that answers, and says when nothing does', async () => {
    await notes.run('fill("#query", "simm")')
    await notes.until('titles()[0] === "Quinces" && text("#hits mark") === "simmer"')
    await notes.run('fill("#query", "how do I repair a tire")')
    await notes.until('titles()[0] === "Bicycle: slow puncture at the back"')
    await notes.run('fill("#query", "what pressure should the heating have")')
    await notes.until('text("#verdict .answer-text") === "Pressure should be between 1.2 and 1.8 bar when cold."')
    expect(await notes.read('text("#verdict a")')).toBe('Heating: what the technician said')
    await notes.run('fill("#query", "qwertzuiop wibblewobble")')
    await notes.until('text("#verdict") === "Nothing here answers this."')
    expect(await notes.read('titles()')).toEqual([])
    await notes.run('one("#more button").click()')
    await notes.until('titles().length > 0')
    // Completing the question asks it again, and leaves the list open.
    await notes.run('one("#query").form.requestSubmit()')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await notes.read('titles().length')).toBeGreaterThan(0)
    await notes.run('fill("#query", "")')
    await notes.until('text("#list-heading") === "9 notes"')
  })

  test('keeps a note over a reload, at its own address', async () => {
    await page.reload()
    await notes.ready()
    await notes.until('one("#note-body").value.startsWith("Peel, quarter") && isSeen("#editor")')
    expect(await notes.read('titles()[0]')).toBe('Quinces')
  })

  test('[P1] keeps text typed in the moment of leaving', async () => {
    await notes.run('fill("#note-body", one("#note-body").value + " Sieve.")')
    await page.reload()
    await notes.until('/Sieve\\.$/.test(one("#note-body").value) && saved()')
    await notes.ready()
    await notes.run('fill("#query", "sieve")')
    await notes.until('titles()[0] === "Quinces" && text("#hits mark") === "Sieve"')
  })

  test('reported no error', async () => {
    expect(await complaintsOf(page)).toEqual([])
  })
})
