/**
 * Tests the demo page by the rules of axe-core, in Chromium: narrow and wide, light and dark, with every section
 * unfolded.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { casesOf } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyDemo } from '../../support/pages/built-demo.ts'
import { demoTools as tools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

describe.runIf(availableBrowsers().includes('chromium'))('the demo page', () => {
  let folder: string
  let site: Awaited<ReturnType<typeof serveFolder>>
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await copyDemo()
    site = await serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } })
    browser = await shareBrowser('chromium')
    page = await browser.page(`${site.url}/`)
    await waitFor('!one(".notice") && one("#store-status .facts")')
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('control: a planted barrier is found', async () => {
    await page.evaluate(
      'document.body.insertAdjacentHTML("beforeend", "<button id=nameless></button>"), document.body.lastChild.id',
    )
    expect((await seriousViolations(page)).join()).toMatch(/button-name at #nameless/)
    await page.evaluate('document.getElementById("nameless").remove()')
  })

  test.each(
    casesOf<readonly [number, boolean]>(
      [
        [320, true],
        [1280, false],
      ],
      [
        [320, false],
        [1280, true],
      ],
    ),
  )('has no serious barrier at %i pixels, dark: %s', async (width, dark) => {
    const look = async (name: string) => {
      await page.screenshot(join(folder, `${name}.png`), { width, height: 800, dark })
      expect(await seriousViolations(page), name).toEqual([])
    }
    await ask('bike chain')
    await waitFor('hit() && one("#hits .why-this")')
    await look('answer')
    await page.evaluate(`${tools}; one("#hits .why-this").click(); return 1`)
    await waitFor('one(".cut-list")')
    await page.evaluate(`${tools}; for (const fold of all('#why details')) fold.open = true; return 1`)
    await look('why')
    await page.evaluate(`${tools}; one('#tab-context').click(); return 1`)
    await waitFor('one(".packed-record")')
    await look('context')
    await page.evaluate(
      `${tools}; one('#tab-engine').click(); for (const fold of all('.ledger, .paste')) fold.open = true; return 1`,
    )
    await waitFor('one(".ledger-rows")')
    await look('engine')
    await page.evaluate(`${tools}; one('#close-drawer').click(); return 1`)
    await ask('qwertzuiop zyxwvut wibblewobble')
    await waitFor('text("#evidence strong") === "Nothing here answers this."')
    await look('no answer')
  })

  test('shows the first hit on the first screen of 1,440 × 900 pixels at 200 %', async () => {
    await page.screenshot(join(folder, 'zoomed.png'), { width: 720, height: 450 })
    await ask('bike chain')
    await waitFor('hit() && hit().querySelector(".snippet").getBoundingClientRect().bottom < innerHeight')
    expect(await page.evaluate('return document.getElementById("about-sample").checkVisibility()')).toBe(false)
  })

  async function ask(text: string): Promise<void> {
    await page.evaluate(`${tools}; ask(args[0]); return 1`, text)
  }

  function waitFor(condition: string): Promise<void> {
    const look = async () => {
      if (!(await page.evaluate(`${tools}; return Boolean(${condition})`))) throw new Error(`Never: ${condition}`)
    }
    return vi.waitFor(look, { timeout: 60_000, interval: 100 })
  }
})
