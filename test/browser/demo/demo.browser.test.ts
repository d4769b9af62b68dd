/**
 * Tests the demo as a visitor sees it, built and served like `npm start`, in every browser: it fills its store,
 * answers while the visitor types, explains, filters, imports, forgets and keeps. One page per browser, because one
 * tab owns the store.
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
const error = "Cannot find name 'setTimeout'"

let folder: string
let site: Awaited<ReturnType<typeof serveFolder>>
// As built: the sources may change while the tests run.
let sampleSize: number

beforeAll(async () => {
  folder = await copyDemo()
  sampleSize = (await readFile(join(folder, 'sample.jsonl'), 'utf8')).trim().split('\n').length
  site = await serveFolder(folder, { headers: { 'Content-Security-Policy': headerPolicy } })
})

afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the sample is a few hundred different records of several kinds, without a path of its build machine', async () => {
  const records = sampleRecords(repository)
  expect(records.length).toBeGreaterThan(200)
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
  expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(['document', 'source', 'test', 'run']))
  for (const { kind, project, tags, files, source, createdAt } of records) {
    expect([kind, project, tags, files, source, createdAt]).not.toContain(undefined)
  }
  expect(await readFile(join(folder, 'sample.jsonl'), 'utf8')).not.toContain(repository)
})

describe.each(availableBrowsers())('%s', (kind) => {
  // WebKitGTK’s window cannot be narrower than half of what other browsers allow.
  const narrow = kind === 'webkit' ? 640 : 320
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
    // The first visit stores the whole sample.
    await waitFor('!document.querySelector(".notice") && document.querySelector(".hit")', 170_000)
  })

  afterAll(async () => {
    await browser?.close()
  })

  beforeEach(async () => {
    await ask('')
    await waitFor('heading() === "Newest records"')
  })

  test('fills the store on the first visit and says where it is stored', async () => {
    await waitFor(
      '/ records /.test(text("#store-brief")) && document.querySelector("#store-status .notes, #store-status dd")',
    )
    const brief = await read<string>('text("#store-brief")')
    expect(brief).toMatch(/^\S+ records · kept in this browser$/)
    // With or without separators: the browser's locale decides.
    expect((await fact('#store-status', 'Records'))?.replaceAll(/\D/g, '')).toBe(String(sampleSize))
    expect(await fact('#store-status', 'Backend')).toBe(kind === 'webkit' ? 'indexeddb, committed' : 'opfs, committed')
    expect(await fact('#store-status', 'Vectors')).toMatch(/ in minilm-static-128$/)
    // [P2] A lost capability is always reported.
    expect(await read<number>('all("#store-status .notes li").length')).toBeGreaterThanOrEqual(
      kind === 'webkit' ? 1 : 0,
    )
  })

  test('answers while the visitor types, with the newest question last, and shows marks, bars, plan and receipt', async () => {
    for (let end = 1; end <= error.length; end++) await type(error.slice(0, end))
    // A word still being typed is weak evidence at most, so strong evidence shows that the answer is the last question's.
    await waitFor(
      'text(".hit h3") === "The compiler refuses timers and the DOM in core" && marked().includes("setTimeout") && text("#evidence strong") === "Strong evidence."',
    )
    const [score, amounts] = await read<[number, number[]]>(
      '[Number(hit().querySelector(".hit-score").lastChild.data), [...hit().querySelectorAll(".legend b")].map((b) => Number(b.textContent))]',
    )
    expect(amounts.length).toBeGreaterThan(1)
    expect(Math.abs(amounts.reduce((sum, one) => sum + one, 0) - score)).toBeLessThan(0.02)
    const bars = await read<number[]>(
      '[...hit().querySelectorAll(".bar-part")].map((p) => p.getBoundingClientRect().width)',
    )
    expect(bars[0]).toBeGreaterThan(50)
    const ran = await read(
      'Object.fromEntries(all(".plan tbody th").map((name) => [name.textContent, name.parentElement.dataset.ran]))',
    )
    expect(ran).toMatchObject({ lexical: 'true', vector: 'true', recent: 'false' })
    expect(await read('text(".receipt-id code")')).toMatch(/^sel-[0-9a-f]{16}$/)
    expect(await read('text(".hit-found")')).toMatch(/lexical #1/)
    expect(await read('text("#live")')).toMatch(/^\d+ hits?, evidence strong\.$/)
    expect(await read('document.querySelector(".sparkline").getAttribute("aria-label")')).toMatch(/median/)
    expect(await read('location.search')).toContain('setTimeout')
  })

  test('many questions at once: only the last answer is shown', async () => {
    const last = await answerTo('quota exceeded')
    await ask('')
    await waitFor('heading() === "Newest records"')
    await page.evaluate(
      `${tools}; for (const text of ['stem', 'vector', 'journal', 'quota', 'quota exceeded']) ask(text)`,
    )
    await waitFor(`ids().join() === ${JSON.stringify(last.join())}`)
    expect(await read('all(".notice").length')).toBe(0)
  })

  test('says that nothing answers, and hides the rest until the visitor opens it', async () => {
    await ask('qwertzuiop zyxwvut wibblewobble')
    await waitFor('text("#evidence strong") === "Nothing here answers this."')
    expect(await read('document.getElementById("hits").checkVisibility()')).toBe(false)
    expect(await read('text("#live")')).toBe('Nothing here answers this.')
  })

  test('shows the ledger with a reason for each, and more hits on request', async () => {
    const first = await answerTo('store')
    await page.evaluate(`${tools}; one(".ledger").open = true`)
    await waitFor('all(".ledger-rows li").length > 0')
    const reasons = await read<string[]>('all(".ledger-rows li > .quiet").map((one) => one.textContent)')
    expect(reasons.some((reason) => reason.startsWith('limit: beyond limit 10'))).toBe(true)
    await page.evaluate(`${tools}; one("#more button").click()`)
    await waitFor('ids().length === 20')
    // [S4] A larger limit only appends.
    expect((await read<string[]>('ids()')).slice(0, 10)).toEqual(first)
  })

  test('narrows by chips, with the counts they promise', async () => {
    await ask('fails')
    const promised = await read<string>('chip("kind:run").querySelector(".chip-count").textContent.trim()')
    await page.evaluate(`${tools}; chip("kind:run").click()`)
    await waitFor(
      'all(".hit").length > 0 && all(".hit").every((one) => one.querySelector(".badge").textContent === "run")',
    )
    expect(await fact('#how', 'Scope')).toBe(`${promised} records`)
    expect(await read('chip("kind:run").getAttribute("aria-pressed")')).toBe('true')
    await page.evaluate(`${tools}; chip("tag:failed").click()`)
    await waitFor('all(".hit").every((one) => one.textContent.includes("exit 1"))')
    await page.evaluate(`${tools}; chip("tag:failed").click(); chip("kind:run").click()`)
    await waitFor('chip("kind:run").getAttribute("aria-pressed") === "false"')
  })

  test('imports dropped Markdown and picked JSONL, lists refused lines, and shows markup as text', async () => {
    const markdown =
      '# Garden\n\n## Roses\nPrune them in March.\n\n## Beans\nSow after the last frost. <img src=x onerror=alert(1)>\n'
    await page.evaluate(`${tools}; drop(new File([args[0]], 'garden.md', { lastModified: 1e12 }))`, markdown)
    await waitFor('text(".import-summary") === "2 records added."')
    await ask('prune roses')
    await waitFor('text(".hit h3") === "Garden › Roses"')
    await ask('beans frost')
    await waitFor('text(".hit h3") === "Garden › Beans"')
    expect(await read('text(".hit .snippet")')).toContain('<img src=x onerror=alert(1)>')
    expect(await read('document.querySelectorAll(".hit img").length')).toBe(0)

    const lines = '{"title":"Compost heap","tags":["garden"]}\n{"titel":"typo"}\nnot json\n{"title":"x","tags":5}\n'
    await page.evaluate(`${tools}; pick(new File([args[0]], 'some.jsonl'))`, lines)
    await waitFor('text(".import-summary") === "1 record added, 3 refused."')
    const refused = await read<string[]>('all(".import-outcome li").map((line) => line.textContent)')
    expect(refused.sort()).toEqual([
      expect.stringMatching(/^some\.jsonl, line 2: .*titel/),
      expect.stringMatching(/^some\.jsonl, line 3: must be JSON/),
      expect.stringMatching(/^some\.jsonl, line 4: .*tags/),
    ])

    await page.evaluate(`${tools}; drop(new File([args[0]], 'garden.md', { lastModified: 1e12 }))`, markdown)
    await waitFor('text(".import-summary") === "2 unchanged."')
  })

  test('imports pasted text', async () => {
    await page.evaluate(
      `${tools}; one('.paste').open = true; one('#pasted').value = 'The spare key hangs behind the clock.'; one('.paste button').click()`,
    )
    await waitFor('text(".import-summary") === "1 record added."')
    await ask('where is the spare key')
    await waitFor('text(".hit .snippet") === "The spare key hangs behind the clock."')
  })

  test('[W3] deletes after a press and a second one elsewhere, and shows the proof', async () => {
    await page.evaluate(
      `${tools}; drop(new File(['# Secret\\nThe vault opens with zanzibar.\\n# Open\\nNo key.'], 'secret.md'))`,
    )
    await waitFor('text(".import-summary") === "2 records added."')
    await pressDelete('zanzibar', 'Secret')
    // Hidden at once, and one press restores it.
    await waitFor('!ids().includes("secret.md#Secret") && text(".toast p") === "Record deleted."')
    expect(await read('document.activeElement.className')).toBe('toast')
    await page.evaluate(`${tools}; toast('undo').click()`)
    await waitFor('text(".hit h3") === "Secret" && !one(".toast")')

    // A press after an Undo is not a double-click: it deletes again, however soon it comes.
    await page.evaluate(`${tools}
      const until = async (isTrue) => { while (!isTrue()) await new Promise(requestAnimationFrame) }
      const canDelete = () => !one('.toast') && text('.hit h3') === 'Secret' && (one('.hit details').open = true, one('.hit .danger'))
      for (let time = 0; time < 2; time++) {
        await until(canDelete)
        one('.hit .danger').click()
        await until(() => toast('undo'))
        toast('undo').click()
      }`)
    await waitFor('text(".hit h3") === "Secret" && !one(".toast")')

    // “Delete now” ignores presses at first: a second press at the same place may hit it. Both presses in one go, as
    // fast as a finger.
    await pressDelete(
      'zanzibar',
      'Secret',
      `while (!toast('now')) await new Promise(requestAnimationFrame); toast('now').click()`,
    )
    expect(await read('all(".proof").length')).toBe(0)
    await waitFor('canDeleteNow()')
    await page.evaluate(`${tools}; toast('now').click()`)
    await waitFor('text(".proof strong") === "Deleted. Nothing of it is left on this device."')
    expect(await read('[one(".proof details").open, text(".proof summary")]')).toEqual([false, 'Show the proof'])
    expect(await read('all(".proof dd").map((count) => count.textContent)')).toEqual(['0', '0', '0', '0', '0', '0'])
    await page.evaluate(`${tools}; toast('close').click()`)
    await ask('zanzibar ')
    await waitFor('heading() !== "One moment …"')
    expect(await read('ids()')).not.toContain('secret.md#Secret')
  })

  test('[W3] forgets at the next start what was deleted when the page was closed', async () => {
    await page.evaluate(`${tools}; drop(new File(['# Diary\\nNobody may read of quetzalcoatl.'], 'diary.md'))`)
    await waitFor('text(".import-summary") === "1 record added."')
    await pressDelete('quetzalcoatl', 'Diary')
    await waitFor('toast("undo")')
    await page.reload()
    await waitFor('!document.querySelector(".notice") && heading() !== "One moment …"')
    await ask('quetzalcoatl')
    await waitFor('text("#evidence strong") === "Nothing here answers this."')
    expect(await read('ids()')).not.toContain('diary.md#Diary')
    await waitFor('!Object.keys(localStorage).some((key) => key.includes("deleting"))')
  })

  test('can be used by keyboard alone', async () => {
    await answerTo('quota exceeded')
    await page.evaluate('document.activeElement.blur()')
    await page.evaluate(`${tools}; press('/')`)
    expect(await read('document.activeElement.id')).toBe('query')
    await page.evaluate(`${tools}; press('ArrowDown'); press('ArrowDown')`)
    expect(await read('all(".hit").indexOf(document.activeElement)')).toBe(1)
    await page.evaluate(`${tools}; press('ArrowUp'); press('ArrowUp')`)
    expect(await read('document.activeElement.id')).toBe('query')
    await page.evaluate(`${tools}; press('ArrowDown'); press('Escape')`)
    expect(await read('[document.activeElement.id, one("#query").value]')).toEqual(['query', ''])
    await waitFor('heading() === "Newest records"')
  })

  test('has landmarks, names, one heading line and unique ids', async () => {
    await answerTo('quota exceeded')
    await page.evaluate(
      `${tools}; one('.hit details').open = true; one('.ledger').open = true; one('.paste').open = true`,
    )
    await waitFor('one(".hit .danger")')
    expect(await page.evaluate(demoFaults)).toEqual([])
  })

  test('fits a narrow screen', async () => {
    await answerTo(error)
    await page.evaluate(`${tools}; one('.hit details').open = true`)
    await page.screenshot(join(folder, `${kind}.png`), { width: 320, height: 800 })
    const [inner, content] = await read<[number, number]>('[innerWidth, document.documentElement.scrollWidth]')
    expect(content).toBeLessThanOrEqual(inner)
    // WebKit's window cannot be narrower than its own toolbar.
    expect(inner).toBeLessThanOrEqual(narrow)
  })

  test('keeps its records over a reload, and says so beforehand', async () => {
    await ask('prune roses')
    const records = await fact('#store-status', 'Records')
    const safety = await read<string>('text(".safety")')
    await page.reload()
    await waitFor('!document.querySelector(".notice") && document.querySelector(".hit")')
    expect(safety).toMatch(/^Stored on this device/)
    await waitFor('text(".hit h3") === "Garden › Roses"')
    expect(await fact('#store-status', 'Records')).toBe(records)
  })

  test('reported no error', async () => {
    await page.evaluate('1')
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  /** `expect.poll` does not work in hooks. */
  function waitFor(condition: string, timeoutMs = 60_000): Promise<void> {
    const look = async () => {
      if (await page.evaluate(`${tools}; return Boolean(${condition})`)) return
      throw new Error(`Never: ${condition}\n${await read('document.body.innerText.slice(0, 1500)').catch(String)}`)
    }
    return vi.waitFor(look, { timeout: timeoutMs, interval: 100 })
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }

  /** The value next to a name in one of the panels' lists. */
  function fact(panel: string, name: string): Promise<string | undefined> {
    return read(`all('${panel} dt').find((one) => one.textContent === '${name}')?.nextElementSibling.textContent`)
  }

  async function type(text: string): Promise<void> {
    await page.evaluate(`${tools}; type(args[0])`, text)
  }

  /** With Enter: as a whole question. */
  async function ask(text: string): Promise<void> {
    await page.evaluate(`${tools}; ask(args[0])`, text)
  }

  async function pressDelete(question: string, title: string, andThen = ''): Promise<void> {
    await ask(question)
    // Looks and presses in one go: the page may draw the answer again at any time. Like a double-click: at the second
    // press the button is gone, or does nothing.
    await waitFor(`await (async () => {
      if (text('.hit h3') !== '${title}') return false
      one('.hit details').open = true
      const button = one('.hit .danger')
      if (!button) return false
      button.click()
      button.click()
      ${andThen}
      return true
    })()`)
  }

  async function answerTo(text: string): Promise<readonly string[]> {
    await ask('')
    await waitFor('heading() === "Newest records"')
    await ask(text)
    await waitFor('/^\\d+ hits?$/.test(heading())')
    return read('ids()')
  }
})
