/**
 * Tests the demo's reasons, in every browser: policies that reorder, risks, reasons and tiers in words, warnings, why
 * a record is missing, and freshness from a folder, where a page may read one. The rest of the demo:
 * demo.browser.test.ts.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sampleRecords } from '../../../demo/sample/sample.mjs'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyDemo } from '../../support/pages/built-demo.ts'
import { demoFaults, demoTools as tools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const repository = join(import.meta.dirname, '../../..')
const question = 'a stemmer that cuts plurals too short'
const superseded = 'demo/samples/stem-fail.txt'
const successor = 'src/core/text/tokenise/stem.ts'

/** WebKit fills its store slowly on a busy machine. */
const fillMs = 150_000

let folder: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  folder = await copyDemo()
  site = await serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } })
})

afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the sample has banks, reasons and risks, and each superseded record names a record of the sample', () => {
  const records = sampleRecords(repository)
  expect(new Set(records.map(({ bank }) => bank))).toEqual(new Set(['handbook', 'tree', 'runs']))
  const flags = new Set(records.flatMap(({ risks = [] }) => risks.map(({ flag }) => flag)))
  expect([...flags]).toEqual(expect.arrayContaining(['mandatory_context_missing', 'governance_applies']))
  expect(records.flatMap(({ reasons = [] }) => reasons).length).toBeGreaterThan(5)
  const old = records.filter(({ status }) => status === 'superseded')
  expect(old.length).toBeGreaterThan(1)
  for (const { supersededBy } of old) expect(records.map(({ id }) => id)).toContain(supersededBy)
})

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
    await waitFor('!document.querySelector(".notice") && document.querySelector(".hit")', fillMs)
  })

  afterAll(async () => {
    await browser?.close()
  })

  beforeEach(async () => {
    await choose('balanced')
    await page.evaluate(`${tools}; ask(args[0])`, question)
    await waitFor('/^\\d+ hits?$/.test(heading()) && all(".moved").length === 0')
  })

  test('another policy reorders the hits, and each shows its earlier place', async () => {
    const before = await read<string[]>('ids()')
    await choose('tokenpak')
    const places = await read<[string, string][]>(
      'all(".hit").map((one) => [one.dataset.id, one.querySelector(".moved").lastChild.data])',
    )
    expect(places.length).toBe(10)
    expect(places).toEqual(
      places.map(([id]) => [id, before.includes(id) ? `was ${before.indexOf(id) + 1}` : 'new here']),
    )
    expect(places.map(([id]) => id)).not.toEqual(before)
    expect(await read('text("#policy-cares")')).toMatch(/reasons/)
    expect(await read('new URLSearchParams(location.search).get("policy")')).toBe('tokenpak')
    await page.evaluate(`${tools}; ask(args[0])`, `${question} `)
    await waitFor('all(".moved").length === 0')
  })

  test.skipIf(kind !== 'chromium')(
    'rows glide to their place, except for readers who prefer reduced motion',
    async () => {
      const moved = `${tools}
      const drawn = new Promise((done) => {
        const watch = new MutationObserver(() => {
          watch.disconnect()
          done(document.getAnimations().length)
        })
        watch.observe(one('#hits'), { childList: true })
      })
      one('label[for="policy-' + args[0] + '"]').click()
      return drawn`
      expect(await page.evaluate<number>(moved, 'tokenpak')).toBeGreaterThan(3)
      const feature = { name: 'prefers-reduced-motion', value: 'reduce' }
      await page.devtools('Emulation.setEmulatedMedia', { features: [feature] })
      expect(await page.evaluate<number>(moved, 'ctxsift')).toBe(0)
      await page.devtools('Emulation.setEmulatedMedia', { features: [] })
    },
  )

  test('risks, reasons, status and tier have names in words, and a stale record ranked ahead has a warning', async () => {
    expect(await read('all(".warnings").length')).toBe(0)
    await choose('tokenpak')
    const badges = await read<string[]>(`badgesOf(${JSON.stringify(superseded)})`)
    expect(badges).toEqual(
      expect.arrayContaining([
        'superseded',
        'Authority: Notes',
        '!warn: possible context miss',
        '+recent failure link 1',
      ]),
    )
    expect(await read('all(".hit .note-badge").every((one) => one.title !== "")')).toBe(true)
    expect(await read('text(".warnings li")')).toMatch(
      /^Superseded record ranked too high: .* is superseded by src\/core\/text\/tokenise\/stem\.ts/,
    )
    await page.evaluate(`${tools}; one('.warnings button').click()`)
    await waitFor(`text("#why h3") === ${JSON.stringify(successor)}`)
    await page.evaluate(`${tools}; ask("Unexpected use of 'Date'")`)
    await waitFor('badgesOf("demo/samples/lint-fail.txt").includes("■block: mandatory context missing")')
  })

  test('explains why a record is missing, from its name, by keyboard, and follows the question', async () => {
    await page.evaluate(`${tools}; one('#why-record').focus(); fill('#why-record', 'stemmer plurals')`)
    await waitFor('all("#why [role=option]").length === 1')
    await page.evaluate(`${tools}; press('ArrowDown'); press('Enter')`)
    await waitFor('text("#why .explanation p") === "Not selected: superseded by src/core/text/tokenise/stem.ts."')
    expect(await read('document.activeElement === one("#why h3")')).toBe(true)
    const [lost, ...passed] = await read<string[]>('all("#why .stages li").map((one) => one.dataset.passed).reverse()')
    expect([lost, ...new Set(passed)]).toEqual(['false', 'true'])
    expect(await read('text("#why .stages [data-passed=false] b")')).toBe('Passed the gates')
    await choose('tokenpak')
    await waitFor('/^Selected: selected in place/.test(text("#why .explanation p"))')
    expect(await read('all("#why .compared dd").length')).toBe(2)
    await page.evaluate(`${tools}; one('#why .buttons button').click()`)
    expect(await read('[one("#why-record").value, all("#why h3").length]')).toEqual(['', 0])
  })

  test('explains a hit and a record of the ledger, and leads back', async () => {
    await page.evaluate(`${tools}; hit().querySelector('.hit-found button').click()`)
    await waitFor('/^Selected: selected in place 1 of/.test(text("#why .explanation p"))')
    await page.evaluate(`${tools}; one('#why .buttons button').click()`)
    expect(await read('document.activeElement.closest(".hit") === hit()')).toBe(true)
    await page.evaluate(`${tools}; one('.ledger').open = true`)
    await waitFor('one(".ledger-rows button")')
    await page.evaluate(
      `${tools}; all('.ledger-rows li').find((one) => /limit: beyond/.test(one.textContent)).querySelector('button').click()`,
    )
    await waitFor('/^Not selected: beyond limit 10/.test(text("#why .explanation p"))')
    expect(await read('text("#why .stages [data-passed=false] b")')).toBe('Within the limit')
    expect(await read('all("#why .compared dd").length')).toBe(2)
    await page.evaluate(`${tools}; one('.ledger').open = false; all('#why .buttons button').at(-1).click()`)
  })

  test('shows the authority block as a model would get it, each tier once and in order', async () => {
    const block = await read<string>('text(".context-block")')
    expect(block).toMatch(
      /^Where records disagree.*\n\n---\n\nProject rules\n[^]*\nReviewed\n[^]*\nNotes\n[^]*[^\n]\n$/,
    )
    for (const heading of ['Project rules', 'Reviewed', 'Notes'])
      expect(block.split('\n').filter((line) => line === heading)).toEqual([heading])
    expect(await read('new Set(all(".hit").map((one) => one.dataset.tier)).size')).toBeGreaterThan(0)
  })

  test('checks freshness against a picked folder, or says that this browser cannot pick one', async () => {
    if (kind !== 'chromium') {
      expect(await read('text("#folder .notes")')).toMatch(/^Not available in this browser/)
      expect(await read('all("#folder button").length')).toBe(0)
      return
    }
    await page.evaluate(`${tools}; ask(args[0])`, successor)
    await waitFor(`badgesOf(${JSON.stringify(successor)}).includes('?not checked')`)
    const text = await readFile(join(repository, successor), 'utf8')
    await page.evaluate(pickedFolder, { [successor]: text, 'test/unit/text/text-stem.test.ts': 'another' })
    await page.evaluate(`${tools}; one('#pick-folder').click()`)
    await waitFor('/^“picked” contains \\d+ files/.test(text("#folder .import-summary"))')
    await waitFor(`badgesOf(${JSON.stringify(successor)}).includes("✓fresh")`)
    await page.evaluate(`${tools}; ask(args[0])`, question)
    await choose('tokenpak')
    await waitFor(`badgesOf(${JSON.stringify(superseded)}).includes('△file changed')`)
    await choose('balanced')
    await page.evaluate(`${tools}; ask('src/core/number/exp.ts')`)
    await waitFor('badgesOf("src/core/number/exp.ts").includes("✕file gone")')
  })

  test('has names, labels and one heading line with everything open, and fits a narrow screen', async () => {
    await choose('tokenpak')
    await page.evaluate(`${tools}; one('.ledger').open = true; hit().querySelector('.hit-found button').click()`)
    await waitFor('one("#why .explanation") && one(".ledger-rows button")')
    expect(await page.evaluate(demoFaults)).toEqual([])
    await page.screenshot(join(folder, `${kind}.png`), { width: 320, height: 800 })
    const [inner, content] = await read<[number, number]>('[innerWidth, document.documentElement.scrollWidth]')
    expect(content).toBeLessThanOrEqual(inner)
  })

  test('reported no error', async () => {
    await page.evaluate('1')
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  /** `expect.poll` does not work in hooks. */
  function waitFor(condition: string, timeoutMs = 60_000): Promise<void> {
    const look = async () => {
      if (!(await page.evaluate(`${tools}; return Boolean(${condition})`))) throw new Error(`Never: ${condition}`)
    }
    return vi.waitFor(look, { timeout: timeoutMs, interval: 100 })
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }

  async function choose(policy: string): Promise<void> {
    await page.evaluate(`${tools}; one('label[for="policy-' + args[0] + '"]').click()`, policy)
    await waitFor(`fact('Policy').startsWith(${JSON.stringify(`${policy} `)})`)
  }
})

/** Returns a folder of these files from the browser's picker: a real one, of the origin's own storage. */
const pickedFolder = `
  const root = await navigator.storage.getDirectory()
  const picked = await root.getDirectoryHandle('picked', { create: true })
  for (const [path, text] of Object.entries(args[0])) {
    const names = path.split('/')
    let at = picked
    for (const name of names.slice(0, -1)) at = await at.getDirectoryHandle(name, { create: true })
    const file = await (await at.getFileHandle(names.at(-1), { create: true })).createWritable()
    await file.write(text)
    await file.close()
  }
  window.showDirectoryPicker = async () => picked
`
