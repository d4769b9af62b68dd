/**
 * [P3] Tests a full disk in Chromium: whatever the remaining space and the size of the puts that fill it, records can
 * be forgotten in the same session, every acknowledged record can be read, and afterwards there is space for new
 * records.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser } from '../../support/browsers/browsers.ts'
import { casesOf } from '../../support/browsers/detail.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { type Bundle, bundleWorker } from '../../torture/bundle.ts'
import type { Filled, Looked } from '../../torture/t8/worker.ts'

let bundle: Bundle
const browsers = new Map<Setting['kind'], Promise<Browser>>()

beforeAll(async () => {
  bundle = await bundleWorker(new URL('../../torture/t8/worker.ts', import.meta.url).pathname)
})

afterAll(async () => {
  for (const browser of browsers.values()) await (await browser).close()
  await bundle.remove()
})

/** Numbers from here on are records of 20 kB. */
const large = 1_000_000
const earlier = 20

describe.runIf(availableBrowsers().includes('chromium'))('a full disk in chromium', () => {
  // T8 of the torture runs draws more sizes.
  test.each(
    casesOf<readonly ['opfs', number, number]>(
      [
        ['opfs', 0, 1],
        ['opfs', 4_000_000, 300],
      ],
      [
        ['opfs', 12_000_000, 1_000],
        ['opfs', 3_000_000, 1],
        ['opfs', 12_000_000, 10],
      ],
    ),
  )(
    '[P3] %s with %i bytes left, filled by puts of %i: forgets, compacts, exports, reads, then stores again',
    async (kind, left, perPut) => {
      await withFullStore({ kind, left, perPut }, emptied)
    },
    180_000,
  )

  // In a private window, whose IndexedDB does not count replaced values; a profile's IndexedDB, on LevelDB, counts them
  // for a while.
  test.each(casesOf([[5_000_000, 1]], [[9_000_000, 10]]) as readonly (readonly [number, number])[])(
    '[P3] indexeddb, %i bytes filled by puts of %i: forgets, compacts, exports, reads, then stores again',
    async (quotaBytes, perPut) => {
      await withFullStore({ kind: 'indexeddb', quotaBytes, perPut }, emptied)
    },
    180_000,
  )

  test('[P3] indexeddb, not a byte left: opens, reads and closes; forgets when there is some space', async () => {
    await withFullStore({ kind: 'indexeddb', quotaBytes: 5_000_000, perPut: 10 }, async (store) => {
      const stored = storedBy(store)
      await store.get('close')
      await store.get('addBallast')
      await store.open()
      await store.look(stored)
      expect(await store.ask('fill', large + 5_000, large + 5_001, 1)).toMatchObject({
        value: { acknowledged: 0, code: 'QUOTA_EXCEEDED' },
      })
      await store.get('close')
      await store.open()
      await store.look(stored)
      expect(await store.get('forget', stored)).toBe(stored.length)
    })
  }, 180_000)

  // For IndexedDB see test/integration/storage/paged/paged-storage.test.ts.
  test('control: a store without a reserve cannot be emptied', async () => {
    await withFullStore({ kind: 'opfs', left: 0, perPut: 1, first: ['keepNoRoom'] }, async ({ ask, filled }) => {
      expect(filled.code).toBe('QUOTA_EXCEEDED')
      expect(await ask('forgetScope')).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    })
  })
})

const storedBy = ({ filled }: FullStore) => Array.from({ length: filled.acknowledged }, (_, i) => large + i)

async function emptied(store: FullStore): Promise<void> {
  const { get, look, filled } = store
  const stored = storedBy(store)
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
  await store.open()
  expect(await get<Looked>('look', 0)).toEqual({ records: 4, notFound: 0, problems: [] })
}

interface FullStore {
  ask(...request: readonly unknown[]): Promise<{ value?: unknown; error?: { code: string; message: string } }>
  /** The value of an answer that must not be an error. */
  get<T>(...request: readonly unknown[]): Promise<T>
  /** Expects every acknowledged record. */
  look(stored: readonly number[]): Promise<void>
  open(): Promise<void>
  readonly filled: Filled
}

interface Setting {
  readonly kind: 'opfs' | 'indexeddb'
  readonly perPut: number
  /** Commands before the store is opened. */
  readonly first?: readonly string[]
  /** Bytes beyond the first records. */
  readonly left?: number
  /** Or bytes in total, from the beginning: for IndexedDB Chromium applies an earlier quota for half a minute. */
  readonly quotaBytes?: number
}

/** One of each kind. The one for IndexedDB is in a private window. */
function browserFor(kind: Setting['kind']): Promise<Browser> {
  const browser = browsers.get(kind) ?? openBrowser('chromium', { isPrivate: kind === 'indexeddb', compilesLate: true })
  browsers.set(kind, browser)
  return browser
}

async function withFullStore(setting: Setting, work: (store: FullStore) => Promise<void>): Promise<void> {
  const { kind, perPut, first = [], left = 0, quotaBytes } = setting
  // An origin of its own.
  const server = await serveFolder(bundle.folder)
  const page = await (await browserFor(kind)).page(`${server.url}/`)
  try {
    const ask: FullStore['ask'] = (...request) => page.evaluate(`(request) => window.ask('full', request)`, request)
    const get: FullStore['get'] = async (...request) => {
      const { value, error } = await ask(...request)
      if (error) throw new Error(`${String(request[0])}: ${error.code} ${error.message}`)
      return value as never
    }
    const open = () => get<void>('open', 'full', kind)
    for (const command of first) await get(command)
    const limit = (quotaSize: number) =>
      page.devtools('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize })
    if (quotaBytes !== undefined) await limit(quotaBytes)
    await open()
    await get('fill', 0, earlier, 10)
    if (quotaBytes === undefined) await limit((await get<number>('usage')) + left)
    const filled = await get<Filled>('fill', large, large + 4_000, perPut)
    const look: FullStore['look'] = async (stored) => {
      const { records, notFound, problems } = await get<Looked>('look', earlier)
      expect({ records, notFound, problems }).toEqual({
        records: earlier + stored.length,
        notFound: 0,
        problems: [],
      })
    }
    await work({ ask, get, look, open, filled })
  } finally {
    await page.close()
    await server.close()
  }
}
