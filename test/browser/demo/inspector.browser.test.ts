/**
 * Tests `<scrubjay-inspector>` in pages under a strict policy, Trusted Types included where the browser enforces them:
 * what it shows, by mouse and by keyboard, at 320 and 1280 pixels. With SCRUBJAY_PICTURES=FOLDER it saves its pictures
 * there.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type StrictPage, serveStrictPage } from '../../support/pages/serve-strict-page.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  // The page's own policy makes the worker's URL; the inspector has none.
  "require-trusted-types-for 'script'",
  'trusted-types page',
].join('; ')

let site: StrictPage

beforeAll(async () => {
  site = await serveStrictPage(pageScript, {
    policy,
    mounts: { '/dist': fileURLToPath(new URL('../../../dist/', import.meta.url)) },
  })
})

afterAll(() => site?.close())

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(site.url)
    await page.evaluate('window.opened')
  })

  afterAll(() => browser?.close())

  test('shows the store, its records, and an answer with its reasons', async () => {
    // It may have read the store before the records were in it; it updates itself.
    const head = 'shadow().querySelector("header p").textContent'
    expect(await page.evaluate(`until(() => ${head}.includes("4 records") && ${head})`)).toBe(
      'default: 4 records, memory, revision 1',
    )
    await page.evaluate('ask("why did the deploy fail")')
    expect(await page.evaluate('until(() => shadow().querySelector("[role=status]").textContent)')).toMatch(
      /^\d hits? in [\d.]+ ms\. Evidence: (strong|weak)\.$/,
    )
    expect(await page.evaluate('shadow().querySelector("ol.hits h3").textContent')).toBe('1. Deploy failed')
    const bars = await page.evaluate<string[]>(
      '[...shadow().querySelector("dl.bars").querySelectorAll("dt")].map((name) => name.textContent)',
    )
    expect(bars[0]).toBe('your words')
    expect(bars.length).toBeLessThanOrEqual(4)
    await page.evaluate(
      'for (const fold of shadow().querySelectorAll("ol.hits details")) fold.open = true; return null',
    )
    const rows = await page.evaluate<Row[]>('waterfall()')
    expect(rows.length).toBeGreaterThan(1)
    // Each bar begins where the one before it ended: to the right, or back to the left for a deduction.
    let end = rows[0]?.x ?? Number.NaN
    for (const { x, width } of rows) {
      const isForward = Math.abs(x - end) < leastWidth
      expect(Math.abs((isForward ? x : x + width) - end)).toBeLessThan(leastWidth)
      end = isForward ? x + width : x
    }
    expect((await page.evaluate<string[]>('summaries()')).filter((name) => name !== 'Numbers')).toEqual([
      'Query',
      'Table of hits',
      'Plan',
      'Ledger',
      'Records',
      'Store',
      'Telemetry',
    ])
    // [S5] The ledger is asked for when it is opened.
    const caption =
      '[...shadow().querySelectorAll("caption, .caption")].find((one) => one.textContent.startsWith("Ledger"))'
    expect(await page.evaluate(`${caption} === undefined`)).toBe(true)
    await page.evaluate(
      '[...shadow().querySelectorAll("details")].find(({ firstChild }) => firstChild.textContent === "Ledger").open = true',
    )
    expect(await page.evaluate(`until(() => ${caption}?.textContent)`)).toMatch(/^Ledger: \d+ not selected/)
  })

  test('shows text of records as text, and needs no style and no markup of its own', async () => {
    await page.evaluate('ask("breaking out of a page")')
    expect(await page.evaluate('until(() => shadow().querySelector("ol.hits h3")?.textContent.includes("<img"))')).toBe(
      true,
    )
    expect(await page.evaluate('shadow().querySelectorAll("img, script, style, [style]").length')).toBe(0)
    expect(await page.evaluate('shadow().adoptedStyleSheets[0].cssRules.length > 20')).toBe(true)
    expect(page.console.filter(({ level }) => level === 'error')).toEqual([])
    // Control: the policy is really in force.
    expect(await page.evaluate('refusesStyle()')).toBe(true)
  })

  test('follows changes, counts recalls, and ends when it is removed', async () => {
    await page.evaluate('store.put({ id: "new", body: "one more record" })')
    expect(
      await page.evaluate('until(() => shadow().querySelector("header p").textContent.includes("5 records"))'),
    ).toBe(true)
    await page.evaluate('store.recall("deploy").then(({ receipt }) => store.acknowledge(receipt, { fail: "used" }))')
    const told = await page.evaluate<string>('shadow().querySelector("details:last-of-type dl").textContent')
    expect(told).toMatch(/recalls[3-9].*abstained\d+ %.*100 % of 1/)
    expect(await page.evaluate('shadow().querySelector("svg.histogram").getAttribute("aria-label")')).toMatch(
      /^Recalls by time taken: \d+ /,
    )
    expect(await page.evaluate('removeAndCount()')).toEqual({ before: 1, after: 0, again: 1 })
  })

  test('reports an error of a question', async () => {
    await page.evaluate('ask("deploy", 0)')
    expect(await page.evaluate('until(() => shadow().querySelector("[role=status]").textContent)')).toMatch(/limit/)
  })

  if (kind === 'chromium') {
    test('can be used by keyboard alone', async () => {
      await page.evaluate('shadow().querySelector("input[type=search]").focus(); ask.clear()')
      await page.devtools('Input.insertText', { text: 'deploy' })
      await press(page, 'Enter', 13)
      expect(await page.evaluate('until(() => shadow().querySelector("ol.hits h3")?.textContent)')).toMatch(/Deploy/)
      const reached: string[] = []
      for (let i = 0; i < 24 && !reached.includes('Telemetry'); i++) {
        await press(page, 'Tab', 9)
        reached.push(await page.evaluate('shadow().activeElement?.textContent ?? ""'))
      }
      expect(reached).toEqual(expect.arrayContaining(['Recall', 'Plan', 'Records', 'Store', 'Telemetry']))
      await press(page, 'Enter', 13)
      expect(await page.evaluate('shadow().activeElement.parentElement.open')).toBe(true)
    })

    test('names every control', async () => {
      await page.evaluate('openAll()')
      const { nodes } = await page.devtools<{ nodes: readonly Accessible[] }>('Accessibility.getFullAXTree')
      const named = nodes.filter(({ ignored, role }) => !ignored && namedRoles.has(role?.value ?? ''))
      expect(named.length).toBeGreaterThan(8)
      expect(named.filter(({ name }) => !name?.value).map(({ role }) => role?.value)).toEqual([])
      expect(named.map(({ name }) => name?.value)).toEqual(expect.arrayContaining(['Query', 'Limit', 'Recall']))
    })

    test.each([
      [320, false],
      [320, true],
      [1280, false],
      [1280, true],
    ])('fits %i pixels, dark: %s', async (width, dark) => {
      const kept = process.env['SCRUBJAY_PICTURES']
      const folder = kept ?? (await mkdtemp(join(tmpdir(), 'scrubjay-pictures-')))
      await mkdir(folder, { recursive: true })
      await page.evaluate('openAll()')
      await page.screenshot(join(folder, `inspector-${width}-${dark ? 'dark' : 'light'}.png`), {
        width,
        height: width === 320 ? 2600 : 1500,
        dark,
      })
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width)
      const { ink, paper, soft } = await page.evaluate<Record<'ink' | 'paper' | 'soft', string>>('colours()')
      expect(contrast(ink, paper)).toBeGreaterThan(7)
      expect(contrast(soft, paper)).toBeGreaterThan(4.5)
      if (kept === undefined) await rm(folder, { recursive: true })
    })
  }
})

/** Of 100: a narrower bar is drawn with this width, beyond its end. */
const leastWidth = 0.61

interface Row {
  readonly x: number
  readonly width: number
}

interface Accessible {
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
}

const namedRoles = new Set([
  'button',
  'searchbox',
  'textbox',
  'spinbutton',
  'image',
  'region',
  'search',
  'table',
  'DisclosureTriangle',
])

async function press(page: Page, key: string, code: number): Promise<void> {
  const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' ? { text: '\r' } : {}) }
  await page.devtools('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
  await page.devtools('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
}

/** WCAG 2.2: relative luminances of two `#rrggbb`. */
function contrast(one: string, two: string): number {
  const [light, dark] = [luminance(one), luminance(two)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const pageScript = `
const trusted = globalThis.trustedTypes?.createPolicy('page', { createScriptURL: (url) => url })
const startWorker = () => {
  const url = new URL('/dist/worker/index.js', location.href).href
  return new Worker(trusted ? trusted.createScriptURL(url) : url, { type: 'module' })
}
const inspector = document.createElement('scrubjay-inspector')
window.shadow = () => inspector.shadowRoot

window.until = async (find) => {
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    const found = find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('not within 10 s: ' + find)
}

window.opened = (async () => {
  devtools.defineInspector()
  devtools.defineInspector()
  const telemetry = devtools.createTelemetry()
  const opened = await scrubjay.openRecall({ storage: 'memory', assets: { worker: startWorker, embedding: new URL('/dist/src/embedders/minilm-static-128.bin', location.href) } })
  window.store = devtools.withTelemetry(opened, telemetry)
  await store.put([
    { id: 'fail', title: 'Deploy failed', body: 'The deploy failed because the key of the server had been rotated on Monday.', tags: ['ops'] },
    { id: 'docs', title: 'Deploy the docs', body: 'Documentation is deployed by hand after each release.', reasons: [{ code: 'user_pinned' }] },
    { id: 'bad', title: '<img src=x onerror="document.title=1">', body: 'breaking out of a page </style><script>' },
    { id: 'long', title: 'A record with a long line', body: 'x'.repeat(300) + ' deploy ' + 'y'.repeat(300), kind: 'log', tags: ['a', 'b'] },
  ])
  document.body.append(inspector)
  Object.assign(inspector, { telemetry, recall: store })
})()

window.ask = (text, limit = 10) => {
  const [input, number] = shadow().querySelectorAll('input')
  input.value = text
  number.value = limit
  shadow().querySelector('[role=status]').textContent = ''
  shadow().querySelector('form').requestSubmit()
}
window.ask.clear = () => {
  for (const input of shadow().querySelectorAll('input')) input.value = input.type === 'number' ? 10 : ''
}
window.waterfall = () => [...shadow().querySelectorAll('ol.hits li:first-child .waterfall rect.more, ol.hits li:first-child .waterfall rect.less')]
  .map((rect) => ({ x: Number(rect.getAttribute('x')), width: Number(rect.getAttribute('width')) }))
window.summaries = () => [...shadow().querySelectorAll('summary')].map(({ textContent }) => textContent)
window.openAll = () => {
  for (const details of shadow().querySelectorAll('details')) details.open = true
  scrollTo(0, 0)
}
window.refusesStyle = () => {
  const probe = document.createElement('p')
  probe.setAttribute('style', 'color: rgb(1, 2, 3)')
  document.body.append(probe)
  const isRefused = getComputedStyle(probe).color !== 'rgb(1, 2, 3)'
  probe.remove()
  return isRefused
}
window.removeAndCount = async () => {
  const real = store.subscribe
  let listening = 0
  const counting = { ...store, subscribe: (...given) => { listening += 1; const stop = real(...given); return () => { listening -= 1; stop() } } }
  inspector.recall = counting
  const before = listening
  inspector.remove()
  const after = listening
  document.body.append(inspector)
  return { before, after, again: listening }
}
window.colours = () => {
  const style = getComputedStyle(inspector)
  return Object.fromEntries(['ink', 'paper', 'soft'].map((name) => [name, style.getPropertyValue('--' + name).trim()]))
}
`
