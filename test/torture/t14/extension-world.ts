/** The browser of T14: the extension, its panel, and a page that writes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveFolder } from '../../../demo/static-server.mjs'
import {
  type Browser,
  type ConsoleMessage,
  openBrowser,
  type Page,
  type ServiceWorker,
} from '../../support/browsers/browsers.ts'
import { until } from '../../support/browsers/within.ts'
import type { Random } from '../../support/data/random.ts'
import { addedWeight, type Extension } from './build-extension.ts'

/** Drawn like cards: every six stops are these, in another order. */
export const ways = [
  'service worker',
  'service worker',
  'service worker',
  'panel closed',
  'panel reloaded',
  'panel left',
] as const
export type Way = (typeof ways)[number]

export interface Found {
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

export async function openWorld(browser: Browser, siteUrl: string): Promise<World> {
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

async function hasWorker(browser: Browser): Promise<boolean> {
  type Targets = { readonly targetInfos: readonly { readonly type: string }[] }
  const { targetInfos } = await browser.devtools<Targets>('Target.getTargets')
  return targetInfos.some(({ type }) => type === 'service_worker')
}

type Judged = Pick<Found, 'wishes' | 'unheard' | 'promised' | 'lost' | 'twice'> & { readonly failed: readonly string[] }

/** Once the inbox is empty: compares the store with the acknowledged writes. Writing has paused by then. */
export async function judge({ writer }: World, asked: readonly string[]): Promise<Judged> {
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

export function launch({ folder }: Extension): Promise<Browser> {
  // No host name resolves: any request to another machine would fail, and appear on the console.
  const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'
  return openBrowser('chromium', {
    args: [`--load-extension=${folder}`, `--disable-extensions-except=${folder}`, offline],
    compilesLate: true,
  })
}

export async function openSite() {
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
