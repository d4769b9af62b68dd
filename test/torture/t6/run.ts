/**
 * T6: two to eight tabs write at once while the leader is closed, crashed, navigated away, frozen, stopped or closes
 * its store, at random. Red when an acknowledged write is missing or was carried out twice, when two tabs lead, and
 * when the control, which removes the operation ids from the messages, finds nothing. Answers between tabs are
 * delayed, so that a leader often ends between its commit and its answer.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serveFolder } from '../../../demo/static-server.mjs'
import {
  openTab,
  processOf,
  serveWorkerAfter,
  type Tab,
  tabsPageScript,
  type Written,
  waitFor,
  waitForLeader,
} from '../../browser/tabs-page.ts'
import { type Browser, openBrowser } from '../../support/browsers/browsers.ts'
import { createRandom } from '../../support/data/random.ts'
import { bundlePage } from '../../support/pages/bundle-page.ts'
import { type Outcome, quantile, seedsFrom } from '../outcome.ts'

const ways = ['closed', 'crashed', 'navigated', 'frozen', 'stopped', 'left'] as const
type Way = (typeof ways)[number]

interface Change {
  readonly way: Way
  /** The next tab in line had no time to prepare itself. */
  readonly isEarly: boolean
  /** Longest wait of a writer in another tab for an answer. */
  readonly waitedMs: number
}

interface Round {
  readonly seed: number
  readonly tabs: number
  readonly changes: Change[]
  promised: number
  /** Acknowledged writes whose answer differs from that of a first attempt. */
  twice: number
  missing: number
  doubleLeaders: number
  /** Codes of calls that failed in tabs that went on. */
  readonly failures: string[]
}

const mostPerRound = 10
/** The control stops after the round in which it failed. */
const longestControlChanges = 60

/** `--changes` of leaders in all, `--from` the first seed; `--seed` runs one round again. */
export async function runTabs(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      changes: { type: 'string', default: '50' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
    },
  })
  const bundle = await bundlePage(tabsPageScript)
  await writeFile(join(bundle.folder, 'other.html'), '<!doctype html><title>other</title>')
  await serveWorkerAfter(bundle.folder, 'late', lateSource)
  const site = await serveFolder(bundle.folder, { headers: { 'Cache-Control': 'no-cache' } })
  const browser = await openBrowser('chromium', { evaluateTimeoutMs: 60_000, compilesLate: true })
  try {
    print(`T6 tabs, Chromium ${browser.version}`)
    const changes = Math.min(mostPerRound, Number(values.changes))
    const run = (seed: number, isControl: boolean) => runRound(browser, site.url, seed, isControl, changes)
    if (values.seed !== undefined) {
      const round = await run(Number(values.seed), false)
      print(JSON.stringify(round, null, 2))
      return conclude([round], null, browser.version)
    }
    const shipped: Round[] = []
    for (let seed = Number(values.from); countChanges(shipped) < Number(values.changes); seed += 1) {
      shipped.push(await run(seed, false))
      print(lineOf('shipped', shipped.slice(-1)))
    }
    const control: Round[] = []
    while (control.every(({ twice }) => twice === 0) && countChanges(control) < longestControlChanges) {
      control.push(await run(control.length + 1, true))
    }
    print(lineOf('shipped, all', shipped))
    print(lineOf('control: no operation ids', control))
    printWaits(shipped)
    return conclude(shipped, control, browser.version)
  } finally {
    await browser.close()
    await site.close()
    await bundle.remove()
  }
}

async function runRound(
  browser: Browser,
  url: string,
  seed: number,
  isControl: boolean,
  changes: number,
): Promise<Round> {
  const random = createRandom(seed)
  const name = `t6 ${isControl ? 'control' : 'shipped'} ${seed}`
  const round: Round = {
    seed,
    tabs: 2 + random.below(7),
    changes: [],
    promised: 0,
    twice: 0,
    missing: 0,
    doubleLeaders: 0,
    failures: [],
  }
  const promised: string[] = []
  const keep = ({ promised: more }: Written) => {
    for (const [id, outcome] of more) {
      promised.push(id)
      if (outcome !== 'inserted') round.twice += 1
    }
  }
  const writers: Writer[] = []
  let opened = 0
  const addWriter = async () => {
    writers.push(await startWriter(browser, url, name, `w${(opened += 1)}`, isControl))
  }
  for (let i = 0; i < round.tabs; i += 1) await addWriter()

  while (round.changes.length < changes) {
    const roles = await waitForLeader(writers.map(({ tab }) => tab))
    if (roles.filter((role) => role === 'leader').length > 1) round.doubleLeaders += 1
    const leader = writers[roles.indexOf('leader')]!
    const others = writers.filter((writer) => writer !== leader)
    // Most leaders give the next tab in line time to prepare itself, some end right after they took over.
    const ageMs = random.below(4) === 0 ? random.below(500) : 1_500 + random.below(1_500)
    await leader.tab.page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${ageMs}))`)
    const way = random.pick(ways)
    if (way !== 'stopped') keep(await writtenBy(leader))
    for (const other of others) await writtenBy(other)
    await end(browser, leader, way)
    if (way !== 'stopped') writers.splice(writers.indexOf(leader), 1)
    const waits = await Promise.all(others.map(waitedFor))
    round.changes.push({ way, isEarly: ageMs < 500, waitedMs: Math.max(...waits) })
    if (way !== 'stopped') await addWriter()
  }

  for (const { tab, prefix } of writers) {
    const written = await tab.page.evaluate<Written>('(...args) => window.stopWriting(...args)', prefix)
    keep(written)
    round.failures.push(...written.failed.map(([, code]) => code))
  }
  round.promised = promised.length
  const [last] = writers as [Writer]
  for (let from = 0; from < promised.length; from += 500) {
    const { value } = await last.tab.ask<readonly unknown[]>('get', promised.slice(from, from + 500))
    // JSON has no undefined.
    round.missing += value?.filter((record) => record === null || record === undefined).length ?? 500
  }
  await last.tab.ask('destroy')
  for (const { tab } of writers) void tab.page.close().catch(() => undefined)
  return round
}

interface Writer {
  readonly tab: Tab
  readonly prefix: string
}

async function startWriter(
  browser: Browser,
  url: string,
  name: string,
  prefix: string,
  isControl: boolean,
): Promise<Writer> {
  const tab = await openTab(browser, `${url}/`, name, { worker: `late/worker.js${isControl ? '?strip' : ''}` })
  await tab.page.evaluate('(...args) => window.startWriting(...args)', name, prefix, pauseMs)
  return { tab, prefix }
}

function writtenBy({ tab, prefix }: Writer): Promise<Written> {
  return tab.page.evaluate('(...args) => window.written(...args)', prefix)
}

/** ms of the slowest answer since the last call, once two more have arrived. */
async function waitedFor(writer: Writer): Promise<number> {
  const { page } = writer.tab
  const before = await writtenBy(writer)
  await waitFor(page, `window.countOf('${writer.prefix}') > ${before.promised.length + before.failed.length + 1}`)
  const after = await writtenBy(writer)
  return Math.max(before.slowestMs, after.slowestMs)
}

async function end(browser: Browser, { tab }: Writer, way: Way): Promise<void> {
  const { page } = tab
  if (way === 'closed') await page.close()
  else if (way === 'left') await tab.ask('close')
  else if (way === 'navigated') await page.evaluate(`void setTimeout(() => (location.href = 'other.html'))`)
  else if (way === 'frozen') await page.devtools('Page.setWebLifecycleState', { state: 'frozen' })
  else if (way === 'crashed') void page.devtools('Page.crash').catch(() => undefined)
  else await stop(await processOf(browser, page))
  if (way !== 'closed' && way !== 'stopped') void page.close().catch(() => undefined)
}

const stoppedMs = 500

async function stop(processId: number): Promise<void> {
  process.kill(processId, 'SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, stoppedMs))
  process.kill(processId, 'SIGCONT')
}

function countChanges(rounds: readonly Round[]): number {
  return rounds.reduce((sum, { changes }) => sum + changes.length, 0)
}

function lineOf(title: string, rounds: readonly Round[]): string {
  const sum = (measure: (round: Round) => number) => rounds.reduce((total, round) => total + measure(round), 0)
  const failures = rounds.flatMap((round) => round.failures)
  return [
    `${title}: seeds ${rounds[0]?.seed}–${rounds.at(-1)?.seed}`,
    `${countChanges(rounds)} changes`,
    `${sum(({ promised }) => promised)} promised`,
    `${sum(({ missing }) => missing)} missing`,
    `${sum(({ twice }) => twice)} twice`,
    `${sum(({ doubleLeaders }) => doubleLeaders)} double leaders`,
    `failed: ${failures.length === 0 ? 'none' : [...new Set(failures)].map((code) => `${code} × ${failures.filter((other) => other === code).length}`).join(', ')}`,
  ].join(' · ')
}

function printWaits(rounds: readonly Round[]): void {
  const changes = rounds.flatMap((round) => round.changes)
  const printLine = (title: string, isMeant: (change: Change) => boolean) => {
    const waits = changes.filter(isMeant).map(({ waitedMs }) => waitedMs)
    const sorted = waits.toSorted((a, b) => a - b)
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)
    if (waits.length === 0) return
    print(
      `${title.padEnd(36)} ${String(waits.length).padStart(4)} ×: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`,
    )
  }
  print('How long the slowest of the other writers waited:')
  for (const way of ways) printLine(way, (change) => change.way === way)
  printLine('all but stopped, next one ready', ({ way, isEarly }) => way !== 'stopped' && !isEarly)
  printLine('all but stopped, right after another', ({ way, isEarly }) => way !== 'stopped' && isEarly)
}

/** `control` null: one seed was run again, without it. */
function conclude(shipped: readonly Round[], control: readonly Round[] | null, version: string): Outcome {
  const bad = shipped.filter(
    ({ missing, twice, doubleLeaders, failures }) => missing + twice + doubleLeaders + failures.length > 0,
  )
  for (const { seed } of bad) print(`replay: node test/torture/run.mjs t6 --seed ${seed}`)
  const found = control?.reduce((sum, { twice }) => sum + twice, 0) ?? null
  if (found === 0) print('the control found nothing: no leader ended between commit and answer')
  const sum = (measure: (round: Round) => number) => shipped.reduce((total, round) => total + measure(round), 0)
  const waits = shipped.flatMap(({ changes }) => changes.map(({ waitedMs }) => waitedMs))
  return {
    isGreen: bad.length === 0 && found !== 0,
    size: `${countChanges(shipped)} changes`,
    seeds: seedsFrom(shipped[0]?.seed ?? 0, shipped.length),
    result: `${sum(({ promised }) => promised)} promised, ${sum(({ missing }) => missing)} missing, ${sum(({ twice }) => twice)} twice, ${sum(({ doubleLeaders }) => doubleLeaders)} double leaders, wait p95 ${Math.round(quantile(waits, 0.95))} ms`,
    control: found === null ? 'not run' : `no operation ids: ${found} twice`,
    browsers: `chromium ${version}`,
  }
}

/** ms a writer rests between two writes: the run measures the hand-over, not a machine at its limit. */
const pauseMs = 30

/** ms by which an answer between tabs is delayed. */
const lateMs = 15

/** In the worker, before its code: answers are delayed, and with `?strip` calls lose their operation id. */
const lateSource = `
const strips = new URL(self.location.href).searchParams.has('strip')
const post = BroadcastChannel.prototype.postMessage
BroadcastChannel.prototype.postMessage = function (sealed) {
  const type = sealed.message?.type
  if (strips && type === 'call') sealed = { ...sealed, message: { ...sealed.message, context: { now: Date.now() } } }
  if (type !== 'answer') return post.call(this, sealed)
  // A leader that left has closed its channels by then.
  setTimeout(() => { try { post.call(this, sealed) } catch {} }, ${lateMs})
}
`

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
