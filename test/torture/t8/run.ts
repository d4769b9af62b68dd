/**
 * [P3] T8: the browser grants no more space, at one size after another. Red when a put beyond it fails with another
 * error than QUOTA_EXCEEDED, when an acknowledged record is missing, there or after reopening, when records cannot be
 * forgotten, exported or compacted while it is full, when no write succeeds once there is space, and when the control,
 * a disk that silently drops writes it has no space for, finds nothing.
 */
import { parseArgs } from 'node:util'
import { serveFolder } from '../../../demo/static-server.mjs'
import { openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { createRandom } from '../../support/data/random.ts'
import { bundleWorker } from '../bundle.ts'
import { type Outcome, print, seedsFrom } from '../outcome.ts'
import type { Filled, Looked } from './worker.ts'

const smallestBytes = 200_000
const largestBytes = 16_000_000
/** Records before the space becomes scarce, and afterwards. */
const earlier = 20
const later = 20
/** More than fit into the largest size. */
const mostRecords = 4_000

interface Tried {
  readonly quotaBytes: number
  readonly acknowledged: number
  readonly faults: readonly string[]
}

/** `--sizes` from 200 kB to 16 MB; `--from` the first seed, which draws size and batch; `--seed` runs one again. */
export async function runQuota(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '40' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
    },
  })
  const bundle = await bundleWorker(new URL('./worker.ts', import.meta.url).pathname)
  const server = await serveFolder(bundle.folder)
  const browser = await openBrowser('chromium', { compilesLate: true })
  const first = Number(values.seed ?? values.from)
  const count = values.seed === undefined ? Number(values.sizes) : 1
  try {
    const tried: Tried[] = []
    for (let seed = first; seed < first + count; seed++) {
      const one = await runSize(await browser.page(`${server.url}/`), server.url, seed, shareOf(seed), false)
      tried.push(one)
      for (const fault of one.faults)
        print(`  ${one.quotaBytes} bytes: ${fault}\n  replay: node test/torture/run.mjs t8 --seed ${seed}`)
    }
    const control = await runSize(await browser.page(`${server.url}/`), server.url, 1, 0.7, true)
    for (const fault of control.faults) print(`  control: ${fault}`)
    const wrong = tried.filter(({ faults }) => faults.length > 0).length
    return {
      isGreen: wrong === 0 && control.faults.length > 0,
      size: `${tried.length} sizes, ${smallestBytes / 1e6}–${largestBytes / 1e6} MB`,
      seeds: seedsFrom(first, count),
      result: `${tried.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} records acknowledged before it was full, ${wrong} sizes untyped, lost or stuck`,
      control: `a disk that passes over what has no room: ${control.faults.length} faults found`,
      browsers: `chromium ${browser.version}`,
    }
  } finally {
    await browser.close()
    await server.close()
    await bundle.remove()
  }
}

/** Any number of successive seeds spreads evenly over 0 to 1. */
function shareOf(seed: number): number {
  return (seed * 0.618_033_988_75) % 1
}

async function runSize(page: Page, origin: string, seed: number, share: number, isControl: boolean): Promise<Tried> {
  const quotaBytes = Math.round(smallestBytes * (largestBytes / smallestBytes) ** share)
  const perPut = createRandom(seed + 1).pick([1, 3, 10, 40])
  const faults: string[] = []
  const ask = async <T>(...request: readonly unknown[]): Promise<T | null> => {
    type Answer = { readonly value?: T; readonly error?: { readonly code: string; readonly message: string } }
    const { value, error } = await page.evaluate<Answer>('(...args) => window.ask(...args)', 'full', request)
    if (error) faults.push(`${request[0]}: ${error.code} ${error.message}`)
    return value ?? null
  }
  const limit = (quotaSize?: number) =>
    page.devtools('Storage.overrideQuotaForOrigin', {
      origin,
      ...(quotaSize === undefined ? {} : { quotaSize }),
    })
  const look = async (when: string, count: number) => {
    const looked = await ask<Looked>('look', count)
    if (looked === null) return
    const { records, notFound, problems } = looked
    if (records !== count || notFound > 0)
      faults.push(`${when}: ${records} of ${count} records, ${notFound} of them lost`)
    for (const problem of problems) faults.push(`${when}: ${problem}`)
  }

  const name = `t8 ${isControl ? 'control' : seed}`
  try {
    await ask('open', name)
    await ask('fill', 0, earlier, 10)
    if (isControl) await ask('lie')
    await limit(quotaBytes)
    const filled = await ask<Filled>('fill', earlier, mostRecords, perPut)
    if (filled?.code !== 'QUOTA_EXCEEDED') faults.push(`filling ended with ${filled?.code}: ${filled?.message}`)
    let count = earlier + (filled?.acknowledged ?? 0)
    await look('full', count)
    // One loss under the control is enough.
    if (!isControl) {
      const last = [count - 1, count - 2, count - 3]
      if ((await ask<number>('forget', last.slice(0, 1))) !== 1) faults.push('full: one record was not forgotten')
      if ((await ask<number>('forget', last.slice(1))) !== 2) faults.push('full: two records were not forgotten')
      if ((await ask<boolean>('isForgotten', count - 1)) !== true) faults.push('full: something is left of a record')
      if ((await ask<number>('exported')) === null) faults.push('full: not exported')
      await ask('compact')
      count -= last.length
      await look('full, and some forgotten', count)
    }
    await ask('close')
    await ask('open', name)
    await look('opened again, still full', count)
    await limit()
    const after = await ask<Filled>('fill', count, count + later, 5)
    if (after?.acknowledged !== later) faults.push(`with space again: ${after?.code} ${after?.message}`)
    await look('with space again', count + later)
    await ask('destroy')
    return { quotaBytes, acknowledged: filled?.acknowledged ?? 0, faults }
  } finally {
    await limit().catch(() => undefined)
    await page.close()
  }
}
