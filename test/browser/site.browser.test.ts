/**
 * Tests the site as a visitor sees it, built like `npm run site` and served from a subfolder, in every browser: pages, the search
 * with its keys, the playground, the demo in its frame. The links of all pages are checked once, without a browser.
 */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { headerPolicy } from '../../site/site-policy.ts'
import { seriousViolations } from '../support/browsers/axe.ts'
import { availableBrowsers, type Browser, type Page } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { builtSite } from '../support/pages/built-site.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const tools = `
  const one = (selector) => document.querySelector(selector)
  const all = (selector) => [...document.querySelectorAll(selector)]
  const text = (selector) => one(selector)?.textContent
  const press = (key, more = {}) =>
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
  const fill = (selector, value) => {
    one(selector).value = value
    one(selector).dispatchEvent(new Event('input', { bubbles: true }))
  }
  const found = () => all('.results a').map((link) => link.dataset.id)
  const edit = (part, from, to) => fill('#' + part + ' textarea', one('#' + part + ' textarea').value.replace(from, to))
  const hits = () => all('#answer > .answer-hits > li').map((hit) => hit.dataset.id)
`

/** As a server of project pages has it. */
const base = '/some/folder'

let folder: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  folder = await builtSite()
  const empty = join(folder, 'docs/plots')
  site = await serveFolder(empty, { headers: { 'Content-Security-Policy': headerPolicy }, mounts: { [base]: folder } })
})

afterAll(() => site?.close())

describe('all pages', () => {
  const pages = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'))

  test('links lead to pages and headings that exist, and nothing is loaded from elsewhere', async () => {
    const faults: string[] = []
    const texts = new Map<string, string>()
    for (const name of await pages()) texts.set(name, await readFile(join(folder, name), 'utf8'))
    expect(texts.size).toBeGreaterThan(35)
    for (const [name, html] of texts) faults.push(...(await faultsOf(name, html, texts)))
    expect(faults).toEqual([])
  })

  test('control: a lost page, a lost heading and a foreign picture are found', async () => {
    const html = '<a href="x.html">a</a><a href="#b">b</a><img src="https://example.org/c.png"><script>1</script>'
    expect(await faultsOf('index.html', html, new Map())).toEqual([
      'index.html: x.html',
      'index.html: #b',
      'index.html loads https://example.org/c.png',
      'index.html has a script of its own',
    ])
  })

  async function faultsOf(name: string, html: string, texts: ReadonlyMap<string, string>): Promise<string[]> {
    const faults: string[] = []
    for (const [, target = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (target.startsWith('https:')) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? name : posix.normalize(posix.join(dirname(name), path))
      const there = path === '' ? html : (texts.get(file) ?? (file.endsWith('.html') ? undefined : await read(file)))
      if (there === undefined || (anchor !== undefined && !there.includes(`id="${anchor}"`)))
        faults.push(`${name}: ${target}`)
    }
    for (const [, address = ''] of html.matchAll(/<(?:img|script|iframe|link) [^>]*(?:src|href)="([^"]*)"/g)) {
      const isForeign = /^(?:[a-z]+:|\/)/.test(address)
      if (isForeign) faults.push(`${name} loads ${address}`)
      else if ((await read(posix.join(dirname(name), address))) === undefined) faults.push(`${name}: ${address}`)
    }
    if (/<script(?![^>]*src=)|<style(?!>\s*svg)/.test(html.replaceAll(/<svg[\s\S]*?<\/svg>/g, ''))) {
      faults.push(`${name} has a script of its own`)
    }
    return faults
  }

  function read(file: string): Promise<string | undefined> {
    return readFile(join(folder, file), 'utf8').catch(() => undefined)
  }
})

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}${base}/index.html`)
  })

  afterAll(() => browser?.close())

  test('the home page says what Scrubjay is, with one picture', async () => {
    expect(await read('all("h1").length')).toBe(1)
    await until('one(".hero img").naturalWidth === 1200')
    expect(await read('text(".lead")')).toContain('memory and search engine')
  })

  test('nothing of the search is loaded before it is used', async () => {
    const loaded = await read<string[]>('performance.getEntriesByType("resource").map(({ name }) => name)')
    expect(loaded.filter((name) => /\.wasm|search\.json|\.bin/.test(name))).toEqual([])
  })

  test('/ opens the search, and ten questions of strangers find their pages', async () => {
    await openSearch(page)
    expect(await read('document.activeElement.id')).toBe('search-text')
    for (const [question, expected] of questions) {
      await run('fill("#search-text", args[0])', question)
      await until(`found().slice(0, 3).some((id) => ${expected}.test(id))`, 170_000)
    }
    await run('fill("#search-text", "best recipe for sourdough bread")')
    await until('text("#search-state").startsWith("Nothing here answers this.")')
  })

  test('reasons are shown on request', async () => {
    await run('fill("#search-text", "is my data encrypted")')
    await until('text("#search-state").startsWith("Found in")')
    expect(await read('one(".results .reasons").checkVisibility()')).toBe(false)
    await run('one("#search-reasons").click()')
    expect(await read('one(".results .reasons").checkVisibility()')).toBe(true)
    expect(await read('text(".results .reasons dt")')).toBe('your words')
    await run('one("#search-reasons").click()')
  })

  test('arrows move, Escape and Ctrl+K close, Enter in the box opens the first section', async () => {
    await run('press("ArrowDown"); press("ArrowDown")')
    expect(await read('document.activeElement === all(".results a")[1]')).toBe(true)
    await run('press("ArrowUp"); press("ArrowUp")')
    expect(await read('document.activeElement.id')).toBe('search-text')
    await run('press("Escape")')
    expect(await read('one("dialog.search").open')).toBe(false)
    await run('press("k", { ctrlKey: true })')
    expect(await read('one("dialog.search").open')).toBe(true)
    await run('press("k", { ctrlKey: true })')
    expect(await read('one("dialog.search").open')).toBe(false)
    await run('press("k", { ctrlKey: true })')
    expect(await read('one("dialog.search").open')).toBe(true)
    const first = await read<string>('found()[0]')
    // The page may be left before this call has its reply; the next line waits for the page that it leads to.
    await run('one("#search-text").form.requestSubmit()').catch(() => undefined)
    await until(`location.pathname.endsWith(${JSON.stringify(first.replace(/[#~].*/, ''))}) && one("h1")`)
  })

  test('the search leaves nothing on the device', async () => {
    // WebKitGTK has no navigator.storage, and Firefox refuses it in private windows.
    const names = `const folder = await navigator.storage?.getDirectory().catch(() => null)
      return [...(await indexedDB.databases()).map(({ name }) => name), ...(await Array.fromAsync(folder?.keys() ?? []))]`
    expect(await page.evaluate<string[]>(names)).toEqual([])
  })

  test('the search answers without a network, once it was used', async () => {
    const own = await serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } })
    const offline = await browser.page(`${own.url}/docs/index.html`)
    await openSearch(offline)
    const ask = (text: string) => offline.evaluate(`${tools}; fill('#search-text', args[0]); return 1`, text)
    const answers = (id: string) => `${tools}; return found()[0]?.startsWith(${JSON.stringify(id)}) ?? false`
    await ask('content security policy')
    await vi.waitFor(async () => expect(await offline.evaluate(answers('docs/bundlers'))).toBe(true), waiting)
    await own.close()
    await ask('switch from orama')
    await vi.waitFor(async () => expect(await offline.evaluate(answers('docs/migrating'))).toBe(true), waiting)
    await offline.close()
  })

  test('the playground answers, and changes its answer with the policy and with the records', async () => {
    await page.close()
    page = await browser.page(`${site.url}${base}/playground.html`)
    await until('hits()[0] === "dinner-letter"', 170_000)
    expect(await read('all("#answer .bars dt").length')).toBeGreaterThan(1)
    expect(await read('text(".left-out-list")')).toContain('dinner-note')
    await run('edit("policy", `"gateStatus": true`, `"gateStatus": false`)')
    await until('hits().includes("dinner-note")')
    await run('edit("records", "harbour hall", "harbour hall, bring the zither"); fill("#question", "zither")')
    await until('hits()[0] === "dinner-letter" && text("#answer mark") === "zither"')
  })

  test('an error is shown below the line of the field that it names, and goes with it', async () => {
    await run('edit("policy", `"k1": 1.6`, `"k1": "high"`)')
    await until('text("#policy-problem").startsWith("Line 6: `policy.lexical.k1` must be a finite number")')
    const [line, bubble] = await read<[number, number]>(
      '[one("#policy .numbers .faulty"), one("#policy-problem")].map((part) => part.getBoundingClientRect().bottom)',
    )
    expect(bubble).toBeGreaterThan(line)
    expect(bubble - line).toBeLessThan(120)
    expect(bubble).toBeLessThanOrEqual(await read<number>('one("#policy .editor").getBoundingClientRect().bottom'))
    await run('edit("policy", `"k1": "high"`, `"k1": 1.6`)')
    await until('text("#policy-problem") === ""')
    await run('edit("records", `"tags": ["health"]`, `"tags": ["health", 4]`)')
    await until('/^Line \\d+: `tags\\[1\\]` must be a string/.test(text("#records-problem"))')
    await run('edit("records", `"tags": ["health", 4]`, `"tags": ["health"`)')
    await until('text("#records-problem").includes("missing")')
    await run('edit("records", `"tags": ["health"`, `"tags": ["health"]`)')
    await until('text("#records-problem") === "" && text("#answer mark") === "zither"')
  })

  test('the address holds the state: the same link shows the same in a new page', async () => {
    await until('location.hash.startsWith("#p1.")')
    const address = await read<string>('location.href')
    const other = await browser.page(address)
    const state = `${tools}; return [one('#question').value, one('#policy textarea').value, one('#records textarea').value]`
    const expected = await page.evaluate(state)
    // The page unpacks its address after it was loaded.
    await vi.waitFor(async () => expect(await other.evaluate(state)).toEqual(expected), { timeout: 30_000 })
    await other.close()
    await run('one("#reset").click()')
    await until('location.hash === "" && hits()[0] === "dinner-letter"')
  })

  test('loaded nothing from other origins, and reported no error', async () => {
    const loaded = await read<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => new URL(name).origin)',
    )
    expect(new Set(loaded)).toEqual(new Set([site.url]))
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  test('the demo runs in its frame', async () => {
    await page.close()
    page = await browser.page(`${site.url}${base}/demo.html`)
    await until('one("iframe").contentDocument?.querySelector("#store-status .facts")', 170_000)
  })

  test.each(['index.html', 'docs/index.html', 'docs/benchmarks.html', 'playground.html'])(
    '%s has no serious barrier and fits a narrow screen, light and dark',
    async (path) => {
      const visited = await browser.page(`${site.url}${base}/${path}`)
      if (path === 'docs/index.html') await openSearch(visited)
      if (path === 'playground.html') {
        await waitIn(visited, 'one("#policy textarea") !== null')
        await visited.evaluate(`${tools}; edit('policy', '"k1": 1.6', '"k1": "high"'); return 1`)
      }
      for (const dark of kind === 'chromium' ? [false, true] : [false]) {
        for (const width of [360, 1440]) {
          await visited.screenshot(join(folder, 'look.png'), { width, height: 800, ...(dark ? { dark } : {}) })
          const [inner, content] = await visited.evaluate<[number, number]>(
            'return [innerWidth, document.documentElement.scrollWidth]',
          )
          expect(content).toBeLessThanOrEqual(inner)
          if (kind === 'chromium') expect(await seriousViolations(visited), `${width}, dark: ${dark}`).toEqual([])
        }
      }
      await visited.close()
    },
  )

  /** Presses the key until it has an effect: in WebKit a page that is loaded may not have run its scripts yet. */
  function openSearch(of: Page): Promise<void> {
    return waitIn(of, '(one("dialog")?.open || press("/"), one("dialog")?.open === true)')
  }

  function waitIn(of: Page, condition: string): Promise<void> {
    return vi.waitFor(async () => expect(await of.evaluate(`${tools}; return ${condition}`)).toBe(true), waiting)
  }

  async function run(source: string, ...args: readonly unknown[]): Promise<void> {
    await page.evaluate(`${tools}; ${source}; return null`, ...args)
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }

  /** A page that is being left cannot be asked for a moment. */
  function until(condition: string, timeoutMs = 30_000): Promise<void> {
    const look = async () => {
      if (await read<boolean>(`Boolean(${condition})`)) return
      throw new Error(`Never: ${condition}\n${await read('document.body.innerText.slice(0, 1500)').catch(String)}`)
    }
    return vi.waitFor(look, { timeout: timeoutMs, interval: 50 })
  }
})

const waiting = { timeout: 60_000, interval: 100 }

const questions: readonly (readonly [string, RegExp])[] = [
  ['how do I install it', /^index\.html#install/],
  ['does it work offline', /^docs\/notes-pwa/],
  ['use it with react', /react/],
  ['how fast is it', /^docs\/benchmarks/],
  ['sync between my phone and laptop', /^docs\/replicate/],
  ['how do I back up my data', /^docs\/backup/],
  ['is my data encrypted', /^docs\/security/],
  ['chrome extension', /^docs\/extension-sidebars/],
  ['switch from orama', /^docs\/migrating/],
  ['how big is the download', /^docs\/benchmarks/],
]
