/**
 * A full disk in Chromium [P3]: whatever the room that is left and the size of the puts that fill it, records can be forgotten
 * in the same session, everything that was acknowledged can be read, and afterwards there is room for new records.
 */
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers } from '../support/browsers.ts'
import { findBrowser } from '../support/find-browser.ts'
import { serveFolder } from '../support/static-server.ts'
import { type Bundle, bundleWorker } from '../torture/bundle.ts'
import type { Filled, Looked } from '../torture/t8/worker.ts'

let bundle: Bundle
let server: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundleWorker(new URL('../torture/t8/worker.ts', import.meta.url).pathname)
  server = await serveFolder(bundle.folder)
})

afterAll(async () => {
  await server.close()
  await bundle.remove()
})

/** Numbers from here on are records of 20 kB. */
const large = 1_000_000
const earlier = 20

describe.runIf(availableBrowsers().includes('chromium'))('a full disk in chromium', () => {
  test.each([
    ['opfs', 0, 1],
    ['opfs', 1_000_000, 1],
    ['opfs', 3_000_000, 1],
    ['opfs', 3_000_000, 10],
    ['opfs', 12_000_000, 10],
    ['opfs', 12_000_000, 1_000],
  ] as const)(
    '[P3] %s with %i bytes left, filled by puts of %i: forgets, compacts, exports, reads, then stores again',
    async (kind, left, perPut) => {
      await withFullStore(kind, left, perPut, [], async ({ get, look, filled }) => {
        const stored = Array.from({ length: filled.acknowledged }, (_, i) => large + i)
        expect(filled.code).toBe('QUOTA_EXCEEDED')
        expect(filled.message).toContain('Forget records or free space, then try again')
        await look(stored)
        expect(await get<number>('exported')).toBeGreaterThan(50_000)
        expect(await get('recall', 'word1')).not.toEqual([])
        expect(await get('forget', [0])).toBe(1)
        expect(await get('forget', [1, 2, 3])).toBe(3)
        expect(await get('isForgotten', 2)).toBe(true)
        expect(await get('compact')).toMatchObject({ bytesBefore: expect.any(Number) })
        expect(await get('forget', stored)).toBe(stored.length)
        expect(await get('forgetScope')).toBe(earlier - 4)
        expect(await get('fill', large + 5_000, large + 5_004, 2)).toMatchObject({ acknowledged: 4, code: null })
        await get('close')
        await get('open', `${kind} ${left} ${perPut}`, kind)
        expect(await get<Looked>('look', 0)).toEqual({ records: 4, notFound: 0, problems: [] })
      })
    },
    180_000,
  )

  test('control: a store that keeps no room cannot be emptied', async () => {
    await withFullStore('opfs', 0, 1, ['keepNoRoom'], async ({ ask, filled }) => {
      expect(filled.code).toBe('QUOTA_EXCEEDED')
      expect(await ask('forgetScope')).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    })
  })
})

interface FullStore {
  ask(...request: readonly unknown[]): Promise<{ value?: unknown; error?: { code: string; message: string } }>
  /** The value of an answer that must not be an error. */
  get<T>(...request: readonly unknown[]): Promise<T>
  /** Expects every acknowledged record to be there. */
  look(stored: readonly number[]): Promise<void>
  readonly filled: Filled
}

async function withFullStore(
  kind: 'opfs' | 'indexeddb',
  left: number,
  perPut: number,
  first: readonly string[],
  work: (store: FullStore) => Promise<void>,
): Promise<void> {
  // The quota holds only while its DevTools session lives, which test/support ends after each command.
  const browser = await chromium.launch({
    executablePath: findBrowser('chromium') ?? '',
    args: ['--disable-quic', '--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  try {
    const page = await browser.newPage()
    await page.goto(`${server.url}/`)
    const devtools = await page.context().newCDPSession(page)
    const ask: FullStore['ask'] = (...request) => page.evaluate(`window.ask('full', ${JSON.stringify(request)})`)
    const get: FullStore['get'] = async (...request) => {
      const { value, error } = await ask(...request)
      if (error) throw new Error(`${String(request[0])}: ${error.code} ${error.message}`)
      return value as never
    }
    for (const command of first) await get(command)
    await get('open', `${kind} ${left} ${perPut}`, kind)
    await get('fill', 0, earlier, 10)
    const quotaSize = (await get<number>('usage')) + left
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize })
    const filled = await get<Filled>('fill', large, large + 4_000, perPut)
    const look: FullStore['look'] = async (stored) => {
      const { records, notFound, problems } = await get<Looked>('look', earlier)
      expect({ records, notFound, problems }).toEqual({
        records: earlier + stored.length,
        notFound: 0,
        problems: [],
      })
    }
    await work({ ask, get, look, filled })
  } finally {
    await browser.close()
  }
}
