/**
 * Tests the WebMCP page in Chromium, with WebMCP behind its flag and without it: tools are exposed and taken back, called with their forms and
 * by an agent, and every call is listed. The page is judged by axe-core, narrow and wide, light and dark.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import { buildWebMcp } from '../../../demo/webmcp/build.mjs'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { demoTools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const tools = `${demoTools}
  const card = (name) => one('.tool[data-tool=' + name + ']')
  const callBy = (name, values) => {
    card(name).querySelector('details').open = true
    for (const [field, value] of Object.entries(values)) fill('#' + name + '-' + field, value)
    card(name).querySelector('form').requestSubmit()
  }
  const calls = () => all('.call').map((call) => [call.dataset.tool, call.dataset.caller, call.querySelector('.outcome-words').textContent])
  const answer = () => JSON.parse(all('.call')[0].querySelectorAll('pre')[1].textContent)
  const exposed = () => all('.tool[data-exposed=true]').map((tool) => tool.dataset.tool)
`

describe.runIf(availableBrowsers().includes('chromium'))('the WebMCP page', () => {
  let folder: string
  let site: Awaited<ReturnType<typeof serveFolder>>
  let withWebMcp: Browser
  let without: Browser
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-webmcp-'))
    await buildWebMcp(folder)
    site = await serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } })
    withWebMcp = await openBrowser('chromium', { args: ['--enable-features=WebMCP'], compilesLate: true })
    without = await shareBrowser('chromium')
  })

  afterAll(async () => {
    await withWebMcp?.close()
    await without?.close()
    await site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  afterEach(async () => {
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    await page.close()
  })

  async function open(browser: Browser): Promise<void> {
    page = await browser.page(`${site.url}/`)
    await until('one("#examples")?.disabled === false')
  }

  describe('in a browser with WebMCP', () => {
    beforeEach(() => open(withWebMcp))

    test('exposes all tools but forget to the agent, and takes them back', async () => {
      expect(await read('one("[data-webmcp]").dataset.webmcp')).toBe('yes')
      const listed = 'return (await document.modelContext.getTools()).map(({ name }) => name).sort()'
      expect(await page.evaluate(listed)).toEqual(['about', 'assemble', 'recall', 'remember', 'why'])
      expect(await read('text("#tools-heading")')).toBe('5 of 6 tools exposed')
      await run(
        `card('forget').querySelector('.exposure input').click(); card('recall').querySelector('.exposure input').click()`,
      )
      await until('exposed().join() === "remember,about,why,forget,assemble"')
      expect(await page.evaluate(listed)).toEqual(['about', 'assemble', 'forget', 'remember', 'why'])
      expect(await read(`card('recall').querySelector('details').checkVisibility()`)).toBe(false)
    })

    test('lists the calls of the user and of an agent', async () => {
      await run(`one('#examples').click()`)
      await until('calls().length === 3')
      expect(await read('text("#store-brief")')).toBe('3 records · in memory only')
      await page.evaluate(`
        const tools = await document.modelContext.getTools()
        return document.modelContext.executeTool(tools.find(({ name }) => name === 'recall'), { query: 'when do we deploy' })`)
      await until('calls().length === 4')
      expect(await read('calls()[0]')).toEqual([
        'recall',
        'an agent',
        expect.stringMatching(/^\d records?, evidence strong$/),
      ])
      expect(await read('calls()[1]')).toEqual(['remember', 'you', 'inserted'])
      expect(await read('answer().records[0].text')).toMatch(/^We deploy on Fridays/)
    })
  })

  describe('in a browser without WebMCP', () => {
    beforeEach(() => open(without))

    test('says so and how to switch it on, and calls tools with their forms', async () => {
      expect(await page.evaluate('typeof document.modelContext')).toBe('undefined')
      expect(await read('text("[data-webmcp=no]")')).toMatch(/no WebMCP.*chrome:\/\/flags\/#enable-webmcp-testing/s)
      await run(`callBy('remember', { text: 'The jay hides acorns', tags: 'birds, oaks', importance: '2' })`)
      await until('calls().length === 1')
      expect(await read('JSON.parse(all(".call pre")[0].textContent)')).toEqual({
        text: 'The jay hides acorns',
        tags: ['birds', 'oaks'],
        importance: 2,
      })
      await run(`callBy('recall', { query: 'what does the jay hide', limit: '3' })`)
      await until('calls().length === 2')
      expect(await read('answer().records.map(({ text }) => text)')).toEqual(['The jay hides acorns'])
      expect(await read('card("recall").querySelector(".sending span").textContent')).toBe(
        '1 record, evidence strong See the call',
      )
      await run(`callBy('recall', { query: 'jay', after: 'yesterday' })`)
      await until('calls().length === 3')
      expect(await read('all(".call")[0].dataset.failed')).toBe('true')
      expect(await read('text("#live")')).toMatch(/^recall: `after`/)
      expect(await read('calls().map(([, caller]) => caller)')).toEqual(['you', 'you', 'you'])
    })

    test('works by keyboard: a tool is unfolded, and its first field and button are reached in order', async () => {
      const reached = await page.evaluate<readonly string[]>(`${tools}
        for (const fold of all('.tool details')) fold.open = true
        return all('a, button, input, textarea, summary').filter((one) => one.checkVisibility() && one.tabIndex >= 0 && card('why').contains(one)).map((one) => one.id || one.tagName + ' ' + one.textContent)`)
      expect(reached).toEqual(['INPUT ', 'SUMMARY Call it by hand', 'why-query', 'why-id', 'BUTTON Call why'])
    })

    test.each([
      [360, false],
      [360, true],
      [1440, false],
      [1440, true],
    ])('has no serious barrier at %i pixels and fits, dark: %s', async (width, dark) => {
      await run(
        `one('#examples').click(); callBy('recall', { query: 'when do we deploy' }); card('remember').querySelector('details').open = true`,
      )
      await until('calls().length === 4')
      const picture = join(process.env['SCRUBJAY_PICTURES'] ?? folder, `webmcp-${width}-${dark}.png`)
      await page.screenshot(picture, { width, height: 900, dark })
      expect(await seriousViolations(page)).toEqual([])
      expect(await read('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    })
  })

  /** Runs statements in the page. */
  function run(source: string): Promise<unknown> {
    return page.evaluate(`${tools}; ${source}; return 1`)
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }

  function until(condition: string): Promise<void> {
    const look = async () => {
      if (!(await page.evaluate(`${tools}; return Boolean(${condition})`))) throw new Error(`Never: ${condition}`)
    }
    return vi.waitFor(look, { timeout: 30_000, interval: 50 })
  }
})
