/** Serves the victim's page and receives its reports: a write counts as acknowledged when its report arrived here. */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { bundleWorker } from '../bundle.ts'
import { type Progress, placeOf } from './judge.ts'
import { isLong, stepAt } from './script.ts'
import type { Order, Report } from './worker.ts'

export interface Found {
  readonly verdict: 'sound' | 'lost' | 'torn' | 'vanished'
  readonly reason: string
  /** How much of the step in flight is there. `part`: some of its slices. */
  readonly kept: 'nothing' | 'part' | 'whole'
  readonly tookMs: number | null
}

export interface Site {
  readonly url: string
  begin(order: Order): void
  expectVictim(): void
  /** Whether the victim's worker runs: it asked for its order. */
  isRunning(): boolean
  /** The victim's last request, for the error of one that hangs. */
  lastRequest(): string | null
  /** Null until the victim has reported what it found. */
  found(): Found | null
  /** Steps since the last read. */
  acknowledged(): number
  takeAcknowledged(): number
  /** Whether the victim's current step is a long one. */
  isInLongStep(): boolean
  /** Whether some of its slices are acknowledged, and others are to come. */
  isBetweenSlices(): boolean
  close(): Promise<void>
}

export async function openSite(): Promise<Site> {
  const bundle = await bundleWorker(new URL('./worker.ts', import.meta.url).pathname)
  await writeFile(join(bundle.folder, 'victim.html'), victimPage)
  let order: Order = { name: '', storage: 'indexeddb', mode: 'shipped', base: 0, progress: null }
  let found: Found | null = null
  let acknowledged = 0
  let lastRequest: string | null = null
  let isRunning = false

  const take = (report: Report) => {
    if (report.type === 'step') {
      order = { ...order, progress: { steps: report.steps, slices: 0 } }
      acknowledged += 1
    } else if (report.type === 'slice') {
      order = { ...order, progress: { steps: report.steps, slices: report.slices } }
    } else if (report.type === 'failed') {
      const verdict = report.code === 'DATA_MISSING' ? 'vanished' : 'torn'
      found ??= { verdict, reason: `${report.code} ${report.message}`, kept: 'nothing', tookMs: null }
    } else {
      const progress = order.progress ?? start
      const place = report.fault === null ? placeOf(report.digest, progress) : null
      found = judge(report, progress, place)
      // Slices found at an opening are durable.
      order = { ...order, progress: place ?? progress }
    }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    lastRequest = pathname
    if (pathname === '/order') {
      isRunning = true
      return response.end(JSON.stringify(order))
    }
    if (pathname === '/resume') return response.end(JSON.stringify(order.progress ?? start))
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
  const server = createServer((request, response) => {
    // The kill may cut off a request: then nothing was acknowledged.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // One port for all victims: the store belongs to the origin.
    url: `http://localhost:${(server.address() as AddressInfo).port}/victim.html`,
    begin: (next) => {
      order = next
    },
    expectVictim: () => {
      found = null
      lastRequest = null
      isRunning = false
    },
    isRunning: () => isRunning,
    lastRequest: () => lastRequest,
    found: () => found,
    acknowledged: () => acknowledged,
    takeAcknowledged: () => {
      const taken = acknowledged
      acknowledged = 0
      return taken
    },
    isInLongStep: () => isLong(stepAt(order.progress?.steps ?? 0)),
    isBetweenSlices: () => (order.progress?.slices ?? 0) > 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await bundle.remove()
    },
  }
}

const start: Progress = { steps: 0, slices: 0 }

function judge(
  { digest, fault, tookMs }: Report & { readonly type: 'opened' },
  { steps, slices }: Progress,
  place: Progress | null,
): Found {
  if (fault !== null) return { verdict: 'torn', reason: fault, kept: 'nothing', tookMs }
  if (place === null) {
    const reason = `${digest} is neither ${steps} steps and ${slices} slices, nor that and further slices of the next step`
    return { verdict: 'lost', reason, kept: 'nothing', tookMs }
  }
  const kept = place.steps > steps ? 'whole' : place.slices > 0 ? 'part' : 'nothing'
  return { verdict: 'sound', reason: '', kept, tookMs }
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
