/**
 * Tests the sync of the notes app in Chromium: two pages with stores of their own, one WebDAV folder, one key. The folder is a stand-in,
 * then a collection of Apache with another origin and the settings of docs/replicate.md.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildNotes, policy } from '../../../demo/notes/build.mjs'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyBuilt } from '../../support/pages/built-app.ts'
import { root } from '../../support/install-package.ts'
import { type NotesPage, notesPage } from '../../support/pages/notes-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { type Apache, hasApache, startApache } from '../../support/stand-ins/apache.ts'
import { serveWebDav, type WebDavStandIn } from '../../support/stand-ins/web-dav.ts'

describe.runIf(availableBrowsers().includes('chromium'))('in Chromium', () => {
  let folder: string
  let dav: WebDavStandIn
  let browser: Browser
  let phone: NotesPage
  let laptop: NotesPage
  const sites: Awaited<ReturnType<typeof serveFolder>>[] = []
  const pages: Page[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-notes-sync-'))
    await copyBuilt(buildNotes, folder)
    dav = await serveWebDav('mira:paßwort')
    browser = await shareBrowser('chromium')
    phone = await openDevice()
    laptop = await openDevice()
  })

  afterAll(async () => {
    for (const page of pages) await page.close()
    await browser?.close()
    for (const site of sites) await site.close()
    await dav?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('says what is wrong with an address or a key, and what the server answered', async () => {
    await phone.run('one(".sync").open = true; fill("#sync-url", "ftp://x"); one("#sync-start").click()')
    expect(await phone.read('text("#sync-outcome")')).toBe(
      'The address must begin with https://, or be on this computer.',
    )
    await phone.run('fill("#sync-url", args[0]); one("#sync-start").click()', dav.url)
    expect(await phone.read('text("#sync-outcome")')).toMatch(/^The key must have 43 characters/)
    await phone.run('one("#sync-new-key").click(); one("#sync-start").click()')
    await phone.until('/^Not synced: .* status 401.*The app tries again\\.$/.test(text("#sync-outcome"))')
    await phone.run('one("#sync-stop").click()')
    await phone.until('isSeen(".sync")')
  })

  test('a note written on one device appears on the other, and the folder holds no text of it', async () => {
    await phone.write('Ferry', 'It leaves at a quarter past nine. #trip')
    await phone.run('go("")')
    await start(phone, null)
    const key = await phone.read<string>('JSON.parse(localStorage.getItem("scrubjay-notes-sync")).key')
    await start(laptop, key)
    await laptop.until('titles().includes("Ferry")')
    expect(await laptop.read('text("#sync-outcome")')).toMatch(/^Synced at .*: 1 new note\.$/)
    for (const bytes of dav.blobs.values()) expect(Buffer.from(bytes).includes('quarter')).toBe(false)
  })

  test('two devices that change one note apart keep the lines of both', async () => {
    await edit(phone, 'It leaves at ten. #trip')
    await edit(laptop, 'It leaves at a quarter past nine. #trip\nBring the tickets.')
    await sync(phone)
    await sync(laptop)
    await sync(phone)
    const both = ['It leaves at ten. #trip', 'It leaves at a quarter past nine. #trip', 'Bring the tickets.']
    for (const device of [phone, laptop]) {
      await device.open('Ferry')
      await device.until('isSeen("#editor") && one("#note-title").value === "Ferry"')
      expect((await device.read<string>('one("#note-body").value')).split('\n').toSorted()).toEqual(both.toSorted())
      await device.run('go("")')
    }
  })

  test('a note deleted on one device goes from the other, and syncing continues after a reload', async () => {
    await phone.open('Ferry')
    await phone.until('isSeen("#note-delete .danger")')
    await phone.run('one("#note-delete .danger").click()')
    await phone.until('canDeleteNow()')
    await phone.run('toast("now").click()')
    await phone.until('one(".proof")')
    await sync(phone)
    await pages[1]?.reload()
    await laptop.ready()
    await laptop.until('/^Synced at /.test(text("#sync-outcome")) && !titles().includes("Ferry")')
  })

  describe.skipIf(!hasApache)('with Apache of another origin', () => {
    const servers: Apache[] = []
    const user = 'mira:paßwort'

    beforeAll(async () => {
      for (const device of [phone, laptop]) await device.run('one("#sync-stop").click()')
    })

    afterAll(async () => {
      for (const server of servers) await server.close()
    })

    test('says what to allow if the server sends no headers for other origins', async () => {
      await phone.until('isSeen(".sync")')
      const server = await apacheWith((line) => !line.startsWith('Header'))
      await begin(phone, `${server.url}/store/`, null)
      await phone.until('text("#sync-outcome").startsWith("Not synced")')
      const sentence = await phone.read<string>('text("#sync-outcome")')
      expect(sentence).toContain(`does not allow PROPFIND from ${sites[0]?.url}. Hint: `)
      expect(sentence).toContain('Authorization, Content-Type, Depth, If-Match, If-None-Match; expose ETag.')
      await phone.run('one("#sync-stop").click()')
    })

    test('says that the server must expose ETag', async () => {
      await phone.until('isSeen(".sync")')
      const server = await apacheWith((line) => !line.includes('Expose'))
      await begin(phone, `${server.url}/store/`, null)
      await phone.until('text("#sync-outcome").includes("must expose the header ETag")')
      await phone.run('one("#sync-stop").click()')
    })

    test('says that a server cannot be reached', async () => {
      await phone.until('isSeen(".sync")')
      await begin(phone, 'http://127.0.0.1:9/store/', null)
      await phone.until('text("#sync-outcome").startsWith("Not synced: The WebDAV server cannot be reached. Hint: ")')
      await phone.run('one("#sync-stop").click()')
    })

    test('syncs two devices with the settings of the documentation', async () => {
      await phone.until('isSeen(".sync")')
      // The two devices of this test have different origins.
      const server = await apacheWith(() => true, '*')
      await phone.write('Kettle', 'The new one whistles.')
      await phone.run('go("")')
      await begin(phone, `${server.url}/store/`, null)
      await phone.until('/^Synced at /.test(text("#sync-outcome"))')
      const key = await phone.read<string>('JSON.parse(localStorage.getItem("scrubjay-notes-sync")).key')
      await begin(laptop, `${server.url}/store/`, key)
      await laptop.until('titles().includes("Kettle")')
      await laptop.open('Kettle')
      await laptop.until('isSeen("#editor") && one("#note-title").value === "Kettle"')
      await laptop.run('fill("#note-body", "It is quiet now.")')
      await laptop.until('saved()')
      await laptop.run('go("")')
      await sync(laptop)
      await sync(phone)
      await phone.open('Kettle')
      await phone.until('isSeen("#editor") && one("#note-body").value === "It is quiet now."')
      expect((await readdir(server.store)).filter((name) => !name.startsWith('.')).length).toBeGreaterThan(0)
    })

    /** The settings of docs/replicate.md, the lines that `keep` accepts. `origin`: default the one of the phone. */
    async function apacheWith(keep: (line: string) => boolean, origin = sites[0]?.url ?? ''): Promise<Apache> {
      const page = await readFile(join(root, 'docs/replicate.md'), 'utf8')
      const block = /```text\n<Directory[^\n]*\n([\s\S]*?)<\/Directory>/.exec(page)?.[1] ?? ''
      const lines = block
        .replace('/etc/apache2/notes-users', '{folder}/users')
        .replace('https://notes.example', origin)
        .split('\n')
        .map((line) => line.trim())
      const server = await startApache({
        user,
        modules: ['headers', 'authn_core', 'authn_file', 'auth_basic', 'authz_user'],
        directory: lines.filter((line) => line !== '' && line !== 'Dav On' && keep(line)),
      })
      servers.push(server)
      return server
    }
  })

  async function openDevice(): Promise<NotesPage> {
    // Another port is another origin with a store of its own.
    const site = await serveFolder(folder, { headers: { 'Content-Security-Policy': policy.header } })
    const page = await browser.page(`${site.url}/`)
    sites.push(site)
    pages.push(page)
    const device = notesPage(page)
    await device.ready()
    return device
  }

  async function start(device: NotesPage, key: string | null): Promise<void> {
    await begin(device, dav.url, key)
    await device.until('/^Synced at /.test(text("#sync-outcome"))')
  }

  async function begin(device: NotesPage, url: string, key: string | null): Promise<void> {
    await device.run(
      'fill("#sync-url", args[0]); fill("#sync-user", "mira"); fill("#sync-password", "paßwort"); args[1] === null ? one("#sync-new-key").click() : fill("#sync-key", args[1]); one("#sync-start").click()',
      url,
      key,
    )
  }

  async function sync(device: NotesPage): Promise<void> {
    await device.run('one("#sync-now").click()')
    await device.until('/^Synced at /.test(text("#sync-outcome"))')
  }

  async function edit(device: NotesPage, body: string): Promise<void> {
    await device.open('Ferry')
    await device.until('isSeen("#editor") && one("#note-title").value === "Ferry"')
    await device.run('fill("#note-body", args[0])', body)
    await device.until('saved()')
    await device.run('go("")')
    await device.until('isSeen("#home")')
  }
})
