/** Tests in Chromium the notes app as an installed app: without a network, with a newer version, its manifest. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildServiceWorker } from '../../../demo/notes/build.mjs'
import { availableBrowsers, type Page } from '../../support/browsers/browsers.ts'
import type { NotesPage } from '../../support/pages/notes-tools.ts'
import { goHome, type NotesApp, openNotes, serveNotes } from './notes-page.ts'

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

  test('works with the network off: opens, finds, reads, writes', async () => {
    await notes.until('navigator.serviceWorker.controller !== null')
    const port = Number(new URL(app.site.url).port)
    await app.site.close()
    try {
      await page.reload()
      await notes.ready()
      await notes.run('fill("#query", "how do I repair a tire")')
      await notes.until('titles()[0] === "Bicycle: slow puncture at the back"')
      await notes.open('Bicycle: slow puncture at the back')
      await notes.until('isSeen("#editor") && /valve/.test(one("#note-body").value)')
      await notes.run('one("#note-preview-toggle").click()')
      await notes.until('/valve/.test(text("#note-preview"))')
      await notes.write('On the train', 'No network here.')
      await page.reload()
      await notes.until('one("#note-body").value === "No network here."')
    } finally {
      app.site = await serveNotes(app.built, port)
    }
  })

  test('offers a newer version, and loads it only on request', async () => {
    await notes.write('Before the update', 'Still here after it.')
    const path = join(app.built, 'index.html')
    const html = await readFile(path, 'utf8')
    await writeFile(path, html.replace('<title>Scrubjay Notes<', '<title>Scrubjay Notes, newer<'))
    await buildServiceWorker(app.built)
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
})
