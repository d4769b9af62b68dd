/**
 * T15: a whole browser is SIGKILLed while it writes in fallback mode, again and again over one profile. Red when anything
 * that was acknowledged is lost or torn, and red when the control, which acknowledges too early, loses nothing. A store
 * that the browser lost whole must answer DATA_MISSING; how often that happened is printed.
 */
import { readFile } from 'node:fs/promises'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { availableBrowsers, type BrowserKind } from '../../support/browsers.ts'
import { ownFolder } from '../../support/process-group.ts'
import { until } from '../../support/within.ts'
import { bundleWorker } from '../bundle.ts'
import { createRandom } from '../t3/random.ts'
import { digestOf, idsAfter } from './script.ts'
import { startVictim } from './victim.ts'
import type { Order, Report } from './worker.ts'

interface Tally {
  kills: number
  acknowledged: number
  inFlightKept: number
  lost: number
  torn: number
  vanished: number
  readonly openMs: number[]
}

/** The control must fail within so many kills. */
const controlKills = 12
/** Longest life of a victim after it opened: some are killed at their first write, some after a new generation. */
const longestLifeMs = 1_500

/** Returns the exit code. `--kills` in each browser, `--browsers chromium,webkit`, `--storage opfs`, `--seed`. */
export async function runKills(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: 'string', default: '20' },
      browsers: { type: 'string' },
      storage: { type: 'string', default: 'indexeddb' },
      seed: { type: 'string', default: '1' },
    },
  })
  const kinds = (values.browsers?.split(',') as BrowserKind[] | undefined) ?? availableBrowsers()
  const storage = values.storage as Order['storage']
  const site = await openSite()
  let isRed = false
  try {
    print(row(['browser', 'mode', 'kills', 'steps', 'in flight kept', 'lost', 'torn', 'vanished', 'open p50', 'p95']))
    for (const kind of kinds) {
      const shipped = await runLine(site, kind, storage, 'shipped', Number(values.kills), Number(values.seed))
      isRed ||= shipped.lost + shipped.torn > 0
      const control = await runLine(site, kind, storage, 'early', controlKills, Number(values.seed))
      // OPFS commits by itself: there is nothing to acknowledge too early.
      if (storage === 'indexeddb' && control.lost === 0) {
        print('  the control lost nothing: these kills prove nothing')
        isRed = true
      }
    }
  } finally {
    await site.close()
  }
  print(isRed ? 'RED' : 'green')
  return isRed ? 1 : 0
}

async function runLine(
  site: Site,
  kind: BrowserKind,
  storage: Order['storage'],
  mode: Order['mode'],
  kills: number,
  seed: number,
): Promise<Tally> {
  const random = createRandom(Math.imul(seed + kind.length, 2_654_435_761))
  const tally: Tally = { kills: 0, acknowledged: 0, inFlightKept: 0, lost: 0, torn: 0, vanished: 0, openMs: [] }
  const profileDir = await mkdtemp(join(tmpdir(), 'scrubjay-t15-'))
  const drop = ownFolder(profileDir)
  let generation = 0
  try {
    site.begin({ name: `t15 ${generation}`, storage, mode, steps: 0 })
    while (tally.kills < kills && !(mode === 'early' && tally.lost > 0)) {
      site.expectVictim()
      const victim = await startVictim(kind, profileDir, site.url)
      let found: Found
      try {
        found = await until(60_000, `${kind}: opening after kill ${tally.kills}`, async () => site.found())
        if (found.verdict === 'sound') {
          await new Promise((resolve) => setTimeout(resolve, random.between(0, longestLifeMs)))
        }
      } finally {
        await victim.kill()
      }
      tally.kills += 1
      if (found.tookMs !== undefined) tally.openMs.push(found.tookMs)
      if (found.verdict === 'sound') tally.inFlightKept += Number(found.isInFlightKept)
      else {
        tally[found.verdict] += 1
        if (mode === 'shipped') print(`  ${kind}, kill ${tally.kills}: ${found.verdict}: ${found.reason}`)
      }
      tally.acknowledged += site.takeAcknowledged()
      if (found.verdict !== 'sound') site.begin({ name: `t15 ${++generation}`, storage, mode, steps: 0 })
    }
  } finally {
    await drop()
  }
  print(rowOf(kind, mode, tally))
  return tally
}

interface Found {
  readonly verdict: 'sound' | 'lost' | 'torn' | 'vanished'
  readonly reason: string
  readonly isInFlightKept: boolean
  readonly tookMs?: number
}

interface Site {
  readonly url: string
  begin(order: Order): void
  expectVictim(): void
  /** Null until the victim has said what it found. */
  found(): Found | null
  takeAcknowledged(): number
  close(): Promise<void>
}

/** Serves the victim's page and takes its reports: what was acknowledged is what arrived here. */
async function openSite(): Promise<Site> {
  const bundle = await bundleWorker(new URL('./worker.ts', import.meta.url).pathname)
  await writeFile(join(bundle.folder, 'victim.html'), victimPage)
  let order: Order = { name: '', storage: 'indexeddb', mode: 'shipped', steps: 0 }
  let found: Found | null = null
  let acknowledged = 0

  const take = (report: Report) => {
    if (report.type === 'step') {
      order = { ...order, steps: report.steps }
      acknowledged += 1
    } else if (report.type === 'failed') {
      const verdict = report.code === 'DATA_MISSING' ? 'vanished' : 'torn'
      found ??= { verdict, reason: `${report.code} ${report.message}`, isInFlightKept: false }
    } else found = judge(report, order.steps)
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
    if (pathname === '/order') return response.end(JSON.stringify(order))
    if (pathname === '/resume') {
      const next = digestOf(idsAfter(order.steps + 1)) === searchParams.get('digest') ? order.steps + 1 : order.steps
      return response.end(String(next))
    }
    if (pathname === '/report') {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      take(JSON.parse(Buffer.concat(parts).toString()) as Report)
      return response.end()
    }
    const file = await readFile(join(bundle.folder, pathname)).catch(() => null)
    response.writeHead(file === null ? 404 : 200, { 'Content-Type': types[extname(pathname)] ?? 'text/plain' })
    return response.end(file)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // One port for all victims: the store belongs to the origin.
    url: `http://localhost:${(server.address() as AddressInfo).port}/victim.html`,
    begin: (next) => {
      order = next
    },
    expectVictim: () => {
      found = null
    },
    found: () => found,
    takeAcknowledged: () => {
      const taken = acknowledged
      acknowledged = 0
      return taken
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await bundle.remove()
    },
  }
}

/** Every acknowledged step is there; the one after it, which was not, may be there, whole. */
function judge({ digest, fault, tookMs }: Report & { readonly type: 'opened' }, steps: number): Found {
  if (fault !== null) return { verdict: 'torn', reason: fault, isInFlightKept: false, tookMs }
  if (digest === digestOf(idsAfter(steps))) return { verdict: 'sound', reason: '', isInFlightKept: false, tookMs }
  if (digest === digestOf(idsAfter(steps + 1))) return { verdict: 'sound', reason: '', isInFlightKept: true, tookMs }
  const reason = `${digest} is neither ${steps} steps (${digestOf(idsAfter(steps))}) nor one more`
  return { verdict: 'lost', reason, isInFlightKept: false, tookMs }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
}

const victimPage = `<!doctype html><meta charset="utf-8"><title>victim</title><script type="module">
new Worker('./worker.js', { type: 'module' }).onerror = (event) =>
  fetch('/report', { method: 'POST', body: JSON.stringify({ type: 'failed', code: 'WORKER', message: event.message || 'not started' }) })
</script>`

function rowOf(kind: BrowserKind, mode: Order['mode'], tally: Tally): string {
  const sorted = tally.openMs.toSorted((a, b) => a - b)
  const at = (share: number) =>
    String(Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0))
  const { kills, acknowledged, inFlightKept, lost, torn, vanished } = tally
  const counts = [kills, acknowledged, inFlightKept, lost, torn, vanished].map(String)
  return row([kind, mode, ...counts, at(0.5), at(0.95)])
}

function row(cells: readonly string[]): string {
  return cells.map((cell, i) => (i < 2 ? cell.padEnd(10) : cell.padStart(15))).join(' ')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
