/**
 * T14: the sidebar as an MV3 extension under its policy. While requests go into the inbox and one of its pages writes
 * into the same store, its service worker is stopped at random moments, and its panel, which owns the store, is
 * closed, reloaded or navigated away. Red when a request from the inbox or an acknowledged write is missing, when one
 * was carried out twice, when anything is logged on a console, and when the control finds nothing.
 */
import { parseArgs } from 'node:util'
import type { Browser, Page } from '../../support/browsers/browsers.ts'
import { until } from '../../support/browsers/within.ts'
import { createRandom } from '../../support/data/random.ts'
import { type Outcome, print } from '../outcome.ts'
import { buildExtension } from './build-extension.ts'
import { type Found, judge, launch, openSite, openWorld, type Way, ways } from './extension-world.ts'

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

function untilTaken(writer: Page, wishes: number): Promise<unknown> {
  return until(20_000, 'a panel that took the requests', () =>
    writer.evaluate<true | null>(
      `chrome.storage.local.get(null).then((all) =>
        (Object.keys(all).length === 0 && window.wishes().length >= ${wishes}) || null)`,
    ),
  )
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
