/**
 * Tests the look of the agent's chat, in Chromium: its tour, pressed chip by chip, never hides a button or the focus,
 * in three window sizes; the newest message is in sight unless the reader scrolled up; messages that cannot be sent
 * now are reported.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildAgent, policy } from '../../../demo/agent/build.mjs'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyBuilt } from '../../support/pages/built-app.ts'
import { demoTools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const tools = `${demoTools}
  const turn = () => all('.turn').at(-1)
  const reply = () => turn()?.querySelector('.reply[aria-busy=false]')?.querySelector('.reply-text, p')?.textContent ?? ''
  const isOnTop = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [0.15, 0.5, 0.85].every((part) => element.contains(document.elementFromPoint(left + width * part, top + height * part)))
  }
  const pressChip = (text) => all('#suggestions .chip').find((chip) => chip.textContent === text).click()
  const enter = () => one('#message').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
`

const tour: readonly (readonly [string, RegExp])[] = [
  ['Remember that we deploy on Fridays, after the migration', /^Remembered: “we deploy on Fridays/],
  ['When do we deploy?', /^Said by you: “we deploy on Fridays/],
  ['Why?', /^“we deploy on Fridays, after the migration” 1 is at place 1/],
  ['What is the capital of Mongolia?', /^I don’t know/],
]

describe.runIf(availableBrowsers().includes('chromium'))('the chat', () => {
  let folder: string
  let site: Awaited<ReturnType<typeof serveFolder>>
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-chat-'))
    await copyBuilt(buildAgent, folder)
    browser = await shareBrowser('chromium')
  })

  // A server of its own for each test: another origin has another store.
  beforeEach(async () => {
    site = await serveFolder(folder, { headers: { 'Content-Security-Policy': policy.header } })
    page = await browser.page(`${site.url}/`)
    await until('one("#send")?.disabled === false')
  })

  afterEach(async () => {
    await page?.close()
    await site?.close()
  })

  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.each([
    [1440, 900, false],
    [1280, 720, true],
    [360, 740, false],
    [360, 740, true],
  ])('keeps every button of its tour in reach at %i × %i, dark: %s', async (width, height, dark) => {
    const picture = (name: string) =>
      join(process.env['SCRUBJAY_PICTURES'] ?? folder, `agent-${name}-${width}-${dark}.png`)
    const look = (name: string) => page.screenshot(picture(name), { width, height, dark })
    await look('start')
    expect(await read('all("#suggestions .chip").map((chip) => chip.textContent)')).toEqual([
      ...tour.map(([question]) => question),
      'Forget the deploy',
    ])
    for (const [question, answer] of tour) {
      await run('pressChip(args[0])', question)
      await until('turn()?.querySelector(".asked").textContent === ' + JSON.stringify(question) + ' && reply() !== ""')
      expect(await read('reply()')).toMatch(answer)
      await until('isOnTop(turn().querySelector(".reply-text"))')
      expect(await read('isOnTop(one("#message")) && isOnTop(one("#send"))')).toBe(true)
    }
    await look('told')

    await run('pressChip("Forget the deploy")')
    await until('one(".confirmation")')
    await until('["yes", "no"].every((answer) => isOnTop(one(`[data-answer=${answer}]`)))')
    expect(await read('[document.activeElement.dataset.answer, isOnTop(document.activeElement)]')).toEqual(['no', true])
    // A message that cannot be sent now is reported, not dropped.
    await run('one("#message").focus(); fill("#message", "Hello?"); enter()')
    await until('text("#composer-note") === "First choose: “Forget it” or “Keep it”."')
    expect(await read('one("#message").value')).toBe('Hello?')
    await look('asked')
    expect(await seriousViolations(page)).toEqual([])
    await until('["yes", "no"].every((answer) => isOnTop(one(`[data-answer=${answer}]`)))')

    await run('one("[data-answer=yes]").click()')
    await until('toast("undo") && isOnTop(toast("undo")) && isOnTop(toast("now"))')
    await until('isOnTop(one("#message")) && isOnTop(one("#send")) && all(".memories > li").length === 0')
    await run('enter()')
    await until('text("#composer-note") === "First choose: “Undo” or “Delete now”."')
    await look('undo')
    expect(await seriousViolations(page)).toEqual([])
    await run('toast("undo").click()')
    await until('reply() === "Kept: it was not deleted." && text("#composer-note") === ""')
    await until('all(".memories > li").length === 1')

    await run('fill("#message", ""); pressChip("Forget the deploy")')
    await until('one(".confirmation")')
    await run('one("[data-answer=yes]").click()')
    await until('canDeleteNow()')
    await run('toast("now").click()')
    await until('reply() === "Forgotten, and nothing of it is left."')
    await until('isOnTop(turn().querySelector(".reply-text"))')
    await look('forgotten')
    const [inner = 0, content] = await read<number[]>('[innerWidth, document.documentElement.scrollWidth]')
    expect(content).toBeLessThanOrEqual(inner)
    expect(page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  test('keeps the message box on the first screen of 1,440 × 900 pixels at 200 %', async () => {
    await page.screenshot(join(folder, 'zoomed.png'), { width: 720, height: 450 })
    await until('isOnTop(one("#message")) && isOnTop(one("#send"))')
  })

  test('scrolls with the newest message, unless the reader has scrolled up', async () => {
    const say = async (words: string) => {
      const turns = await read<number>('all(".turn").length')
      await run('fill("#message", args[0]); one("#composer").requestSubmit()', words)
      await until(`all('.turn').length > ${turns} && reply() !== "" && text("#send") === "Send"`)
    }
    for (let i = 0; i < 6; i++) await say(`Remember that box ${i} is blue ${'and heavy '.repeat(20)}`)
    const fromEnd = 'one("#scroller").scrollHeight - one("#scroller").scrollTop - one("#scroller").clientHeight'
    await until(`${fromEnd} < 2`)
    await run('one("#scroller").scrollTop = 0')
    await until('one("#scroller").scrollTop === 0')
    // Content that grows by itself does not move the reader.
    await run('turn().querySelector("details").open = true')
    await new Promise((done) => setTimeout(done, 300))
    expect(await read('one("#scroller").scrollTop')).toBe(0)
    await run('one("#scroller").scrollTop = 1e6')
    await until(`${fromEnd} < 2`)
    await run('turn().append(Object.assign(document.createElement("p"), { textContent: "more ".repeat(400) }))')
    await until(`${fromEnd} < 2`)
  })

  async function run(source: string, ...args: readonly unknown[]): Promise<void> {
    await page.evaluate(`${tools}; ${source}; return null`, ...args)
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }

  function until(condition: string): Promise<void> {
    const look = async () => {
      if (await read<boolean>(`Boolean(${condition})`).catch(() => false)) return
      throw new Error(`Never: ${condition}\n${await read('document.body.innerText.slice(0, 1500)').catch(String)}`)
    }
    return vi.waitFor(look, { timeout: 30_000, interval: 100 })
  }
})
