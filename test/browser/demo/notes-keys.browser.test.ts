/** Tests in Chromium that the notes app can be used by keyboard alone, and has no barrier in any width and scheme. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Page } from '../../support/browsers/browsers.ts'
import type { NotesPage } from '../../support/pages/notes-tools.ts'
import { complaintsOf, goHome, type NotesApp, openNotes, press, tabTo, type } from './notes-page.ts'

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

  test('N begins a note, and the tags are one tab stop with arrow keys', async () => {
    await notes.run('go(""); document.activeElement.blur()')
    await notes.until('isSeen("#home") && all("#tags .chip").length > 1')
    expect(
      await notes.read('all("#tags .chip").map((chip) => chip.tabIndex).filter((stop) => stop === 0).length'),
    ).toBe(1)
    await notes.run(
      'one("#tags .chip").focus(); one("#tags .chip").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }))',
    )
    expect(await notes.read('all("#tags .chip").indexOf(document.activeElement)')).toBe(1)
    await notes.run(
      'document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true, cancelable: true }))',
    )
    await notes.until('isSeen("#editor") && text("#save-state") === "Nothing to save yet"')
  })

  test('Enter before the answer opens the first note of the answer, not the newest note', async () => {
    await notes.run('go("")')
    await notes.until('isSeen("#home")')
    await notes.run(`
      one("#query").focus()
      fill("#query", "slow puncture")
      one("#query").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))
      one("#query").form.requestSubmit()`)
    await notes.until('one("#note-title").value === "Bicycle: slow puncture at the back"')
    await notes.run('go(""); fill("#query", "")')
  })

  test('reasons come with the completed question, and a long list keeps its rows while letters come', async () => {
    await notes.run('go("")')
    await notes.until('isSeen("#home")')
    await notes.run('one("#query").focus()')
    await type(page, 'sourdou')
    await notes.until('titles()[0] === "Sourdough, the short way"')
    await notes.run('globalThis.row = one("#hits .row")')
    await type(page, 'gh')
    await notes.until('one("#hits .row-why") && titles()[0] === "Sourdough, the short way"')
    expect(await notes.read('one("#hits .row") === globalThis.row')).toBe(true)
    await notes.run('fill("#query", "")')
    await notes.until('/ notes$/.test(text("#list-heading"))')
    expect(await notes.read('all("#hits .row-why").length')).toBe(0)
  })

  test('the sentence that answers comes with the completed question, leaves at the next key, and moves no row', async () => {
    await notes.run('go("")')
    await notes.until('isSeen("#home")')
    await notes.run('one("#query").focus()')
    await type(page, 'heating pressure')
    await notes.until('titles().length > 0')
    const top = await notes.read('one("#hits").offsetTop')
    await notes.until('/^Pressure should be/.test(text("#verdict .answer-text")) && isSeen("#verdict a")')
    expect(await notes.read('one("#hits").offsetTop')).toBe(top)
    await notes.run('fill("#query", "heating pressure wibblewobble"); globalThis.seen = text("#verdict")')
    expect(await notes.read('globalThis.seen')).toBe('')
    await notes.run('fill("#query", "")')
    await notes.until('!isSeen("#verdict")')
  })

  test('P pins the note with the focus, which comes first; the order of the others is kept', async () => {
    await notes.run('go(""); fill("#query", "")')
    await notes.until('/ notes$/.test(text("#list-heading")) && titles()[0] === "Welcome"')
    const dayOf = 'all("#hits .row").find((row) => /^Sour/.test(row.textContent)).querySelector("time").dateTime'
    const before = await notes.read(dayOf)
    await notes.run('all("#hits .hit").find((link) => /^Sour/.test(link.textContent)).focus()')
    await type(page, 'p')
    await notes.until('titles()[0] === "Sourdough, the short way" && one("#hits .pinned .tag")')
    expect(await notes.read('document.activeElement.textContent')).toBe('Sourdough, the short way')
    expect(await notes.read(dayOf), 'a pin makes no note newer').toBe(before)
    await notes.run('one("#sort").value = "title"; one("#sort").dispatchEvent(new Event("change"))')
    await notes.until('titles()[1] === "Bicycle: slow puncture at the back"')
    await page.reload()
    await notes.ready()
    expect(await notes.read('titles().slice(0, 2).join()')).toBe(
      'Sourdough, the short way,Bicycle: slow puncture at the back',
    )
    await notes.open('Sourdough, the short way')
    await notes.until('document.activeElement.id === "editor"')
    expect(await notes.read('one("#note-pin").getAttribute("aria-pressed")')).toBe('true')
    await notes.run('one("#note-pin").click()')
    await notes.until('one("#note-pin").getAttribute("aria-pressed") === "false" && !one("#hits .pinned")')
    await notes.run('one("#sort").value = "changed"; one("#sort").dispatchEvent(new Event("change")); go("")')
    await notes.until('titles()[0] === "Welcome"')
  })

  test('Ctrl+K finds notes as the search does, and runs commands', async () => {
    await press(page, 'k', 'KeyK', 2)
    await notes.until('document.activeElement.id === "palette-query" && all("#palette-list li").length > 12')
    expect(await seriousViolations(page)).toEqual([])
    // Enter at once: the note opens when the answer comes.
    await type(page, 'slow punctre')
    await press(page, 'Enter')
    await notes.until('one("#note-title").value === "Bicycle: slow puncture at the back" && !one("dialog[open]")')
    await press(page, 'k', 'KeyK', 2)
    await notes.until('document.activeElement.id === "palette-query"')
    await type(page, 'sort title')
    await notes.until('text("#palette-list [aria-selected=true] > span") === "Sort by title"')
    await press(page, 'Enter')
    await notes.until('one("#sort").value === "title" && !one("dialog[open]")')
    await press(page, 'k', 'KeyK', 2)
    await notes.until('document.activeElement.id === "palette-query"')
    await type(page, 'new note about jays')
    await notes.until('/^Create/.test(text("#palette-list li:last-child"))')
    await press(page, 'ArrowUp')
    await press(page, 'Enter')
    await notes.until('one("#note-title").value === "new note about jays" && document.activeElement.id === "note-body"')
    await press(page, 'k', 'KeyK', 2)
    await notes.until('one("dialog[open]")')
    await press(page, 'Escape')
    await notes.until('!one("dialog[open]") && document.activeElement.id === "note-body"')
    await notes.run('one("#sort").value = "changed"; one("#sort").dispatchEvent(new Event("change")); go("")')
  })

  test('can be used by keyboard alone', async () => {
    await notes.run('document.activeElement.blur()')
    await type(page, '/')
    await notes.until('document.activeElement.id === "query"')
    await type(page, 'sourdough')
    await notes.until('titles()[0] === "Sourdough, the short way"')
    await press(page, 'ArrowDown')
    expect(await notes.read('document.activeElement.textContent')).toBe('Sourdough, the short way')
    await type(page, '/')
    await notes.until('document.activeElement.id === "query"')
    // Enter in the box opens the first note.
    await press(page, 'Enter')
    await notes.until('document.activeElement.id === "editor"')
    await tabTo(page, 'note-title')
    await press(page, 'Enter')
    await notes.until('document.activeElement.id === "note-body"')
    await type(page, '! [[bic')
    await notes.until('text("#completions [aria-selected=true]") === "Bicycle: slow puncture at the back"')
    await press(page, 'Enter')
    await notes.until(
      'one("#completions").hidden && one("#note-body").value.includes("! [[Bicycle: slow puncture at the back]]")',
    )
    await press(page, 's', 'KeyS', 2)
    await notes.until('saved() && all("#linked a").some((link) => /^Bicycle/.test(link.textContent))')
    await tabTo(page, 'note-rhythm')
    await press(page, 'ArrowDown')
    await notes.until('one("#note-rhythm").value === "week" && saved()')
    await notes.run('document.activeElement.blur()')
    await press(page, 'Escape')
    await notes.until('document.activeElement.id === "query" && one("#query").value === ""')
  })

  test.each([
    [320, false],
    [320, true],
    [1280, false],
    [1280, true],
  ])('has no serious barrier at %i pixels, dark: %s, and fits', async (width, dark) => {
    const picture = (name: string) => join(app.folder, `${name}-${width}-${dark}.png`)
    const look = async (name: string) => {
      await page.screenshot(picture(name), { width, height: 800, dark })
      expect(await seriousViolations(page), name).toEqual([])
      const [inner = 0, content] = await notes.read<number[]>('[innerWidth, document.documentElement.scrollWidth]')
      expect(content, name).toBeLessThanOrEqual(inner)
    }
    await look('home')
    if (width === 1280)
      expect(
        await notes.read('one("#hits").offsetTop + 14 * (one("#hits .row").offsetHeight + 1)'),
      ).toBeLessThanOrEqual(800)
    // A button whose text is broken is higher.
    expect(await notes.read('one("#today").offsetHeight')).toBeLessThan(44)
    await notes.run('fill("#query", "bicycle repair")')
    await notes.until('one(".row-why")')
    await notes.run('one(".row-why").open = true')
    await look('search')
    await notes.run('fill("#query", "qwertzuiop")')
    await notes.until('one("#verdict strong")')
    await look('no answer')
    await notes.run('fill("#query", "")')
    await notes.open('Tags and links')
    await notes.until('document.activeElement.id === "editor" && one("#linked a") && one("#related a")')
    await notes.run(
      'one("#note-body").focus(); one("#note-body").setSelectionRange(0, 0); document.execCommand("insertText", false, "[[")',
    )
    await notes.until('!one("#completions").hidden')
    await look('note')
    await notes.run('document.execCommand("undo"); document.execCommand("undo"); one("#note-preview-toggle").click()')
    await notes.until('one("#note-preview a")')
    await look('preview')
    // The next run must open the note again, without its preview.
    await notes.run('go("")')
    await notes.until('isSeen("#home")')
  })

  test('reported no error except the planted one', async () => {
    expect(await complaintsOf(page)).toEqual([])
  })
})
