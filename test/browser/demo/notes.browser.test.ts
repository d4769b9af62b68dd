/**
 * Tests the notes app as a person uses it, built and served like `npm run notes`: its core in every browser; tabs, no
 * network, updates, files, keys and accessibility in Chromium, whose tools can test these.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildNotes, buildServiceWorker } from '../../../demo/notes/build.mjs'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type NotesPage, notesPage } from '../../support/pages/notes-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

let folder: string
let built: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-notes-'))
  built = join(folder, 'app')
  await buildNotes(built)
  site = await serve()
})

afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let page: Page
  let notes: NotesPage

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
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
    await notes.until('titles()[0] === "Quinces"')
    expect(await notes.read('all("#note-tags .tag").map((tag) => tag.textContent)')).toEqual(['kitchen', 'autumn'])
    await notes.run('one("[data-chip=kitchen]").click()')
    await notes.until('titles().join() === "Quinces,Sourdough, the short way"')
    await notes.run('one("[data-chip=kitchen]").click()')
    await notes.until('titles().length === 9')
  })

  test('finds half a word with its marks, and a meaning without the word; says when nothing answers', async () => {
    await notes.run('fill("#query", "simm")')
    await notes.until('titles()[0] === "Quinces" && text("#hits mark") === "simmer"')
    await notes.run('fill("#query", "how do I repair a tire")')
    await notes.until('titles()[0] === "Bicycle: slow puncture at the back"')
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
    await page.evaluate('1')
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })
})

describe.runIf(availableBrowsers().includes('chromium'))('in Chromium', () => {
  let browser: Browser
  let page: Page
  let notes: NotesPage

  beforeAll(async () => {
    // An origin without any stored data.
    await site.close()
    site = await serve()
    browser = await shareBrowser('chromium')
    page = await browser.page(`${site.url}/`)
    notes = notesPage(page)
    await notes.ready()
    await notes.until('text("#app-status") === "Works offline."')
  })

  afterAll(async () => {
    await browser?.close()
  })

  beforeEach(async () => {
    await notes.run('fill("#query", ""); go("")')
    await notes.until('isSeen("#home") && !isSeen("#editor") && /notes$/.test(text("#list-heading"))')
  })

  test('shows links both ways, creates the note of a link, and finds related notes', async () => {
    await notes.run('openNote("Tags and links")')
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
    await notes.run('openNote("Heating: what the technician said")')
    await notes.until('text("#related a") === "Bicycle: slow puncture at the back"')
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

  test('imports Markdown files with their title, tags and links, each file once', async () => {
    const garlic =
      '---\ntitle: Garlic\ntags: [garden, "allium family"]\n---\nPlant in October, see [[Beds]]. #garden <b>not bold</b>\n'
    const files = `new File([args[0]], 'garlic.md', { lastModified: 1e12 }), new File(['# Beds\\n\\nFour, each a stride wide.\\n'], 'b.md', { lastModified: 1e12 })`
    await notes.run(`pick(${files}, new File(['\\0'], 'zero.md'), new File(['x'], 'photo.jpg'))`, garlic)
    await notes.until('text(".import-summary") === "2 notes added, 1 refused, 1 other file skipped."')
    expect(await notes.read('text("#import-outcome li")')).toBe('zero.md: must be text.')
    await notes.run('fill("#query", "plant garl")')
    await notes.until('titles()[0] === "Garlic"')
    await notes.run('openNote("Garlic")')
    await notes.until('text("#linked a") === "Beds"')
    expect(await notes.read('one("#note-body").value')).toBe('Plant in October, see [[Beds]]. #garden <b>not bold</b>')
    await notes.until('all("#tags .chip").some((chip) => chip.dataset.chip === "allium-family")')
    expect(await notes.read('one("#note-rhythm").value')).toBe('never')

    await notes.run(`pick(${files})`, garlic)
    await notes.until('text(".import-summary") === "2 unchanged."')
    await notes.run('fill("#note-body", "Plant in November.")')
    await notes.until('saved()')
    await notes.run(`pick(${files})`, garlic)
    await notes.until('text(".import-summary") === "1 unchanged, 1 newer here and kept."')
    expect(await notes.read('one("#note-body").value')).toBe('Plant in November.')
  })

  test('imports a folder with its contents except hidden files, and exports it as it was', async () => {
    const vault = join(folder, 'vault')
    for (const [path, text] of [
      ['trips/lisbon.md', '# Lisbon\n\nThe tram up the hill.'],
      ['.trash/old.md', '# Old'],
      [
        'Daily/2026-11-20.md',
        '---\ncreated: 2026-11-20\n---\n\nSee [[lisbon|the tram]] and [[trips/lisbon#Hill]], ![[cat.png]].\n\n- [ ] pack\n- [x] book #trip/lisbon\n',
      ],
    ] as const) {
      await mkdir(join(vault, path, '..'), { recursive: true })
      await writeFile(join(vault, path), text)
    }
    const { root } = await page.devtools<{ root: { nodeId: number } }>('DOM.getDocument')
    const selector = '#import-folder'
    const { nodeId } = await page.devtools<{ nodeId: number }>('DOM.querySelector', { nodeId: root.nodeId, selector })
    await page.devtools('DOM.setFileInputFiles', { nodeId, files: [vault] })
    await notes.until('/^2 notes added/.test(text(".import-summary"))')
    await notes.until('titles().includes("Lisbon") && !titles().includes("Old")')

    // The links lead to the note by the name of its file, with other words shown.
    await notes.run('openNote("2026-11-20")')
    await notes.until('all("#linked a").map((link) => link.textContent).join() === "Lisbon,Lisbon"')
    await notes.run('one("#note-preview-toggle").click()')
    await notes.until('all("#note-preview [type=checkbox]").map((box) => box.checked).join() === "false,true"')
    expect(await notes.read('all("#note-preview .note-link").map((link) => link.textContent)')).toEqual([
      'the tram',
      'trips/lisbon#Hill',
    ])
    await notes.run('one("#note-preview [type=checkbox]").click()')
    await notes.until('saved() && one("#note-body").value.includes("- [x] pack")')

    const rest =
      'created: 2026-11-20\n---\n\nSee [[lisbon|the tram]] and [[trips/lisbon#Hill]], ![[cat.png]].\n\n- [x] pack\n- [x] book #trip/lisbon\n'
    const one = await download('#note-save-markdown', /^2026-11-20\.md$/)
    expect(Buffer.from(one, 'base64').toString()).toBe(`---\n${rest}`)
    const zip = unzipSync(Buffer.from(await download('#export-markdown', /^notes-[\d-]{10}\.zip$/), 'base64'))
    expect(Buffer.from(zip['vault/Daily/2026-11-20.md'] ?? []).toString()).toBe(
      `---\nid: file:vault/Daily/2026-11-20.md\n${rest}`,
    )
  })

  test('[X1] exports everything as one file, and every note as Markdown, which brings a deleted note back', async () => {
    await notes.write('Spare key', 'Behind the clock. #home')
    const size = await notes.read<number>('Number(text("#list-heading").split(" ")[0])')
    await notes.run('go("")')
    const whole = await download('#export-all', /^notes-[\d-]{10}\.scrubjay$/)
    const zip = await download('#export-markdown', /^notes-[\d-]{10}\.zip$/)
    const files = unzipSync(Buffer.from(zip, 'base64'))
    expect(Object.keys(files)).toHaveLength(size)
    expect(Buffer.from(files['Spare key.md'] ?? []).toString()).toMatch(
      /^---\nid: \S+\n---\n\n# Spare key\n\nBehind the clock\. #home\n$/,
    )

    await forget('Spare key')
    await notes.run(
      `const bytes = Uint8Array.from(atob(args[0]), (one) => one.charCodeAt(0)); pick(new File([bytes], 'copy.scrubjay'))`,
      whole,
    )
    const leftOut = '1 note deleted on this device left out. To have it back, import its Markdown file.'
    await notes.until(`text(".import-summary") === "${size} notes read: 0 new, 0 updated. ${leftOut}"`)
    const takeMarkdown = async () =>
      await notes.run(
        `pick(new File([args[0]], 'Spare key.md', { lastModified: Date.now() + 60_000 }))`,
        Buffer.from(files['Spare key.md'] ?? []).toString(),
      )
    await takeMarkdown()
    await notes.until('text(".import-summary") === "1 note added."')
    await notes.until('titles().includes("Spare key")')
    // The same note from the zip is the same note.
    await takeMarkdown()
    await notes.until('text(".import-summary") === "1 unchanged."')
    await notes.run('pick(new File(["nonsense"], "broken.scrubjay"))')
    await notes.until('/^Not imported: .*INVALID_ARGUMENT/.test(text(".import-summary"))')
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

  test('[W3] deletes for good by two different presses, and shows the proof on request', async () => {
    await notes.write('Secret', 'The vault opens with zanzibar.')
    await forget('Secret')
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
    await press('Tab')
    expect(await notes.read('document.activeElement.dataset.toast')).toBe('undo')
    await press('Enter')
    await notes.until('one("#note-title").value === "Keepsake" && isSeen("#editor") && !one(".toast")')
    expect(await notes.read('one("#note-body").value')).toBe('A shell from Sylt.')
    await notes.until('titles().includes("Keepsake")')
  })

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

  test('shows in a second tab at once what is written, changed and deleted in the first', async () => {
    const second = await browser.page(`${site.url}/`)
    const other = notesPage(second)
    await other.ready()
    await other.run('fill("#query", "lighthouse")')
    await other.until('text("#verdict") === "Nothing here answers this."')
    await notes.write('Coast walk', 'From the lighthouse to the harbour, three hours.')
    await other.until('titles()[0] === "Coast walk"')
    await other.run('openNote("Coast walk")')
    await other.until('/three hours/.test(one("#note-body").value)')
    await notes.run('fill("#note-body", "From the lighthouse to the harbour, four hours.")')
    await other.until('/four hours/.test(one("#note-body").value)')
    // And the other way round: whichever tab holds the store.
    await other.run('fill("#note-title", "Coast path")')
    await notes.until('one("#note-title").value === "Coast path"')
    await forget('Coast path')
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

  test('works with the network off: opens, finds, reads, writes', async () => {
    await notes.until('navigator.serviceWorker.controller !== null')
    const port = Number(new URL(site.url).port)
    await site.close()
    try {
      await page.reload()
      await notes.ready()
      await notes.run('fill("#query", "how do I repair a tire")')
      await notes.until('titles()[0] === "Bicycle: slow puncture at the back"')
      await notes.run('openNote("Bicycle: slow puncture at the back")')
      await notes.until('isSeen("#editor") && /valve/.test(one("#note-body").value)')
      await notes.run('one("#note-preview-toggle").click()')
      await notes.until('/valve/.test(text("#note-preview"))')
      await notes.write('On the train', 'No network here.')
      await page.reload()
      await notes.until('one("#note-body").value === "No network here."')
    } finally {
      site = await serve(port)
    }
  })

  test('offers a newer version, and loads it only on request', async () => {
    await notes.write('Before the update', 'Still here after it.')
    const path = join(built, 'index.html')
    const html = await readFile(path, 'utf8')
    await writeFile(path, html.replace('<title>Scrubjay Notes<', '<title>Scrubjay Notes, newer<'))
    await buildServiceWorker(built)
    await notes.run('const there = await navigator.serviceWorker.getRegistration(); await there.update()')
    await notes.until('one("#use-new-version")')
    await page.reload()
    await notes.ready()
    expect(await notes.read('document.title')).toBe('Scrubjay Notes')
    await notes.until('one("#use-new-version")')
    await notes.run('one("#use-new-version").click()')
    await notes.until('document.title === "Scrubjay Notes, newer"')
    await notes.ready()
    expect(await notes.read('titles()')).toContain('Before the update')
    // Nothing of the earlier build remains.
    const kept = await notes.read<string[]>('caches.keys()')
    expect(kept.filter((name) => name.startsWith('scrubjay-notes-'))).toHaveLength(1)
  })

  test('can be installed', async () => {
    const { errors } = await page.devtools<{ errors: readonly unknown[] }>('Page.getAppManifest')
    expect(errors).toEqual([])
    const { installabilityErrors } = await page.devtools<{ installabilityErrors: readonly unknown[] }>(
      'Page.getInstallabilityErrors',
    )
    expect(installabilityErrors).toEqual([])
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

  test('can be used by keyboard alone', async () => {
    await notes.run('document.activeElement.blur()')
    await type('/')
    await notes.until('document.activeElement.id === "query"')
    await type('sourdough')
    await notes.until('titles()[0] === "Sourdough, the short way"')
    await press('ArrowDown')
    expect(await notes.read('document.activeElement.textContent')).toBe('Sourdough, the short way')
    await press('k', 'KeyK', 2)
    await notes.until('document.activeElement.id === "query"')
    // Enter in the box opens the first note.
    await press('Enter')
    await notes.until('document.activeElement.id === "editor"')
    await tabTo('note-title')
    await press('Enter')
    await notes.until('document.activeElement.id === "note-body"')
    await type('! [[bic')
    await notes.until('text("#completions [aria-selected=true]") === "Bicycle: slow puncture at the back"')
    await press('Enter')
    await notes.until(
      'one("#completions").hidden && one("#note-body").value.includes("! [[Bicycle: slow puncture at the back]]")',
    )
    await press('s', 'KeyS', 2)
    await notes.until('saved() && all("#linked a").some((link) => /^Bicycle/.test(link.textContent))')
    await tabTo('note-rhythm')
    await press('ArrowDown')
    await notes.until('one("#note-rhythm").value === "week" && saved()')
    await notes.run('document.activeElement.blur()')
    await press('Escape')
    await notes.until('document.activeElement.id === "query" && one("#query").value === ""')
  })

  test.each([
    [320, false],
    [320, true],
    [1280, false],
    [1280, true],
  ])('has no serious barrier at %i pixels, dark: %s, and fits', async (width, dark) => {
    const picture = (name: string) => join(folder, `${name}-${width}-${dark}.png`)
    const look = async (name: string) => {
      await page.screenshot(picture(name), { width, height: 800, dark })
      expect(await seriousViolations(page), name).toEqual([])
      const [inner = 0, content] = await notes.read<number[]>('[innerWidth, document.documentElement.scrollWidth]')
      expect(content, name).toBeLessThanOrEqual(inner)
    }
    await look('home')
    // A button whose text is broken is higher.
    expect(await notes.read('one("#today").offsetHeight')).toBeLessThan(44)
    await notes.run('fill("#query", "bicycle repair")')
    await notes.until('one(".row-why")')
    await notes.run('one(".row-why").open = true')
    await look('search')
    await notes.run('fill("#query", "qwertzuiop")')
    await notes.until('one("#verdict strong")')
    await look('no answer')
    await notes.run('fill("#query", ""); openNote("Tags and links")')
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
    await page.evaluate('1')
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  async function forget(title: string): Promise<void> {
    await notes.run('openNote(args[0])', title)
    await notes.until(`one("#note-title").value === ${JSON.stringify(title)} && one("#note-delete .danger")`)
    await notes.run('one("#note-delete .danger").click()')
    await notes.until('canDeleteNow()')
    expect(await notes.read('all(".proof").length')).toBe(0)
    await notes.run('toast("now").click()')
    await notes.until('one(".proof")')
    expect(await notes.read('text(".proof strong")')).toBe('Deleted. Nothing of it is left on this device.')
  }

  /** The file that a button saves, in base64. */
  async function download(button: string, name: RegExp): Promise<string> {
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
  async function press(key: string, code = key, modifiers = 0): Promise<void> {
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

  async function type(text: string): Promise<void> {
    for (const key of text) {
      await page.devtools('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key })
      await page.devtools('Input.dispatchKeyEvent', { type: 'keyUp', key })
    }
  }

  async function tabTo(id: string): Promise<void> {
    for (let presses = 0; presses < 20; presses++) {
      if ((await notes.read('document.activeElement.id')) === id) return
      await press('Tab')
    }
    throw new Error(`Tab never came to ${id}.`)
  }
})

function serve(port = 0): ReturnType<typeof serveFolder> {
  return serveFolder(built, { port, headers: { 'Content-Security-Policy': headerPolicy } })
}
