/** Tests in Chromium how the notes app links, reads, surfaces and stores what a person writes, also in a second tab. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Page } from '../../support/browsers/browsers.ts'
import { type NotesPage, notesPage } from '../../support/pages/notes-tools.ts'
import { forget, goHome, type NotesApp, openNotes } from './notes-page.ts'

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

  test('shows links both ways, creates the note of a link, and finds related notes', async () => {
    await notes.open('Tags and links')
    await notes.until('all("#linked a").length === 3')
    expect(await notes.read('all("#linked h3, #linked a").map((one) => one.textContent)')).toEqual([
      'Links to',
      'Sourdough, the short way',
      'Things to lend out',
      'Linked from',
      'Welcome',
    ])
    await notes.until('all("#related a").some((link) => link.textContent === "Welcome")')
    expect(await notes.read('all("#related a").map((link) => link.textContent)')).not.toContain('Tags and links')
    await notes.run('one("#linked .to-write").click()')
    await notes.until('one("#note-title").value === "Things to lend out"')
    // Following a link stores nothing; text does.
    expect(await notes.read('text("#save-state")')).toBe('Nothing to save yet')
    await notes.run('fill("#note-body", "A tent and a drill.")')
    await notes.until('saved()')
    await notes.until('all("#linked h3").map((one) => one.textContent).join() === "Linked from"')
    await notes.open('Heating: what the technician said')
    await notes.until('text("#related a") === "Bicycle: slow puncture at the back"')
  })

  test('shows an earlier version and what differs, puts it back, and undoes that', async () => {
    await notes.open('Heating: what the technician said')
    await notes.until('one("#note-body").value.startsWith("Pressure") && isSeen("#versions-fold")')
    const before = await notes.read<string>('one("#note-body").value')
    await notes.run('fill("#note-body", "All lost.")')
    await notes.until('saved()')
    await notes.run('one("#versions-fold").open = true')
    await notes.until('one("#versions-list button")')
    await notes.run('one("#versions-list button").click()')
    await notes.until('text("dialog [data-kind=old]") === "−goes: All lost."')
    expect(await seriousViolations(page)).toEqual([])
    await notes.run('one("#version-back").click()')
    await notes.until('saved() && isSeen("#version-undo")')
    expect(await notes.read('one("#note-body").value')).toBe(before)
    const undoneAt = await notes.read<number>('Date.now()')
    await notes.run('one("#version-undo").click()')
    await notes.until('one("#note-body").value === "All lost." && !one("#version-undo") && saved()')
    // The version that was put back is the first of the list once the undo is stored.
    await notes.until(`Number(one("#versions-list button").dataset.until) >= ${undoneAt}`)
    await notes.run('one("#versions-list button").click()')
    await notes.until('one("dialog")')
    await notes.run('one("#version-back").click()')
    await notes.until(`one("#note-body").value === ${JSON.stringify(before)} && saved()`)
  })

  test('says that a pasted picture is not stored, and pastes text that was copied with one', async () => {
    const paste = (text: string) => `{
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(9)], 'plan.png', { type: 'image/png' }))
      if (${JSON.stringify(text)} !== '') data.setData('text/plain', ${JSON.stringify(text)})
      window.wasRefused = !one('#note-body').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }`
    await notes.open('Welcome')
    await notes.until('one("#note-body").value !== ""')
    await notes.run(paste('three | cells'))
    expect(await notes.read('[window.wasRefused, all("#notices .notice").length]')).toEqual([false, 0])
    // The second replaces the notice of the first.
    for (let i = 0; i < 2; i++) await notes.run(paste(''))
    expect(await notes.read('[window.wasRefused, all("#notices .notice p").map((one) => one.textContent)]')).toEqual([
      true,
      ['Notes cannot keep pictures or other files yet, so nothing was pasted. Paste a link to the file instead.'],
    ])
    await notes.run('one("#notices .notice button").click()')
    expect(await notes.read('all("#notices .notice").length')).toBe(0)
  })

  test('has a note for each day', async () => {
    await notes.run('one("#today").click()')
    await notes.until('/^\\d{4}-\\d\\d-\\d\\d$/.test(one("#note-title").value)')
    const title = await notes.read<string>('one("#note-title").value')
    await notes.run('fill("#note-body", "Rain.")')
    await notes.until('saved()')
    await notes.run('go(""); one("#today").click()')
    await notes.until('one("#note-body").value === "Rain." && isSeen("#editor")')
    expect(await notes.read('titles()')).toContain(title)
  })

  test('[A1] reads Markdown, runs none of it, and fetches nothing', async () => {
    const body = [
      '# Heading',
      '<img src=x onerror="window.hit = 1"><script>window.hit = 1</script>',
      '[press](javascript:window.hit=1) ![a picture](https://example.com/x.png) [[Welcome]] [[<b>x</b>]]',
      '| a | b |\n|:-:|--:|\n| 1 | 2 |',
    ].join('\n\n')
    await notes.write('Hostile', body)
    await notes.run('one("#note-preview-toggle").click()')
    await notes.until('text("#note-preview h3") === "Heading"')
    expect(await notes.read('all("#note-preview :is(img, script, b)").length')).toBe(0)
    expect(await notes.read('text("#note-preview")')).toContain('<img src=x onerror="window.hit = 1">')
    expect(await notes.read('all("#note-preview a").map((link) => link.getAttribute("href"))')).toEqual([
      'https://example.com/x.png',
      '#note/first%3Awelcome',
      '#new/%3Cb%3Ex%3C%2Fb%3E',
    ])
    expect(await notes.read('window.hit ?? 0')).toBe(0)
    await notes.run('all("#note-preview .note-link")[0].click()')
    await notes.until('one("#note-title").value === "Welcome" && isSeen("#note-body")')
  })

  test('learns from the feedback on a surfaced note, and does not surface it again afterwards', async () => {
    await notes.until('due().length === 2')
    const title = await notes.read<string>('due()[0]')
    await notes.run('one("#surfaced [data-outcome=dismissed]").click()')
    await notes.until('/^comes back less strongly \\(0\\.75 → 0\\.60\\)$/.test(text("#surfaced .learned"))')
    await page.reload()
    await notes.ready()
    await notes.until('due().length === 1')
    expect(await notes.read('due()')).not.toContain(title)
  })

  test('reports no error when a note is left while its related notes are searched', async () => {
    await notes.write('Left early', 'A shell and a stone.')
    await notes.run('go("")')
    await notes.until('isSeen("#home") && titles().includes("Left early")')
    await notes.run(`
      const left = new Promise((done) => addEventListener("hashchange", () => location.hash === "" && done()))
      new MutationObserver((_, observer) => {
        if (one("#connections").hidden) return
        observer.disconnect()
        go("")
      }).observe(one("#connections"), { attributes: true })
      openNote("Left early")
      await left`)
    await notes.until('isSeen("#home")')
    expect(await notes.read('all(".notice").map((notice) => notice.textContent)')).toEqual([])
  })

  test('shows in a second tab at once what is written, changed and deleted in the first', async () => {
    const second = await app.browser.page(`${app.site.url}/`)
    const other = notesPage(second)
    await other.ready()
    await other.run('fill("#query", "lighthouse")')
    await other.until('text("#verdict") === "Nothing here answers this."')
    await notes.write('Coast walk', 'From the lighthouse to the harbour, three hours.')
    await other.until('titles()[0] === "Coast walk"')
    await other.open('Coast walk')
    await other.until('/three hours/.test(one("#note-body").value)')
    await notes.run('fill("#note-body", "From the lighthouse to the harbour, four hours.")')
    await other.until('/four hours/.test(one("#note-body").value)')
    // And the other way round: whichever tab holds the store.
    await other.run('fill("#note-title", "Coast path")')
    await notes.until('one("#note-title").value === "Coast path"')
    await forget(notes, 'Coast path')
    await other.until('document.body.dataset.at === "home" && !isSeen("#editor")')
    expect(second.console.filter(({ level }) => level === 'error')).toEqual([])
    await second.close()
  })

  test('says when a note cannot be stored and why, keeps it as a draft, and stores it once it can', async () => {
    await notes.write('Long', 'Short yet.')
    await notes.run('fill("#note-body", "x".repeat(1_100_000))')
    await notes.until('one("#save-state").dataset.state === "failed"')
    expect(await notes.read('text("#save-state")')).toMatch(
      /^Not saved: `body` must be at most .*INVALID_RECORD\) A draft is kept\./,
    )
    await notes.run('one("#save-state button").click()')
    await notes.until('one("#save-state").dataset.state === "failed"')
    expect(await notes.read('Object.keys(localStorage).filter((key) => key.includes("draft")).length')).toBe(1)
    await notes.run('fill("#note-body", "Short again.")')
    await notes.until('saved()')
    expect(await notes.read('Object.keys(localStorage).filter((key) => key.includes("draft")).length')).toBe(0)
  })
})
