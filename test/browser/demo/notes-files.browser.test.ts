/** Tests in Chromium what the notes app imports from files and folders, and what it exports. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { availableBrowsers, type Page } from '../../support/browsers/browsers.ts'
import type { NotesPage } from '../../support/pages/notes-tools.ts'
import { download, forget, goHome, type NotesApp, openNotes } from './notes-page.ts'

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

  test('imports Markdown files with their title, tags and links, each file once', async () => {
    const garlic =
      '---\ntitle: Garlic\ntags: [garden, "allium family"]\n---\nPlant in October, see [[Beds]]. #garden <b>not bold</b>\n'
    const files = `new File([args[0]], 'garlic.md', { lastModified: 1e12 }), new File(['# Beds\\n\\nFour, each a stride wide.\\n'], 'b.md', { lastModified: 1e12 })`
    await notes.run(`pick(${files}, new File(['\\0'], 'zero.md'), new File(['x'], 'photo.jpg'))`, garlic)
    await notes.until('text(".import-summary") === "2 notes added, 1 refused, 1 other file skipped."')
    expect(await notes.read('text("#import-outcome li")')).toBe('zero.md: must be text.')
    await notes.run('fill("#query", "plant garl")')
    await notes.until('titles()[0] === "Garlic"')
    await notes.open('Garlic')
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

  test('imports the chats of an export as one note each after a preview, and keeps what was edited since', async () => {
    const message = (id: string, parent: string | null, role: string, text: string, time = 1.7e9) => ({
      [id]: {
        id,
        parent,
        children: [],
        message: { id, author: { role }, create_time: time, content: { content_type: 'text', parts: [text] } },
      },
    })
    const mapping = {
      ...message('a', null, 'user', 'How long does sourdough rise?'),
      ...message('b', 'a', 'assistant', 'Eight hours at 22 degrees.'),
    }
    const chats = (more: object, last: string) =>
      JSON.stringify([
        { title: 'Sourdough', id: 'c1', create_time: 1.7e9, current_node: last, mapping: { ...mapping, ...more } },
      ])
    const take = (text: string) =>
      notes.run(`pick(new File([args[0]], 'conversations.json'), new File(['\0\0'], 'broken.json'))`, text)
    await take(chats({}, 'b'))
    await notes.until('text("#import-outcome .import-found") === "Found 1 note in 2 files: ChatGPT."')
    expect(await notes.read('[text("#import-outcome .import-titles"), text("#import-outcome summary")]')).toEqual([
      'Sourdough',
      '1 part left out',
    ])
    expect(await notes.read('titles().includes("Sourdough")'), 'nothing is stored before the visitor agrees').toBe(
      false,
    )
    await notes.run('one("[data-import=add]").click()')
    await notes.until('text(".import-summary") === "1 note added, 1 part left out."')
    await notes.open('Sourdough')
    await notes.until(
      'one("#note-body").value === "**You:** How long does sourdough rise?\\n\\n**Assistant:** Eight hours at 22 degrees."',
    )
    // The chat goes on: the note does, too.
    const later = message('c', 'b', 'user', 'And rye?')
    await take(chats(later, 'c'))
    await notes.until('one("[data-import=add]")')
    await notes.run('one("[data-import=add]").click()')
    await notes.until('text(".import-summary") === "1 updated, 1 part left out."')
    await notes.until('one("#note-body").value.endsWith("And rye?")')
    await notes.run('fill("#note-body", "Nine hours.")')
    await notes.until('saved()')
    // Even if the chat goes on after the edit.
    const last = message('d', 'c', 'assistant', 'Rye takes longer.', Date.now() / 1000 + 3600)
    await take(chats({ ...later, ...last }, 'd'))
    await notes.until('one("[data-import=add]")')
    await notes.run('one("[data-import=add]").click()')
    await notes.until('text(".import-summary") === "1 edited here and kept, 1 part left out."')
    expect(await notes.read('one("#note-body").value')).toBe('Nine hours.')
  })

  test('dates notes by their front matter, else by their name, and finds them by an alias', async () => {
    const lastModified = Date.now()
    const files = [
      `new File(['Lunch with Priya.\\n'], '2026-03-18.md', { lastModified: ${lastModified} })`,
      `new File(['---\\ncreated: 2026-03-02\\naliases: [Umzug]\\n---\\nBoxes are in the attic.\\n'], 'House move.md', { lastModified: ${lastModified} })`,
      `new File(['Nothing dated.\\n'], 'Plain.md', { lastModified: ${lastModified} })`,
    ]
    await notes.run(`pick(${files.join()})`)
    await notes.until('/^3 notes added/.test(text(".import-summary"))')
    await notes.run('fill("#query", "Umzug")')
    await notes.until('titles()[0] === "House move"')
    expect(await notes.read('one("#hits time").dateTime.slice(0, 7)')).toMatch(/^2026-03/)
    await notes.run('fill("#query", "Priya")')
    await notes.until('titles()[0] === "2026-03-18"')
    expect(await notes.read('new Date(one("#hits time").dateTime).getDate()')).toBe(18)
    await notes.run('fill("#query", "Nothing dated")')
    await notes.until('titles()[0] === "Plain"')
    expect(await notes.read('Date.parse(one("#hits time").dateTime)')).toBe(lastModified)
  })

  test('imports a folder with its contents except hidden files, and exports it as it was', async () => {
    const vault = join(app.folder, 'vault')
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
    await notes.open('2026-11-20')
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
    const one = await download(notes, '#note-save-markdown', /^2026-11-20\.md$/)
    expect(Buffer.from(one, 'base64').toString()).toBe(`---\n${rest}`)
    const zip = unzipSync(Buffer.from(await download(notes, '#export-markdown', /^notes-[\d-]{10}\.zip$/), 'base64'))
    expect(Buffer.from(zip['vault/Daily/2026-11-20.md'] ?? []).toString()).toBe(
      `---\nid: file:vault/Daily/2026-11-20.md\n${rest}`,
    )
  })

  test('[X1] exports everything as one file, and every note as Markdown, which brings a deleted note back', async () => {
    await notes.write('Spare key', 'Behind the clock. #home')
    const size = await notes.read<number>('Number(text("#list-heading").split(" ")[0])')
    await notes.run('go("")')
    const whole = await download(notes, '#export-all', /^notes-[\d-]{10}\.scrubjay$/)
    const zip = await download(notes, '#export-markdown', /^notes-[\d-]{10}\.zip$/)
    const files = unzipSync(Buffer.from(zip, 'base64'))
    expect(Object.keys(files)).toHaveLength(size)
    expect(Buffer.from(files['Spare key.md'] ?? []).toString()).toMatch(
      /^---\nid: \S+\n---\n\n# Spare key\n\nBehind the clock\. #home\n$/,
    )

    await forget(notes, 'Spare key')
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
})
