/**
 * Tests the demo's assemble panel, in every browser: a context within a budget, what was dropped and why, what
 * surfaces unasked, its quality, outcomes the store learns from, and the life and links of one record. The rest:
 * demo.browser.test.ts.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sampleRecords } from '../../../demo/sample/sample.mjs'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyDemo } from '../../support/pages/built-demo.ts'
import { demoFaults, demoTools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const question = 'the tokeniser agrees with SQLite'
const due = 'demo/samples/types-fail.txt'

/** WebKit fills its store slowly on a busy machine. */
const fillMs = 150_000

const tools = `${demoTools}
  const set = (id, value) => {
    one('#' + id).value = value
    one('#' + id).dispatchEvent(new Event('input', { bubbles: true }))
  }
  const packed = () => all('.packed-record').map((one) => one.dataset.id)
  const row = (id) => one('.packed-record[data-id="' + id + '"]')
  const thumb = (id, outcome) => row(id).querySelector('[data-outcome="' + outcome + '"]')
  const meter = () => one('.token-meter [role=meter]')
  const taken = () => Number(text('.token-meter .figure').split(' of ')[0].replaceAll(',', ''))
  const most = () => Number(meter().getAttribute('aria-valuemax'))
  const lost = () => [...one('#assemble').querySelectorAll('.ledger-rows li > .quiet')].map((one) => one.textContent)
  const happened = () => all('.timeline li').map((one) => one.dataset.kind)
`

let folder: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  folder = await copyDemo()
  await keepPart(join(folder, 'sample.jsonl'))
  site = await serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } })
})

afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

test('runs of the sample build up pressure until resolved, or cycle, and name records of the sample to link with', () => {
  const records = sampleRecords(join(import.meta.dirname, '../../..'))
  const ids = new Set(records.map(({ id }) => id))
  const runs = records.filter(({ kind }) => kind === 'run')
  expect(runs.filter(({ pressureRate = 0 }) => pressureRate > 0).length).toBeGreaterThan(1)
  expect(runs.filter(({ cycles = [] }) => cycles.length > 0).length).toBeGreaterThan(1)
  expect(runs.filter(({ files = [] }) => files.some(({ path }) => ids.has(path))).length).toBeGreaterThan(1)
})

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
    await waitFor('!document.querySelector(".notice") && document.querySelector(".hit")', fillMs)
    await page.evaluate(`${tools}; ask(args[0])`, question)
    await waitFor(`packed()[0] === 'demo/samples/words-pass.txt'`)
    await limit('max-tokens', 4000)
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('packs what the question finds and what is due, and marks due records', async () => {
    expect(await read('packed().length')).toBe(6)
    const marked = await read<string[]>(
      `all('.packed-record[data-proactive=true]').map((one) => one.dataset.id + ': ' + one.querySelector('.badge').textContent)`,
    )
    expect(marked).toEqual([`${due}: surfaced as due`])
    expect(await read('text(".packed-brief")')).toMatch(/^5 records found · 1 surfaced as due · /)
    expect(await read('text(".written-text")')).toMatch(/^- The tokeniser agrees with SQLite/)
    // A superseded run has pressure, too, and the gate keeps it out.
    await page.evaluate(`${tools}; one('#assemble .ledger').open = true`)
    await waitFor('lost().length > 0')
    const reasons = await read<string[]>('lost()')
    expect(reasons).toContain('gate: superseded by src/core/text/tokenise/stem.ts')
    expect(reasons.some((reason) => reason.startsWith('items: beyond maxItems 6'))).toBe(true)
    await page.evaluate(`${tools}; one('#assemble .ledger').open = false`)
  })

  test('[S1] never takes more tokens than the slider allows, and lists the records dropped for it', async () => {
    const [whole, records] = await read<[number, number]>('[taken(), packed().length]')
    const step = Math.floor((whole - 1) / 50) * 50
    await limit('max-tokens', step)
    const [less, fewer] = await read<[number, number]>('[taken(), packed().length]')
    expect(less).toBeLessThanOrEqual(step)
    expect([less < whole, fewer < records]).toEqual([true, true])
    expect(await read('meter().getAttribute("aria-valuetext")')).toBe(await read(`text(".token-meter .figure")`))
    await page.evaluate(`${tools}; one('#assemble .ledger').open = true`)
    await waitFor('lost().some((reason) => reason.startsWith("tokens: "))')
    expect(await read('text("#live")')).toMatch(/ [1-9]\d* over the token budget /)
    await page.evaluate(`${tools}; one('#assemble .ledger').open = false`)
    // The first record is always kept, and then the meter says that it does not fit.
    await limit('max-tokens', 50)
    await page.evaluate(`${tools}; set('max-items', 1); set('reserve-proactive', 0)`)
    await waitFor('packed().length === 1')
    expect(await read('[one(".token-meter").dataset.over, taken() > most()]')).toEqual(['true', true])
    await page.evaluate(`${tools}; set('max-items', 6); set('reserve-proactive', 1)`)
    await limit('max-tokens', 4000)
    await waitFor('packed().length === 6')
  })

  test.each([
    ['structured', /^\[\n {2}\{\n/],
    ['xml', /^<records>\n {2}<record>\n/],
    ['natural', /^1\. id: /],
    ['recall', /tokeniser agrees/],
    ['content', /^- The tokeniser/],
  ])('writes the context as %s', async (format, start) => {
    await page.evaluate(`${tools}; set('context-format', args[0])`, format)
    await waitFor(`${start}.test(text('.written-text'))`)
    expect(await read('taken()')).toBeGreaterThan(0)
  })

  test('shows quality with a name, a bar and a number each', async () => {
    expect(await read('all(".gauges dt").map((one) => one.textContent)')).toEqual([
      'Feeling of knowing',
      'Score spread',
      'Staleness',
      'Confidence',
    ])
    const [numbers, bars] = await read<[number[], number[]]>(
      `[all('.gauges .figure').map((one) => Number(one.textContent)), all('.gauges .length').map((one) => one.getBoundingClientRect().width / one.parentElement.getBoundingClientRect().width)]`,
    )
    expect(numbers[0]).toBeGreaterThan(0)
    for (const [i, value] of numbers.entries()) expect(bars[i]).toBeCloseTo(Math.min(1, value), 1)
  })

  test('learns from thumbs: confidence moves, used records get linked, and resolved records do not surface again', async () => {
    const [first = '', second = ''] = await read<string[]>('packed()')
    await page.evaluate(`${tools}; thumb(args[0], 'acted').focus(); thumb(args[0], 'acted').click()`, first)
    await waitFor(`row(${JSON.stringify(first)}).querySelector('.learned').textContent !== ''`)
    expect(await read(`row(${JSON.stringify(first)}).querySelector('.learned').textContent`)).toMatch(
      /^confidence 0\.50 → 0\.[67]\d$/,
    )
    expect(
      await read(
        `[document.activeElement === thumb(${JSON.stringify(first)}, 'acted'), document.activeElement.ariaPressed]`,
      ),
    ).toEqual([true, 'true'])
    await waitFor('happened().includes("outcome") && happened().includes("confidence")')
    await page.evaluate(`${tools}; thumb(args[0], 'used').click()`, second)
    await waitFor(`row(${JSON.stringify(second)}).querySelector('.learned').textContent !== ''`)
    await waitFor(
      `all('.link-names button').some((one) => one.title === ${JSON.stringify(second)}) && one('.link-graph')`,
    )
    expect(await read('all(".link-graph text").length === all(".link-names li").length')).toBe(true)
    await page.evaluate(`${tools}; thumb(args[0], 'acted').click()`, due)
    await waitFor(`row(${JSON.stringify(due)}).querySelector('.learned').textContent !== ''`)
    await page.evaluate(`${tools}; set('max-tokens', 3000)`)
    await waitFor(`most() === 3000 && !packed().includes(${JSON.stringify(due)})`)
  })

  test('shows the life of a chosen record, and leads on along its links', async () => {
    await page.evaluate(`${tools}; all('.packed-record')[1].querySelector('.packed-feedback > button').click()`)
    await waitFor('document.activeElement === one("#life-heading")')
    const heading = await read('text("#life-heading")')
    expect(await read('happened()[0]')).toBe('create')
    await page.evaluate(`${tools}; one('.link-names button').click()`)
    await waitFor(
      `document.activeElement === one("#life-heading") && text("#life-heading") !== ${JSON.stringify(heading)}`,
    )
    expect(await read('text("#live")')).toBe(await read('text("#life-heading")'))
  })

  test('has names, labels and one heading line, and fits a narrow screen', async () => {
    await page.evaluate(`${tools}; one('#assemble .ledger').open = true`)
    await waitFor('lost().length > 0')
    expect(await page.evaluate(demoFaults)).toEqual([])
    expect(await read('all("#assemble input, #assemble select").every((one) => one.labels.length === 1)')).toBe(true)
    await page.screenshot(join(folder, `${kind}.png`), { width: 320, height: 800 })
    const [inner, content] = await read<[number, number]>('[innerWidth, document.documentElement.scrollWidth]')
    expect(content).toBeLessThanOrEqual(inner)
  })

  test('a forgotten record leaves the context and its life at once', async () => {
    const id = await read<string>('ids()[0]')
    expect(await read('packed()')).toContain(id)
    await page.evaluate(
      `${tools}; row(args[0]).querySelector('.packed-feedback > button').click(); hit().querySelector('details').open = true`,
      id,
    )
    await waitFor('one(".hit .danger") && document.activeElement === one("#life-heading")')
    await page.evaluate(`${tools}; one('.hit .danger').click(); one('.hit .danger').click()`)
    await waitFor(`all('.proof').length === 1 && !packed().includes(${JSON.stringify(id)})`)
    await waitFor('text(".life-content") === "This record is no longer stored."')
  })

  test('reported no error', async () => {
    await page.evaluate('1')
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  /** `expect.poll` does not work in hooks. */
  function waitFor(condition: string, timeoutMs = 30_000): Promise<void> {
    const look = async () => {
      if (!(await page.evaluate(`${tools}; return Boolean(${condition})`))) throw new Error(`Never: ${condition}`)
    }
    return vi.waitFor(look, { timeout: timeoutMs, interval: 100 })
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }

  /** Sets the budget and waits for its context. */
  async function limit(id: string, value: number): Promise<void> {
    await page.evaluate(`${tools}; set(args[0], args[1])`, id, value)
    await waitFor(`most() === ${value}`)
  }
})

/** Enough records to choose from, and filled in a fraction of the time. */
async function keepPart(path: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  const kept = lines.filter((line) =>
    /^(demo\/samples|src\/core\/(text|collections|similarity|lexical)|worker\/(store|sqlite)\/sqlite)/.test(
      JSON.parse(line).id,
    ),
  )
  await writeFile(path, `${kept.join('\n')}\n`)
}
