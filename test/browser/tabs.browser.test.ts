/**
 * Tests several tabs over one store in real browsers: one leader, one answer, and a hand-over however the leader ends.
 * Prints how long the others waited. Each test has its own store; pages are apps over the built package.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openFiles } from '../support/browsers/open-files.ts'
import { availableBrowsers, type Browser, openBrowser } from '../support/browsers/browsers.ts'
import { detailIn, isEverywhere, isInDetail } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import {
  openTab,
  processOf,
  serveWorkerAfter,
  type Tab,
  tabsPageScript,
  type Written,
  waitFor,
  waitForLeader,
} from './tabs-page.ts'

let bundle: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundlePage(tabsPageScript)
  await writeFile(join(bundle.folder, 'other.html'), '<!doctype html><title>other</title>')
  await serveWorkerAfter(bundle.folder, 'lone', loneSource)
  // The server's own `no-store` would keep pages out of the back/forward cache.
  site = await serveFolder(bundle.folder, { headers: { 'Cache-Control': 'no-cache' } })
})

afterAll(async () => {
  await site?.close()
  await bundle?.remove()
})

/** Grants every lock at once: as if the platform had two leaders. */
const loneSource = `Object.defineProperty(navigator.locks, 'request', { value: async (name, options, reign) => reign({ name }) })`

describe.each(availableBrowsers().filter((kind) => kind !== 'webkit'))('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  const tabs: Tab[] = []

  beforeAll(async () => {
    // Tests in detail crash tabs and count the open files of the browser.
    browser = await (isInDetail(kind) ? openBrowser(kind, { compilesLate: true }) : shareBrowser(kind))
  })
  afterAll(() => browser?.close())

  const open = async (name: string, options: object = {}): Promise<Tab> => {
    const tab = await openTab(browser, `${site.url}/`, name, options)
    tabs.push(tab)
    return tab
  }
  const openAll = async (name: string, count: number): Promise<Tab[]> => {
    const opened: Tab[] = []
    for (let i = 0; i < count; i += 1) opened.push(await open(name))
    return opened
  }
  afterEach(async () => {
    const last = tabs.pop()
    // Not awaited: a crashed tab never reports that it is closed.
    for (const { page } of tabs.splice(0)) void page.close().catch(() => undefined)
    await last?.ask('destroy').catch(() => undefined)
    await last?.page.close().catch(() => undefined)
  })

  test.each(isEverywhere ? [2, 3, 8] : [isInDetail(kind) ? 5 : 3])(
    '[T1] [D1] %i tabs are one store with one answer',
    async (count) => {
      const all = await openAll(`count ${count}`, count)
      expect(all.map(({ role }) => role)).toEqual(['leader', ...Array(count - 1).fill('follower')])
      const last = all[count - 1]!
      const records = Array.from({ length: 40 }, (_, i) => ({
        id: `r${i}`,
        title: `Note ${i}`,
        body: `red ${i % 7} green`,
      }))
      const { value } = await last.ask<{ durability: string }>('put', records)
      expect(value?.durability).toBe('committed')
      const hashes = await Promise.all(
        all.map(({ name, page }) =>
          page.evaluate(`(...args) => window.bytesOf(...args)`, name, { text: 'green notes', now: 5 }),
        ),
      )
      expect(new Set(hashes).size).toBe(1)
      for (const { page } of all) {
        await waitFor(page, `window.events().some(({ type, ids }) => type === 'changed' && ids.length === 40)`)
      }
    },
  )

  detail('[T1] messages from a stranger leave every tab with its store', async () => {
    const name = 'spoofed'
    const [leader, follower] = (await openAll(name, 2)) as [Tab, Tab]
    await follower.ask('put', [{ id: 'a', body: 'the password is hunter2' }])
    const stranger = await browser.page(`${site.url}/other.html`)
    const version = await stranger.evaluate<number>(
      `async (name) => {
        const all = new BroadcastChannel('scrubjay ' + JSON.stringify([name]))
        const own = new BroadcastChannel('scrubjay ' + JSON.stringify([name, 'evil']))
        const post = (version, message, from = 'evil') => all.postMessage({ scrubjay: 'tabs', version, from, message })
        // The leader answers each version up to its own.
        const lead = await new Promise((resolve) => {
          own.onmessage = ({ data }) => data.message.type === 'lead' && resolve(data)
          post(0, { type: 'seek' })
        })
        for (const from of ['evil', lead.from]) {
          post(lead.version, { type: 'opening' }, from)
          post(lead.version + 1, { type: 'seek' }, from)
          post(lead.version, { type: 'destroying', by: 'evil' }, from)
          post(lead.version, { type: 'bye' }, from)
        }
        post(lead.version, lead.message)
        await new Promise((resolve) => setTimeout(resolve, 500))
        return lead.version
      }`,
      name,
    )
    expect(version).toBeGreaterThan(0)
    for (const tab of [leader, follower]) {
      const { value, error } = await tab.ask<{ readonly hits: readonly unknown[] }>('recall', { text: 'password' })
      expect([tab.role, error, value?.hits.length]).toEqual([tab.role, undefined, 1])
    }
    expect((await follower.ask<{ role: string }>('status')).value?.role).toBe('follower')
    await stranger.close()
  })

  const ways: readonly (readonly [string, (leader: Tab) => unknown])[] = [
    ['is closed', ({ page }) => page.close()],
    ...(isEverywhere ? ([['closes the store', (leader: Tab) => leader.ask('close')]] as const) : []),
    ['is navigated away', ({ page }) => page.evaluate(`void setTimeout(() => (location.href = 'other.html'))`)],
    ...(kind === 'chromium'
      ? ([
          // The command is never answered: the renderer is gone.
          ['crashes', ({ page }: Tab) => void page.devtools('Page.crash').catch(() => undefined)],
          ['is frozen', ({ page }: Tab) => page.devtools('Page.setWebLifecycleState', { state: 'frozen' })],
        ] as const)
      : []),
  ]

  test.each(ways)('[T2] the leader %s: the others go on, and each write is there once', async (how, endLeader) => {
    const name = `ends ${how}`
    const [leader, ...others] = (await openAll(name, 3)) as [Tab, Tab, Tab]
    // After the moment in which an idle follower prepares itself.
    await leader.page.evaluate(`new Promise((resolve) => setTimeout(resolve, 1500))`)
    for (const [i, { page }] of others.entries()) {
      await page.evaluate(`(...args) => window.startWriting(...args)`, name, `w${i}`)
    }
    for (const [i, { page }] of others.entries()) {
      await waitFor(page, `window.written('w${i}').promised.length > 5`)
    }
    await endLeader(leader)
    const roles = await waitForLeader(others)
    const written: Written[] = []
    for (const [i, { page }] of others.entries()) {
      const before = await page.evaluate<Written>(`window.written('w${i}')`)
      await waitFor(page, `window.written('w${i}').promised.length > ${before.promised.length + 5}`)
      written.push({ ...(await page.evaluate<Written>(`window.stopWriting('w${i}')`)), slowestMs: before.slowestMs })
    }
    expect(roles.toSorted()).toEqual(['follower', 'leader'])
    for (const { promised, failed } of written) {
      expect(failed).toEqual([])
      expect(promised.filter(([, outcome]) => outcome !== 'inserted')).toEqual([])
    }
    const slowest = written.map(({ slowestMs }) => Math.round(slowestMs))
    process.stdout.write(`${kind}: the leader ${how}, writers waited at most ${slowest.join(' and ')} ms\n`)
    const { value } = await (others[0] as Tab).ask<number>('count')
    expect(value).toBe(written.reduce((sum, { promised }) => sum + promised.length, 0))
  })

  detail(
    '[T2] a leader in the back/forward cache keeps nothing; when it is restored it goes on within 2 s',
    async () => {
      const [leader, other] = (await openAll('cached', 2)) as [Tab, Tab]
      await leader.ask('put', { id: 'a', body: 'first' })
      await leader.page.evaluate(`void setTimeout(() => (location.href = 'other.html'))`)
      expect(await waitForLeader([other])).toEqual(['leader'])
      await other.ask('put', { id: 'b', body: 'second' })
      await waitFor(leader.page, `document.title === 'other'`)
      await leader.page.evaluate(`void history.back()`)
      await waitFor(leader.page, `window.shows?.length > 0`)
      const isCached = await leader.page.evaluate<boolean>(`window.shows.at(-1)`)
      if (!isCached) await leader.page.evaluate(`(name) => window.open_(name)`, leader.name)
      const { value, tookMs } = await leader.ask<number>('count')
      process.stdout.write(
        `${kind}: back from the ${isCached ? 'back/forward cache' : 'history, loaded again'}, answered after ${Math.round(tookMs)} ms\n`,
      )
      expect(value).toBe(2)
      expect(tookMs).toBeLessThan(2_000)
      if (kind === 'chromium') expect(isCached).toBe(true)
      expect((await leader.ask<{ role: string }>('status')).value?.role).toBe('follower')
    },
  )

  test.runIf(kind === 'chromium')(
    '[T1] a leader that is stopped keeps the store, and goes on when it is continued',
    async () => {
      const leader = await open('stopped')
      const pid = await processOf(browser, leader.page)
      const other = await open('stopped')
      process.kill(pid, 'SIGSTOP')
      try {
        const asked = other.ask<unknown>('put', { id: 'a', body: 'text' })
        await other.page.evaluate(`new Promise((resolve) => setTimeout(resolve, 1500))`)
        process.kill(pid, 'SIGCONT')
        expect(await asked).toMatchObject({ value: { records: [{ outcome: 'inserted' }] } })
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      const roles = [leader, other].map(async (tab) => (await tab.ask<{ role: string }>('status')).value?.role)
      expect(await Promise.all(roles)).toEqual(['leader', 'follower'])
    },
  )

  detail('destroyed in one tab, the store is closed in all and empty when opened again', async () => {
    const [leader, other, third] = (await openAll('destroyed', 3)) as [Tab, Tab, Tab]
    await leader.ask('put', { id: 'a', body: 'text' })
    expect(await other.ask('destroy')).toMatchObject({ value: null })
    for (const tab of [leader, other, third]) {
      await waitFor(tab.page, `window.ask('destroyed', 'count').then(({ error }) => error === 'CLOSED')`)
    }
    await third.page.evaluate(`(name) => window.open_(name)`, 'destroyed')
    expect(await third.ask('count')).toMatchObject({ value: 0 })
  })

  detail('control: with two leaders the file handle refuses the second', async () => {
    await open('lone')
    const second = await browser.page(`${site.url}/`)
    const program = `(name) => window.open_(name, { worker: 'lone/worker.js' }).catch(({ code }) => code)`
    expect(await second.evaluate(program, 'lone')).toBe('STORE_BUSY')
    expect(await tabs[0]?.ask('put', { id: 'a', body: 'text' })).toMatchObject({ value: { revision: 1 } })
    await second.close()
  })

  detail('a live query answers in every tab when its answer changes, and a burst gives few answers', async () => {
    const [leader, other] = (await openAll('live', 2)) as [Tab, Tab]
    for (const { page } of [leader, other]) await page.evaluate(`(...args) => window.watch(...args)`, 'live', 'apples')
    const answers = (tab: Tab) => tab.page.evaluate<string[][]>('window.answers()')
    for (const { page } of [leader, other]) await waitFor(page, `window.answers().length === 1`)
    await leader.ask('put', { id: 'a', title: 'green apples', tags: ['x'] })
    for (const { page } of [leader, other]) await waitFor(page, `window.answers().at(-1)[0] === 'a x'`)
    // Only fields next to ids and scores change.
    await other.ask('patch', 'a', { tags: ['y'] })
    for (const { page } of [leader, other]) await waitFor(page, `window.answers().at(-1)[0] === 'a y'`)
    await leader.ask('put', { id: 'b', title: 'pears' })
    await other.page.evaluate(`async () => {
      for (let i = 0; i < 200; i += 1) await window.ask('live', 'put', { id: 'c' + i, title: 'red apples ' + i })
    }`)
    await other.ask('forget', 'a')
    for (const { page } of [leader, other]) await waitFor(page, `!window.answers().at(-1).includes('a y')`)
    for (const tab of [leader, other]) expect((await answers(tab)).length).toBeLessThan(200)
  })

  detail('[E1] [V4] a tab with another embedding space is refused', async () => {
    await open('spaces')
    const second = await browser.page(`${site.url}/`)
    const program = `(name) => window.open_(name, { embedder: undefined }).catch(({ code }) => code)`
    expect(await second.evaluate(program, 'spaces')).toBe('SPACE_MISMATCH')
    await second.close()
  })

  detail('[T12] open and close 8 times leave no lock and no file handle behind', async () => {
    const other = await open('cycles')
    const { page } = await open('cycles')
    const cycle = `async (name, count) => {
      for (let i = 0; i < count; i += 1) {
        await window.ask(name, 'close')
        await window.open_(name)
        await window.ask(name, 'put', { id: 'a', body: 'text ' + i })
      }
    }`
    await page.evaluate(cycle, 'cycles', 2)
    const before = openFiles(browser)
    // Each tab follows half of the time, and leads in the other half.
    for (let i = 0; i < 4; i += 1) {
      await page.evaluate(cycle, 'cycles', 2)
      if (i === 1) await other.ask('close')
    }
    // The leader's lock, and the one by which the tab names itself.
    expect(await page.evaluate('window.locks()')).toEqual({ held: 2, pending: 0 })
    const after = openFiles(browser)
    process.stdout.write(`${kind}: stored files open before ${before} and after 8 times ${after}\n`)
    expect(after).toBeLessThanOrEqual(before)
    await page.evaluate(`window.ask('cycles', 'close')`)
    expect(await page.evaluate('window.locks()')).toEqual({ held: 0, pending: 0 })
    await expect.poll(() => openFiles(browser), { timeout: 5_000 }).toBe(0)
    await page.evaluate(`window.open_('cycles')`)
  })

  test('the browser logged no error', async () => {
    const tab = await open('quiet')
    expect(tab.page.console.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })
})
