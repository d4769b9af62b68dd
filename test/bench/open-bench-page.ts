/** A browser with the bench's page in it, and the page's requests as functions. */
import { type Browser, openBrowser } from '../support/browsers/browsers.ts'
import type { BenchApi } from './page/bench-api.ts'

/** The address of the page, and the browser that opens it. */
export interface BenchSite {
  readonly url: string
  readonly kind: 'chromium' | 'firefox'
}

export interface BenchPage {
  readonly version: string
  readonly bench: BenchApi
  close(): Promise<void>
}

/** ms; a graph over 100,000 vectors, or a fill with a million, stays below. */
const longestRequestMs = 1_200_000

export async function openBenchPage({ url, kind }: BenchSite, profileDir: string): Promise<BenchPage> {
  const browser: Browser = await openBrowser(kind, {
    profileDir,
    evaluateTimeoutMs: longestRequestMs,
    // Memory is measured on request, not at some later collection.
    args: kind === 'chromium' ? ['--enable-blink-features=ForceEagerMeasureMemory'] : [],
  })
  try {
    const page = await browser.page(`${url}/`)
    const ask =
      <K extends keyof BenchApi>(verb: K) =>
      (request: Parameters<BenchApi[K]>[0]) =>
        page.evaluate(`(request) => bench.${verb}(request)`, request) as ReturnType<BenchApi[K]>
    return {
      version: browser.version,
      bench: {
        use: ask('use'),
        fill: ask('fill'),
        open: ask('open'),
        status: ask('status'),
        build: ask('build'),
        time: ask('time'),
        rank: ask('rank'),
        change: ask('change'),
        setEf: ask('setEf'),
        wasm: ask('wasm'),
        leave: ask('leave'),
        disk: ask('disk'),
        memory: ask('memory'),
      },
      close: () => browser.close(),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}
