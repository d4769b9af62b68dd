/** Serves the victim's page and takes its reports: what was acknowledged is what arrived here. */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { bundleWorker } from '../bundle.ts'
import { contentsAfter, digestOf } from './script.ts'
import type { Order, Report } from './worker.ts'

export interface Found {
  readonly verdict: 'sound' | 'lost' | 'torn' | 'vanished'
  readonly reason: string
  readonly isInFlightKept: boolean
  readonly tookMs: number | null
}

export interface Site {
  readonly url: string
  begin(order: Order): void
  expectVictim(): void
  /** Null until the victim has said what it found. */
  found(): Found | null
  /** Steps since they were last taken. */
  acknowledged(): number
  takeAcknowledged(): number
  close(): Promise<void>
}

export async function openSite(): Promise<Site> {
  const bundle = await bundleWorker(new URL('./worker.ts', import.meta.url).pathname)
  await writeFile(join(bundle.folder, 'victim.html'), victimPage)
  let order: Order = { name: '', storage: 'indexeddb', mode: 'shipped', base: 0, steps: null }
  let found: Found | null = null
  let acknowledged = 0

  const take = (report: Report) => {
    if (report.type === 'step') {
      order = { ...order, steps: report.steps }
      acknowledged += 1
    } else if (report.type === 'failed') {
      const verdict = report.code === 'DATA_MISSING' ? 'vanished' : 'torn'
      found ??= { verdict, reason: `${report.code} ${report.message}`, isInFlightKept: false, tookMs: null }
    } else {
      found = judge(report, order.steps ?? 0)
      order = { ...order, steps: order.steps ?? 0 }
    }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
    if (pathname === '/order') return response.end(JSON.stringify(order))
    if (pathname === '/resume') {
      const steps = order.steps ?? 0
      const next = digestOf(contentsAfter(steps + 1)) === searchParams.get('digest') ? steps + 1 : steps
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
  const server = createServer((request, response) => {
    // A request may be cut off by the kill: then nothing was acknowledged.
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
    },
    found: () => found,
    acknowledged: () => acknowledged,
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
  const acknowledged = digestOf(contentsAfter(steps))
  if (digest === acknowledged) return { verdict: 'sound', reason: '', isInFlightKept: false, tookMs }
  if (digest === digestOf(contentsAfter(steps + 1)))
    return { verdict: 'sound', reason: '', isInFlightKept: true, tookMs }
  const reason = `${digest} is neither ${steps} steps (${acknowledged}) nor one more`
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
