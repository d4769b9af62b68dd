/**
 * Tests the demo as a visitor sees it, built and served like `npm start`, one walk in every browser and the rest in the first: the three stories, typing, reasons,
 * the context, import, deletion, keyboard and reload. One page per browser, because one tab owns the store. Folders, same names
 * and the deletion of everything: demo-own.browser.test.ts.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleRecords } from '../../../demo/sample/sample.mjs'
import { headerPolicy } from '../../../demo/security-policy.mjs'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { detailIn } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyDemo } from '../../support/pages/built-demo.ts'
import { demoFaults } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { demoSession } from './demo-session.ts'

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

test('the sample has 400 to 800 different records with corrections, duplicates, sessions and an expired record', () => {
  const records = sampleRecords()
  const ids = new Set(records.map(({ id }) => id))
  expect(records.length).toBeGreaterThan(400)
  expect(records.length).toBeLessThan(800)
  expect(ids.size).toBe(records.length)
  const old = records.filter(({ status }) => status === 'superseded')
  expect(old.length).toBeGreaterThan(4)
  for (const { supersededBy } of old) expect(ids).toContain(supersededBy)
  expect(new Set(records.flatMap(({ session }) => session ?? [])).size).toBeGreaterThan(15)
  expect(records.some(({ validUntil }) => validUntil != null)).toBe(true)
  expect(records).toEqual(sampleRecords())
})

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let page: Page
  const { remove, run, read, until } = demoSession(() => page)

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
    await until('one("#store-status .facts") && !one(".notice")', 170_000)
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('the first page has its question box with focus and three cards, and the store says where it is', async () => {
    expect(await read('all(".story-question").length')).toBe(3)
    expect(await read('text("#store-brief")')).toBe(`${sampleRecords().length} records · kept in this browser`)
    expect(await read('one("#drawer").hidden')).toBe(true)
  })

  test('first story: the letter wins, and the note that it replaced is struck through', async () => {
    await run('story(0).click()')
    await until('hit()?.dataset.id === "letter/dinner-letter"')
    expect(await read('text("#evidence strong")')).toBe('Strong evidence.')
    expect(await read('[...hit().querySelectorAll(".replaced s")].map((one) => one.textContent).join()')).toMatch(
      /Saturday 10 October/,
    )
    expect(await read('ids().includes("note/dinner-note")')).toBe(false)
  })

  test('second story: nothing answers, and the nearest records stay hidden until the visitor opens them', async () => {
    await run('story(1).click()')
    await until('text("#evidence strong") === "Nothing here answers this."')
    expect(await read('one("#hits").checkVisibility()')).toBe(false)
    expect(await read('text("#live")')).toBe('Nothing here answers this.')
  })

  detail('a name that no record has is not answered by a near word, which the page names', async () => {
    await run('ask("what is the weather in Parzts")')
    await until('readings().join() === "No record has “Parzts”. Read as parts×"')
    expect(await read('text("#evidence strong")')).toBe('Nothing here answers this.')
    expect(await read('one("#hits").checkVisibility()')).toBe(false)
    await run('ask("bike chain")')
    await until('all(".hit").length === 5 && one("#readings").hidden')
  })

  detail('a chip shows which days a time names; a press searches for its words, a second press undoes it', async () => {
    await run('ask("what did I do last week")')
    await until('text("#answer-heading") === "10 records of this time" && readings().length === 1')
    expect(await read('readings()[0].replace(/\\s/g, " ")')).toMatch(/^last week: Nov 9 . 15, 2026×$/)
    await run('one("#readings button").click()')
    await until('readings().join() === "“last week” as written↺" && all("#hits mark").length > 0')
    await run('one("#readings button").click()')
    await until('text("#answer-heading") === "10 records of this time"')
    await run('one("#readings button").click()')
    await until('readings().join() === "“last week” as written↺"')
    await run('ask("what did I do last month")')
    await until('readings().length === 1 && readings()[0].startsWith("last month: ")')
  })

  detail('a kind narrows the answer, and the hits are sorted by date', async () => {
    await run('ask("choir")')
    await until('all(".hit").length === 5')
    expect(await read('all("#kinds .chip").map((one) => one.textContent)')).toContain('Letters29')
    await run('one("[data-chip=letter]").click()')
    await until(
      'all("#hits .source").length > 1 && all("#hits .source").every((one) => one.textContent.startsWith("Letter"))',
    )
    await run('one("[data-chip=letter]").click()')
    for (const order of ['newest', 'oldest']) {
      await run(`one("#order").value = ${JSON.stringify(order)}; one("#order").dispatchEvent(new Event("change"))`)
      await until(`isSorted(${order === 'newest' ? -1 : 1})`)
    }
    await run('one("#order").value = "best"; one("#order").dispatchEvent(new Event("change"))')
    await until('all(".hit").length === 5')
  })

  detail('the word that is being typed is completed by the right arrow key or a press', async () => {
    for (const accept of [
      'one("#query").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }))',
      'one(".complete").click()',
    ]) {
      await run('one("#query").focus(); type("bike ch")')
      await until('text(".ghost") === "bike chain"')
      await run(accept)
      await until('one("#query").value === "bike chain" && one(".ghost").hidden && text(".hit h3") === "Bike chain"')
    }
  })

  detail('the record whose title is the question comes first', async () => {
    await run('ask("tulips")')
    await until('text(".hit h3") === "Tulips"')
    expect(await read('hit().querySelector(".badge").textContent')).toBe('exact title')
    await run('hit().querySelector(".why-this").click()')
    await until(
      'sentence() === "Shown. It is first because its title is the question. By score it would be at place 2."',
    )
  })

  detail('third story: the drawer says in one sentence why the voucher is missing', async () => {
    await run('story(2).click()')
    await until('/^Left out\\. It was valid until .* has expired since\\.$/.test(sentence() ?? "")')
    expect(await read('one("#why .numbers").open')).toBe(false)
    expect(await read('text("#why .stages [data-passed=false] b")')).toBe('Among the records asked')
  })

  detail('many questions at once: only the last answer is shown', async () => {
    await run(`for (const text of ['cello', 'tap', 'Lisbon', 'bike chain']) ask(text)`)
    await until('/[Cc]hain/.test(text(".hit h3") ?? "")')
    expect(await read('all(".notice").length')).toBe(0)
    expect(await read('location.search')).toContain('bike')
  })

  test('a hit explains itself: at most four bars in words, and the cut between shown and left out', async () => {
    await run('ask("bike chain")')
    await until('text(".hit h3") === "Bike chain" && all(".hit").length === 5 && one("#hits .why-this")')
    await run('one("#hits .why-this").click()')
    await until('/^Shown\\./.test(sentence() ?? "") && one(".cut-list .cut")')
    const bars = await read<string[]>('all("#why .bars dt").map((one) => one.textContent)')
    expect(bars.length).toBeGreaterThan(0)
    expect(bars.length).toBeLessThanOrEqual(4)
    expect(bars).toContain('your words')
    expect(await read('all(".cut-list li").findIndex((one) => one.className === "cut")')).toBe(5)
    await run('one("#more button").click()')
    // [S4] A larger limit only appends.
    await until('all(".hit").length === 10')
  })

  test('[S1] the context stays within its budget', async () => {
    await run('ask("bike chain"); one("#tab-context").click()')
    await until('packed().length > 0 && one(".token-meter [role=meter]")')
    await run('fill("#max-tokens", "100")')
    await until('one(".token-meter [role=meter]").getAttribute("aria-valuemax") === "100"')
    expect(await read('one(".token-meter").dataset.over === "true" ? packed().length === 1 : true')).toBe(true)
    await run('fill("#max-tokens", "2000")')
    await until('one(".token-meter [role=meter]").getAttribute("aria-valuemax") === "2000"')
  })

  detail.each([
    ['structured', /^\[\n {2}\{\n/],
    ['xml', /^<records>\n {2}<record>\n/],
    ['natural', /^1\. id: /],
    ['recall', /[Cc]hain/],
    ['content', /^- /],
  ])('writes the context as %s', async (format, start) => {
    await run('fill("#context-format", args[0])', format)
    await until(`${start}.test(text('.written-text'))`)
  })

  detail('learns from feedback on a record of the context, and shows its history', async () => {
    const id = await read<string>('packed()[0]')
    await run('row(args[0]).querySelector("[data-outcome=acted]").click()', id)
    const learned = `row(${JSON.stringify(id)}).querySelector('.learned').textContent`
    await until(`/^confidence 0\\.\\d\\d → 0\\.\\d\\d$/.test(${learned})`)
    const [before, after] = (await read<string>(learned)).match(/0\.\d+/g) ?? []
    expect(Number(after)).toBeGreaterThan(Number(before))
    await until('all(".timeline li").some((one) => one.dataset.kind === "outcome")')
  })

  detail('the engine tab shows channels, receipt and policies, and another policy answers', async () => {
    await run('one("#tab-engine").click()')
    await until('one(".receipt-id code")')
    expect(await read('text(".receipt-id code")')).toMatch(/^sel-[0-9a-f]{16}$/)
    await run('one("label[for=policy-tokenpak]").click()')
    await until('fact("Policy").startsWith("tokenpak")')
    await run('one("label[for=policy-balanced]").click()')
    await until('fact("Policy").startsWith("balanced")')
  })

  test('imports a dropped file into the visitor’s own records, lists lines that were left out, and shows markup as text', async () => {
    const markdown = '# Garden\n\n## Roses\nPrune them in March.\n\n## Beans\nSow late. <img src=x onerror=alert(1)>\n'
    await run('drop(new File([args[0]], "garden.md", { lastModified: 1e12 }))', markdown)
    await until('text(".import-summary") === "1 record added."')
    await run('ask("sow late")')
    await until('text(".hit h3") === "Garden" && ids()[0] === "file:garden.md"')
    expect(await read('text(".hit .snippet")')).toContain('<img src=x onerror=alert(1)>')
    expect(await read('document.querySelectorAll(".hit img").length')).toBe(0)
    await run(`pick(new File(['{"title":"Compost"}\\n{"titel":"typo"}\\nnot json\\n'], 'some.jsonl'))`)
    await until('text(".import-found") === "Found 2 records in 1 file: JSON Lines."')
    expect(await read('text(".import-left li")')).toMatch(/^some\.jsonl, line 3: /)
    await run('one("[data-import=add]").click()')
    await until('text(".import-summary") === "2 records added, 1 part left out."')
  })

  test('[W3] deletes with undo, and shows the proof', async () => {
    await run('drop(new File(["# Secret\\nThe vault opens with zanzibar."], "secret.md"))')
    await until('text(".import-summary") === "1 record added."')
    await run('ask("zanzibar")')
    await until('text(".hit h3") === "Secret"')
    await remove()
    await run('toast("undo").click()')
    await until('text(".hit h3") === "Secret" && !one(".toast")')
    await remove()
    await until('canDeleteNow()')
    await run('toast("now").click()')
    await until('text(".proof strong") === "Deleted. Nothing of it is left on this device."')
    expect(await read('all(".proof dd").map((count) => count.textContent)')).toEqual(['0', '0', '0', '0', '0', '0'])
    await run('toast("close").click()')
  })

  test('can be used by keyboard alone', async () => {
    await run('one("#close-drawer").click(); ask("beans")')
    // The hidden hits of a question without an answer can begin with the same record.
    await until('!one("#hits").hidden && text(".hit h3") === "Garden"')
    await run('document.activeElement.blur(); press("/")')
    expect(await read('document.activeElement.id')).toBe('query')
    await run('press("ArrowDown")')
    // A second answer can put another record first; the focus stays on the record that had it.
    await until('document.activeElement.matches(".hit") && text(".hit h3") === "Garden"')
    await run('press("Enter")')
    await until('/^Shown\\./.test(sentence() ?? "") && !one("#drawer").hidden')
    await run('one("#tab-why").focus(); press("ArrowRight")')
    expect(await read('document.activeElement.id')).toBe('tab-context')
    await run('press("Escape")')
    expect(await read('one("#drawer").hidden')).toBe(true)
  })

  test('has landmarks and names, and fits a narrow screen with the drawer closed and open', async () => {
    for (const isOpen of [false, true]) {
      if (isOpen) await run('one("#open-drawer").click()')
      expect(await page.evaluate(demoFaults)).toEqual([])
      await page.screenshot(join(folder, `${kind}.png`), { width: 360, height: 800 })
      const [inner, content] = await read<[number, number]>('[innerWidth, document.documentElement.scrollWidth]')
      expect(content).toBeLessThanOrEqual(inner)
    }
  })

  test('[W3] a reload during the time to undo: the next start forgets the deleted record, and keeps all others', async () => {
    const brief = await read<string>('text("#store-brief")')
    await run('drop(new File(["# Diary\\nNobody may read of quetzalcoatl."], "diary.md"))')
    await until('text(".import-summary") === "1 record added."')
    await run('ask("quetzalcoatl")')
    await until('text(".hit h3") === "Diary"')
    await remove()
    expect(await read('Object.keys(localStorage).some((key) => key.includes("deleting"))')).toBe(true)
    await page.reload()
    await until('one("#store-status .facts") && !Object.keys(localStorage).some((key) => key.includes("deleting"))')
    await run('chooseWhose("yours"); ask("quetzalcoatl")')
    await until('text("#evidence strong") === "Nothing here answers this."')
    expect(await read('ids().some((id) => id.startsWith("diary"))')).toBe(false)
    await until(`text("#store-brief") === ${JSON.stringify(brief)}`)
  })

  test('reported no error', async () => {
    await page.evaluate('1')
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })
})
