/** Tests that the notes app, in a Chromium that prefers German, finds forms and parts of German words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser } from '../../support/browsers/browsers.ts'
import { notesPage } from '../../support/pages/notes-tools.ts'
import { type BuiltNotes, buildAndServe, stopServing } from './notes-page.ts'

describe.runIf(availableBrowsers().includes('chromium'))('a browser that prefers German', () => {
  let served: BuiltNotes
  let browser: Browser

  beforeAll(async () => {
    served = await buildAndServe()
    browser = await openBrowser('chromium', { args: ['--accept-lang=de-DE,de'], compilesLate: true })
  })

  afterAll(async () => {
    await browser?.close()
    await stopServing(served)
  })

  test('finds notes by other forms of their words, and compounds by their parts', async () => {
    const page = await browser.page(`${served.site.url}/`)
    const notes = notesPage(page)
    expect(await page.evaluate<string[]>('return navigator.languages')).toContain('de')
    await notes.ready()
    await notes.write('Tiere', 'Zwei Katzen schlafen im Baumhaus.')
    for (const word of ['Katze', 'Haus']) {
      await notes.run('go("#"); fill("#query", args[0])', word)
      await notes.until('titles().length === 1 && titles()[0] === "Tiere"')
    }
    expect(page.console.filter(({ level }) => level === 'error')).toEqual([])
  })
})
