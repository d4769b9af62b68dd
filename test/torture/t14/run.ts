/**
 * T14: the sidebar as an MV3 extension under its policy. While requests go into the inbox and one of its pages writes
 * into the same store, its service worker is stopped at random moments, and its panel, which owns the store, is
 * closed, reloaded or navigated away. Red when a request from the inbox or an acknowledged write is missing, when one
 * was carried out twice, when anything is logged on a console, and when the control finds nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serveFolder } from '../../../demo/static-server.mjs'
import {
  type Browser,
  type ConsoleMessage,
  openBrowser,
  type Page,
  type ServiceWorker,
} from '../../support/browsers/browsers.ts'
import { until } from '../../support/browsers/within.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { type Outcome, print } from '../outcome.ts'
import { addedWeight, buildExtension, type Extension } from './build-extension.ts'

/** Drawn like cards: every six stops are these, in another order. */
const ways = [
  'service worker',
  'service worker',
  'service worker',
  'panel closed',
  'panel reloaded',
  'panel left',
] as const
type Way = (typeof ways)[number]

interface Found {
  readonly stops: Readonly<Record<Way, number>>
  /** Requests that the inbox held, and those that never reached it. */
  readonly wishes: number
  readonly unheard: number
  readonly promised: number
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly faults: readonly string[]
  readonly slowestMs: number
}

/** The control stops when it has found both. */
const mostControlStops = 15

/** `--stops` in all, `--seed` of the random draws. */
export async function runExtensionStops(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: { stops: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
  })
  const seed = Number(values.seed)
  const site = await openSite()
  try {
    const shipped = await runMode(site.url, 'shipped', seed, Number(values.stops))
    const control = await runMode(site.url, 'control', seed, mostControlStops)
    const isSound = shipped.lost.length + shipped.twice.length + shipped.faults.length === 0
    if (!isSound) print(`  replay: node test/torture/run.mjs t14 --stops ${values.stops} --seed ${seed}`)
    const stops = Object.values(shipped.stops).reduce((sum, count) => sum + count, 0)
    return {
      isGreen: isSound && control.lost.length > 0 && control.twice.length > 0,
      size: `${stops} stops, ${shipped.stops['service worker']} of the service worker`,
      seeds: String(seed),
      result: `${shipped.wishes} captures held and ${shipped.promised} writes promised, ${shipped.lost.length} lost, ${shipped.twice.length} twice, ${shipped.faults.length} console errors or failures`,
      control: `takes captures before it stores them, no operation ids: ${control.lost.length} lost, ${control.twice.length} twice`,
      browsers: `chromium ${shipped.version}`,
    }
  } finally {
    await site.close()
  }
}

async function runMode(
  siteUrl: string,
  mode: 'shipped' | 'control',
  seed: number,
  stops: number,
): Promise<Found & { readonly version: string }> {
  const extension = await buildExtension(mode)
  const browser = await launch(extension)
  try {
    const found = await runStops(browser, siteUrl, mode, seed, stops)
    print(lineOf(mode, found))
    if (mode === 'shipped') for (const fault of [...found.lost, ...found.twice, ...found.faults]) print(`  ${fault}`)
    return { ...found, version: browser.version }
  } finally {
    await browser.close()
    await extension.remove()
  }
}

async function runStops(
  browser: Browser,
  siteUrl: string,
  mode: 'shipped' | 'control',
  seed: number,
  most: number,
): Promise<Found> {
  const random = createRandom(seed)
  const world = await openWorld(browser, siteUrl)
  const { writer } = world
  const stops = { 'service worker': 0, 'panel closed': 0, 'panel reloaded': 0, 'panel left': 0 }
  const asked: string[] = []
  let slowestMs = 0
  let pack: Way[] = []
  await writer.evaluate('window.go()')

  for (let stop = 0; stop < most; stop++) {
    // The faults of the control show where a panel ends.
    if (pack.length === 0) pack = random.shuffled(ways)
    const way = mode === 'control' ? 'panel closed' : pack.pop()!
    await writer.evaluate(
      `(async () => { if ((await window.recall().status()).role === 'leader') await window.leave() })()`,
    )
    await until(20_000, 'a panel that leads', async () =>
      (await writer.evaluate<string>('window.recall().status().then(({ role }) => role)')) === 'follower' ? true : null,
    )
    const burst = Array.from({ length: 1 + random.below(4) }, (_, i) => `Capture ${stop}.${i} of ${seed}`)
    asked.push(...burst)
    await world.wish(burst)
    // The control loses what the panel took out of the inbox: it ends in that moment, however slow the machine is.
    if (mode === 'control') await untilTaken(writer, asked.length)
    const startedMs = performance.now()
    await world.end(way, random)
    stops[way] += 1
    // A write gets an answer again, whichever page leads by then.
    const before = await writer.evaluate<number>('window.written().strengthened')
    await until(20_000, `an answer after: ${way}`, async () =>
      (await writer.evaluate<number>('window.written().strengthened')) > before ? true : null,
    )
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    await world.begin(way)
    if (mode === 'control') {
      const { lost, twice } = await judge(world, asked)
      if (lost.length > 0 && twice.length > 0) break
      await writer.evaluate('window.go()')
    }
  }
  const found = await judge(world, asked)
  await writer.evaluate('window.recall().close()')
  const faults = [...found.failed, ...world.consoles().map(({ level, text }) => `${level}: ${text}`)]
  return { ...found, stops, faults, slowestMs }
}

interface World {
  readonly writer: Page
  consoles(): readonly ConsoleMessage[]
  /** Like the menu would, one after another, without waiting for the results. */
  wish(texts: readonly string[]): Promise<void>
  /** After a random moment. */
  end(way: Way, random: Random): Promise<void>
  /** The ended page or worker is back. */
  begin(way: Way): Promise<void>
}

async function openWorld(browser: Browser, siteUrl: string): Promise<World> {
  const front = await browser.page(`${siteUrl}/`)
  const consoles: ServiceWorker['console'][] = [front.console]
  const findWorker = async () => {
    const found = await browser.serviceWorker('/service-worker.js')
    // It exists before the extension's interface does.
    await until(20_000, 'the interface of the extension', () =>
      found.evaluate<string | null>('chrome.runtime?.id ?? null'),
    )
    consoles.push(found.console)
    return found
  }
  let worker = await findWorker()
  const origin = `chrome-extension://${await worker.evaluate<string>('chrome.runtime.id')}`
  const openPanel = async () => {
    const opened = await browser.page(`${origin}/panel.html`)
    consoles.push(opened.console)
    await untilPanelStands(opened)
    return opened
  }
  let panel = await openPanel()
  const writer = await browser.page(`${origin}/writer/index.html`)
  consoles.push(writer.console)
  await until(20_000, 'the writer', () => writer.evaluate<true | null>('window.isReady ?? null'))
  await writer.devtools('ServiceWorker.enable')
  await front.devtools('Page.bringToFront')

  return {
    writer,
    consoles: () => consoles.flat(),
    wish: (texts) =>
      worker.evaluate(
        `const [tab] = await chrome.tabs.query({ url: '*://*/*' })
        for (const selectionText of args[0])
          chrome.contextMenus.onClicked.dispatch({ menuItemId: 'remember-selection', selectionText }, tab)`,
        texts,
      ),
    async end(way, random) {
      if (way === 'service worker') {
        // A worker with an attached session does not end.
        await worker.detach()
        await pause(random.below(25))
        await writer.devtools('ServiceWorker.stopAllWorkers')
        await until(30_000, 'the end of the service worker', async () => ((await hasWorker(browser)) ? null : true))
        return
      }
      await pause(random.below(60))
      if (way === 'panel closed') await panel.close()
      else if (way === 'panel reloaded') await panel.evaluate('void setTimeout(() => location.reload())')
      else await panel.evaluate(`void setTimeout(() => { location.href = 'about:blank' })`)
    },
    async begin(way) {
      if (way === 'service worker') {
        await writer.devtools('ServiceWorker.startWorker', { scopeURL: `${origin}/` })
        worker = await findWorker()
      } else if (way === 'panel reloaded') await untilPanelStands(panel)
      else {
        if (way === 'panel left') await panel.close()
        panel = await openPanel()
      }
      await front.devtools('Page.bringToFront')
    },
  }
}

function untilPanelStands(panel: Page): Promise<unknown> {
  return until(20_000, 'a panel with its store', () =>
    panel.evaluate<true | null>(
      `document.readyState === 'complete' && document.querySelector('#store .safety') ? true : null`,
    ),
  )
}

function untilTaken(writer: Page, wishes: number): Promise<unknown> {
  return until(20_000, 'a panel that took the requests', () =>
    writer.evaluate<true | null>(
      `chrome.storage.local.get(null).then((all) =>
        (Object.keys(all).length === 0 && window.wishes().length >= ${wishes}) || null)`,
    ),
  )
}

async function hasWorker(browser: Browser): Promise<boolean> {
  type Targets = { readonly targetInfos: readonly { readonly type: string }[] }
  const { targetInfos } = await browser.devtools<Targets>('Target.getTargets')
  return targetInfos.some(({ type }) => type === 'service_worker')
}

type Judged = Pick<Found, 'wishes' | 'unheard' | 'promised' | 'lost' | 'twice'> & { readonly failed: readonly string[] }

/** Once the inbox is empty: compares the store with the acknowledged writes. Writing has paused by then. */
async function judge({ writer }: World, asked: readonly string[]): Promise<Judged> {
  await writer.evaluate('window.pause()')
  await until(20_000, 'an empty inbox', () =>
    writer.evaluate<true | null>('chrome.storage.local.get(null).then((all) => Object.keys(all).length === 0 || null)'),
  )
  // A panel reports a request once it is stored; the control's panel may still be storing it.
  await writer.evaluate(`navigator.locks.request('sidebar inbox', () => undefined)`)
  const held = new Set(await writer.evaluate<readonly string[]>('window.wishes()'))
  const { promised, strengthened, failed } = await writer.evaluate<Written>('window.written()')
  const { bodies, ids, weight, created } = await writer.evaluate<Stored>(readStore)
  const calls = weight / addedWeight
  const times = (list: readonly string[], one: string) => list.filter((other) => other === one).length
  return {
    wishes: held.size,
    unheard: asked.filter((text) => !held.has(text)).length,
    promised: promised.length + strengthened,
    lost: [
      ...[...held].filter((text) => !bodies.includes(text)).map((text) => `lost: ${text}`),
      ...promised.filter(([id]) => !ids.includes(id)).map(([id]) => `lost: ${id}`),
      ...(calls < strengthened ? [`lost: the links know ${calls} of ${strengthened} calls`] : []),
    ],
    twice: [
      ...[...new Set(bodies)].filter((text) => times(bodies, text) > 1).map((text) => `twice: ${text}`),
      ...[...new Set(created)].filter((id) => times(created, id) > 1).map((id) => `made twice: ${id}`),
      ...promised.filter(([, outcome]) => outcome !== 'inserted').map(([id, outcome]) => `twice: ${id} was ${outcome}`),
      ...(calls > strengthened ? [`twice: the links know ${calls} of ${strengthened} calls`] : []),
    ],
    failed: failed.map(([id, code]) => `failed: ${id} ${code}`),
  }
}

interface Written {
  readonly promised: readonly (readonly [id: string, outcome: string])[]
  readonly strengthened: number
  readonly failed: readonly (readonly [id: string, code: string])[]
}

interface Stored {
  readonly bodies: readonly string[]
  readonly ids: readonly string[]
  readonly weight: number
  /** Ids of log lines that report a new record. */
  readonly created: readonly string[]
}

const readStore = `
  const recall = window.recall()
  const records = []
  for (let cursor; cursor !== null; ) {
    const page = await recall.list({ limit: 1000, ...(cursor && { cursor }) })
    records.push(...page.items)
    cursor = page.nextCursor
  }
  const weight = (await recall.linked('anchor', 500)).reduce((sum, link) => sum + link.weight, 0)
  const events = await recall.events(0)
  return {
    bodies: records.filter(({ kind }) => kind === 'selection').map(({ body }) => body),
    ids: records.map(({ id }) => id),
    weight,
    created: events.filter(({ kind }) => kind === 'create').map(({ id }) => id),
  }
`

function launch({ folder }: Extension): Promise<Browser> {
  // No host name resolves: any request to another machine would fail, and appear on the console.
  const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'
  return openBrowser('chromium', {
    args: [`--load-extension=${folder}`, `--disable-extensions-except=${folder}`, offline],
  })
}

async function openSite() {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-t14-site-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>A page</title><link rel="icon" href="data:,"><p>Text.',
  )
  const { url, close } = await serveFolder(folder)
  return {
    url,
    close: async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function lineOf(mode: string, { stops, wishes, unheard, promised, lost, twice, faults, slowestMs }: Found): string {
  const ended = Object.entries(stops).map(([way, count]) => `${way} ${count}`)
  return [
    `${mode}: ${ended.join(', ')}`,
    `${wishes} captures held, ${unheard} ended before the inbox`,
    `${promised} writes promised`,
    `${lost.length} lost`,
    `${twice.length} twice`,
    `${faults.length} console errors or failures`,
    `slowest answer after a stop ${Math.round(slowestMs)} ms`,
  ].join(' · ')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
