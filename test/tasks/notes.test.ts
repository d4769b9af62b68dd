/** Does the ten tasks of `demo/notes/README.md` in the notes app. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { buildNotes, policy } from '../../demo/notes/build.mjs'
import type { Browser, Page } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { demoTools } from '../support/pages/demo-tools.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { serveWebDav, type WebDavStandIn } from '../support/stand-ins/web-dav.ts'
import { type Condition, conditions } from './conditions.ts'
import { type Person, personAt, setUp } from './person.ts'
import { resultsOf } from './results.ts'

const tools = `${demoTools}
  const titles = () => all('#hits .hit').map((link) => link.textContent)
  const linkTo = (title) => all('#hits .hit').find((link) => link.textContent === title)
  const isSeen = (selector) => one(selector)?.checkVisibility() ?? false
  const saved = () => one('#save-state').dataset.state === 'saved'
  const bodyText = () => one('#note-body').value
  const keepDownload = () => {
    const make = URL.createObjectURL
    URL.createObjectURL = (blob) => {
      globalThis.downloaded = blob
      URL.createObjectURL = make
      return make(blob)
    }
  }
  const bytesOfDownload = async () => [...new Uint8Array(await globalThis.downloaded.arrayBuffer())]
`
const results = resultsOf('notes')
const user = 'mira:paßwort'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-notes-tasks-'))
  await buildNotes(join(folder, 'app'))
  await mkdir(join(folder, 'vault/trips'), { recursive: true })
  await writeFile(
    join(folder, 'vault/trips/lisbon.md'),
    '---\naliases: [Lisboa]\n---\n\n# Lisbon\n\nThe tram up the hill.\n',
  )
})

afterAll(async () => {
  results.report()
  await rm(folder, { recursive: true, force: true })
})

describe.each(conditions)('notes, $name', (condition) => {
  const pages: Page[] = []
  let site: Awaited<ReturnType<typeof serveFolder>>
  // Each has its own key, and a folder has one.
  let dav: WebDavStandIn
  let browser: Browser
  let page: Page
  const person = personAt(() => page, condition, tools)

  beforeAll(async () => {
    browser = await shareBrowser('chromium')
    dav = await serveWebDav(user)
    site = await serveApp()
    page = await openPage(site.url)
    await person.until('titles().length === 8 && text("#app-status") === "Works offline."')
  })

  afterAll(async () => {
    for (const one of pages) await one.close()
    await browser?.close()
    await site?.close()
    await dav?.close()
  })

  results.run(
    [
      [
        'New note: saved while typing, tagged by its text',
        async () => {
          await person.look('start')
          await newNote('Quinces', 'Peel, then simmer for hours. #kitchen')
          expect(await person.read('all("#note-tags .tag").map((tag) => tag.textContent).join()')).toBe('kitchen')
        },
      ],
      [
        '[[ completes a title',
        async ({ hand }: Condition) => {
          await person.goToEnd('one("#note-body")')
          await person.type(' [[bic')
          await person.until('text("#completions [aria-selected=true]") === "Bicycle: slow puncture at the back"')
          await person.look('completions')
          if (hand === 'keyboard') await person.key('Enter')
          else await person.press('one("#completions li")')
          await person.until('bodyText().endsWith("[[Bicycle: slow puncture at the back]]") && saved()')
        },
      ],
      [
        '“Today” twice is one note',
        async () => {
          await person.press('one("#today")')
          await person.until('/^\\d{4}-\\d\\d-\\d\\d$/.test(one("#note-title").value) && isSeen("#note-body")')
          await person.write('one("#note-body")', 'Rain all day.')
          await person.until('saved()')
          const address = await person.read('location.hash')
          await home()
          await person.press('one("#today")')
          await person.until('isSeen("#note-body") && bodyText() === "Rain all day."')
          expect(await person.read('location.hash')).toBe(address)
        },
      ],
      [
        'Find “slow punctre”, mistyped',
        async ({ hand }: Condition) => {
          if (hand === 'keyboard') {
            await person.key('k', 2)
            await person.until('document.activeElement.id === "palette-query"')
            await person.type('slow punctre')
            await person.until(
              'text("#palette-list [aria-selected=true] > span") === "Bicycle: slow puncture at the back"',
            )
          } else {
            await home()
            await person.write('one("#query")', 'slow punctre')
            await person.until('titles()[0] === "Bicycle: slow puncture at the back"')
          }
          await person.look('found')
          await person.key('Enter')
          await person.until('isSeen("#editor") && one("#note-title").value.startsWith("Bicycle")')
        },
      ],
      [
        'A typed title comes first',
        async () => {
          await home()
          await person.write('one("#query")', 'Tags and links')
          await person.until('titles()[0] === "Tags and links"')
          await person.look('found')
          await person.write('one("#query")', '')
        },
      ],
      [
        'Tick a box in the preview',
        async () => {
          await newNote('Trip', '- [ ] tickets')
          await person.press('one("#note-preview-toggle")')
          await person.until('isSeen("#note-preview [type=checkbox]")')
          await person.press('one("#note-preview [type=checkbox]")')
          await person.until('bodyText() === "- [x] tickets" && saved()')
        },
      ],
      [
        'Import a folder, export it: the same folders and front matter',
        async () => {
          await home()
          await person.pick('one("#import-folder")', [join(folder, 'vault')])
          await person.until('/^1 note added/.test(text(".import-summary"))')
          await person.look('imported')
          await person.run('keepDownload()')
          await person.press('one("#export-markdown")')
          await person.until('globalThis.downloaded')
          const files = unzipSync(Uint8Array.from(await person.read<number[]>('await bytesOfDownload()')))
          expect(Buffer.from(files['vault/trips/lisbon.md'] ?? []).toString()).toMatch(
            /^---\nid: \S+\naliases: \[Lisboa\]\n---\n\n# Lisbon\n\nThe tram up the hill\.\n$/,
          )
        },
      ],
      [
        'Two tabs write in one note',
        async () => {
          await newNote('Shopping', 'Bread\nSalt')
          const first = page
          const address = await person.read<string>('location.href')
          page = await openPage(address)
          await person.until('isSeen("#note-body") && bodyText() === "Bread\\nSalt"')
          await person.goToEnd('one("#note-body")')
          await person.type('\nPears')
          const second = page
          page = first
          await person.until('bodyText() === "Bread\\nSalt\\nPears"')
          await person.goToEnd('one("#note-body")')
          await person.type('\nPlums')
          page = second
          await person.until('bodyText() === "Bread\\nSalt\\nPears\\nPlums" && saved()')
          await second.close()
          pages.splice(pages.indexOf(second), 1)
          page = first
        },
      ],
      [
        'Delete, undo, delete again, bring back from the trash',
        async () => {
          await person.press('one("#note-delete .danger")')
          await person.until('toast("undo")')
          await person.look('undo')
          await person.press('toast("undo")')
          await person.until('isSeen("#editor") && one("#note-title").value === "Shopping"')
          // A second press soon after the first one is a double-click, which deletes nothing.
          await new Promise((done) => setTimeout(done, 700))
          await person.press('one("#note-delete .danger")')
          await person.until('toast("undo")')
          // The time to undo begins when focus and pointer have left the card.
          await person.press('one("#today")')
          await person.until('isSeen("#note-body") && bodyText() === "Rain all day."')
          await home()
          await person.until('isSeen("#trash") && !one(".toast")')
          await person.press('one("[data-back]")')
          await person.until('titles().includes("Shopping")')
        },
      ],
      [
        'Sync a second browser, then reload without a network',
        async () => {
          await setUpSync(null)
          await person.until('/^Synced at /.test(text("#sync-outcome"))')
          await person.look('synced')
          const key = await person.read<string>('JSON.parse(localStorage.getItem("scrubjay-notes-sync")).key')
          const first = page
          const other = await serveApp()
          page = await openPage(other.url)
          await person.until('titles().length === 8')
          await setUpSync(key)
          await person.until('titles().includes("Shopping") && titles().includes("Quinces")')
          await page.close()
          pages.splice(pages.indexOf(page), 1)
          await other.close()
          page = first
          // Without its server the app must come from its cache.
          await site.close()
          await page.reload()
          await person.until('titles().includes("Shopping") && isSeen("#home")')
        },
      ],
    ].map(([name, steps]) => [
      name as string,
      (_: Person, at: Condition) => (steps as (at: Condition) => Promise<void>)(at),
    ]),
    condition,
    () => person,
  )

  async function home(): Promise<void> {
    if (await person.read<boolean>('isSeen("#editor")')) await person.press('one("#back")')
    await person.until('isSeen("#tools")')
  }

  async function newNote(title: string, body: string): Promise<void> {
    if (condition.hand === 'keyboard') {
      // A letter is text while a field has the focus.
      await person.run('document.activeElement.blur()')
      await person.key('n')
    } else await person.press('one("#new-note")')
    await person.until('document.activeElement.id === "note-title"')
    await person.type(title)
    await person.write('one("#note-body")', body)
    await person.until('saved()')
  }

  async function setUpSync(key: string | null): Promise<void> {
    await home()
    await person.press('one(".sync summary")')
    await person.write('one("#sync-url")', dav.url)
    await person.write('one("#sync-user")', 'mira')
    await person.write('one("#sync-password")', 'paßwort')
    if (key === null) await person.press('one("#sync-new-key")')
    else await person.write('one("#sync-key")', key)
    await person.press('one("#sync-start")')
  }

  /** Another port is another origin, with a store of its own. */
  function serveApp(): ReturnType<typeof serveFolder> {
    return serveFolder(join(folder, 'app'), { headers: { 'Content-Security-Policy': policy.header } })
  }

  async function openPage(url: string): Promise<Page> {
    const opened = await browser.page('about:blank')
    pages.push(opened)
    await setUp(opened, condition)
    await opened.devtools('Page.navigate', { url })
    return opened
  }
})
