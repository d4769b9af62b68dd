/** Opens the agent demo for the tests of this folder, as `npm run agent` builds it, and works it as a person does. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { buildAgent, policy } from '../../../demo/agent/build.mjs'
import type { Browser, Page } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { copyBuilt } from '../../support/pages/built-app.ts'
import { demoTools } from '../../support/pages/demo-tools.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

type Mounts = NonNullable<Parameters<typeof serveFolder>[1]>['mounts']

const tools = `${demoTools}
  const say = (words) => { fill('#message', words); one('#composer').requestSubmit() }
  const turn = () => all('.turn').at(-1)
  const within = (selector) => turn()?.querySelector(selector)
  const reply = () => within('.reply[aria-busy=false]')?.querySelector('.reply-text, [data-tone=bad] p, p')?.textContent ?? ''
  const calls = () => [...turn().querySelectorAll('.call')].map((one) => one.dataset.tool)
  const bill = () => Object.fromEntries([...turn().querySelectorAll('.bill tr')].map((row) => [row.children[0].textContent, Number(row.children[1].textContent.replaceAll(',', ''))]))
  const memories = () => all('.memories > li').map((one) => [one.dataset.tier, one.querySelector('p').textContent])
`

/**
 * The set-up of a `describe`: one browser for all its tests; for each test a page of a new origin, which must report no
 * error that the test does not expect. The first one forgets everything at its end, and begins again.
 */
export function useAgent(mounts: Mounts = {}) {
  let folder: string
  let site: Awaited<ReturnType<typeof serveFolder>>
  let browser: Browser
  let page: Page
  let expectedErrors = 0
  let hasForgotten = false

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-agent-'))
    await copyBuilt(buildAgent, folder)
    browser = await shareBrowser('chromium')
  })

  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    site = await serveFolder(folder, { headers: { 'Content-Security-Policy': policy.header }, mounts })
    page = await browser.page(`${site.url}/`)
    await started()
  })

  afterEach(async () => {
    const complaints = page.console.filter(({ level }) => level === 'error' || level === 'warn')
    expect(complaints.length, JSON.stringify(complaints)).toBe(expectedErrors)
    expectedErrors = 0
    if (!hasForgotten) await forgetAll()
    hasForgotten = true
    await page.close()
    await site.close()
  })

  const forgetAll = async () => {
    await run(
      `globalThis.isOld = true; one('[value=scripted]').click(); one('#forget-all').click(); fill('#forget-all-word', 'delete'); one('.delete-everything form').requestSubmit()`,
    )
    await waitFor('globalThis.isOld === undefined && one("#send")?.disabled === false')
  }

  return {
    page: () => page,
    url: () => site.url,
    folder: () => folder,
    expectErrors(count: number) {
      expectedErrors = count
    },
    run,
    read,
    waitFor,
    started,
    say,
    addExamples,
    forgetIt,
  }

  /** Runs statements in the page. */
  function run(source: string, ...args: readonly unknown[]): Promise<unknown> {
    return page.evaluate(`${tools}; ${source}`, ...args)
  }

  async function addExamples(): Promise<void> {
    await run(`one('#examples').click()`)
    await waitFor('memories().length === 7')
  }

  /** Confirms, without waiting for the undo period. */
  async function forgetIt(): Promise<void> {
    await run(`one('[data-answer=yes]').click()`)
    await waitFor('canDeleteNow()')
    await run(`toast('now').click()`)
    await waitFor('reply() !== ""')
  }

  /** Waits for the reply, or for another end of the turn. */
  async function say(words: string, end = 'reply() !== ""'): Promise<void> {
    const turns = await read<number>('all(".turn").length')
    await run(`say(args[0])`, words)
    await waitFor(`all('.turn').length > ${turns} && (${end})`)
    if (end.includes('reply')) await waitFor('text("#send") === "Send"')
  }

  function started(): Promise<void> {
    return waitFor('one("#send")?.disabled === false')
  }

  function waitFor(condition: string): Promise<void> {
    const look = async () => {
      if (!(await page.evaluate(`${tools}; return Boolean(${condition})`))) throw new Error(`Never: ${condition}`)
    }
    return vi.waitFor(look, { timeout: 30_000, interval: 50 })
  }

  function read<T>(expression: string): Promise<T> {
    return page.evaluate<T>(`${tools}; return (${expression})`)
  }
}
