/**
 * Tests storage in real browsers: what survives a killed worker, what a second owner gets, the effects of damage, a
 * full disk and a failing handle, and that forgotten text leaves no byte. Each test has its own store name.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { casesOf, detailIn, isInDetail } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { type Bundle, bundleWorker } from '../../torture/bundle.ts'
import { contractIn, randomWords } from './shared-parts.ts'

type Answer<T> = { readonly value?: T; readonly error?: { readonly code: string; readonly message: string } }
interface State {
  readonly ids: readonly number[]
  readonly found: number
  readonly integrity: string
}

let bundle: Bundle
let server: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundleWorker(new URL('./persistence-worker.ts', import.meta.url).pathname)
  server = await serveFolder(bundle.folder)
})

afterAll(async () => {
  await server.close()
  await bundle.remove()
})

const kinds = availableBrowsers()

describe.each(kinds.filter((kind) => kind !== 'webkit'))('OPFS in %s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let page: Page
  const ask = <T>(worker: string, ...request: readonly unknown[]) =>
    page.evaluate<Answer<T>>('(worker, request) => window.ask(worker, request)', worker, request)
  const terminate = (worker: string) => page.evaluate('(worker) => window.terminate(worker)', worker)
  /** The value of an answer that must not be an error. */
  const get = async <T>(worker: string, ...request: readonly unknown[]): Promise<T> => {
    const { value, error } = await ask<T>(worker, ...request)
    if (error) throw new Error(`${String(request[0])}: ${error.code} ${error.message}`)
    return value as T
  }

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${server.url}/`)
  })
  afterAll(() => browser.close())

  test.each(contractIn(kind))('contract: %s', async (name) => {
    expect(await ask('contract', 'contract', name)).toEqual({})
  })

  test('[P2] auto is OPFS here, nothing is degraded, and SQLite uses the chosen journal mode', async () => {
    expect(await get('pragmas', 'open', 'pragmas', 'auto')).toMatchObject({ kind: 'opfs', degraded: [] })
    const names = [
      'journal_mode',
      'locking_mode',
      'synchronous',
      'page_size',
      'cache_size',
      'wal_autocheckpoint',
      'auto_vacuum',
    ]
    const read = []
    for (const name of names) read.push(await get('pragmas', 'pragma', name))
    expect(read).toEqual(['wal', 'exclusive', '2', '8192', '-16384', '1000', '2'])
    await get('pragmas', 'destroy')
  })

  test('[P1] a killed worker loses nothing it acknowledged', async () => {
    await get('killed', 'open', 'killed')
    await get('killed', 'put', 0, 50)
    await get('killed', 'put', 50, 60)
    await terminate('killed')
    await get('heir', 'open', 'killed')
    expect(await get<State>('heir', 'state')).toMatchObject({ ids: [...Array(60).keys()], found: 60, integrity: 'ok' })
    await get('heir', 'destroy')
  })

  detail('[E1] without SQLite an existing and a new store report exactly that, and nothing is changed', async () => {
    await get('maker', 'open', 'stays')
    await get('maker', 'put', 0, 3)
    await get('maker', 'close')
    for (const kind of ['auto', 'opfs', 'indexeddb'])
      for (const name of ['stays', 'never'])
        expect(await ask('without', 'openWithoutSqlite', name, kind)).toMatchObject({
          error: { code: 'STORAGE_UNAVAILABLE', message: 'SQLite could not be loaded.' },
        })
    await get('maker', 'open', 'stays', 'auto')
    expect(await get<State>('maker', 'state')).toMatchObject({ ids: [0, 1, 2] })
    await get('maker', 'destroy')
    expect(await get('maker', 'open', 'never', 'auto')).toMatchObject({ kind: 'opfs', degraded: [] })
    await get('maker', 'destroy')
  })

  test('[E1] a second owner gets STORE_BUSY, and the store at once when the first one closes', async () => {
    await get('owner', 'open', 'shared')
    await get('owner', 'put', 0, 3)
    expect(await ask('rival', 'open', 'shared', 'auto')).toMatchObject({ error: { code: 'STORE_BUSY' } })
    await get('owner', 'put', 3, 6)
    await get('owner', 'close')
    await get('rival', 'open', 'shared')
    expect((await get<State>('rival', 'state')).ids).toEqual([0, 1, 2, 3, 4, 5])
    await get('rival', 'destroy')
  })

  detail('a waiting owner takes over when the first one dies', async () => {
    await get('dying', 'open', 'inherited')
    await get('dying', 'put', 0, 3)
    const waiting = get('waiting', 'open', 'inherited')
    await terminate('dying')
    await waiting
    expect((await get<State>('waiting', 'state')).ids).toEqual([0, 1, 2])
    await get('waiting', 'destroy')
  })

  test.each([
    ['header', 'STORE_CORRUPT'],
    ...(isInDetail(kind)
      ? [
          ['foreign', 'STORE_CORRUPT'],
          ['empty', 'STORE_CORRUPT'],
        ]
      : []),
    ['missing', 'DATA_MISSING'],
  ])(
    '[E1] a database file that is damaged (%s) is %s: never wiped, never replaced by an empty store',
    async (how, code) => {
      const name = `damaged ${how}`
      await get('damage', 'open', name)
      await get('damage', 'put', 0, 5)
      await get('damage', 'close')
      await get('damage', 'damage', name, how)
      const sizes = (await get<number[]>('damage', 'files', name)).toSorted()
      for (const kindAsked of ['opfs', 'auto']) {
        expect(await ask('damage', 'open', name, kindAsked)).toMatchObject({ error: { code } })
      }
      expect((await get<number[]>('damage', 'files', name)).toSorted()).toEqual(sizes)
      await get('damage', 'remove', name)
      await get('damage', 'open', name)
      await get('damage', 'destroy')
    },
  )

  detail(
    '[P1] a handle that fails once at opening, whichever it is, loses neither the store nor the opening',
    async () => {
      await get('unlucky', 'open', 'unlucky')
      await get('unlucky', 'put', 0, 5)
      await terminate('unlucky')
      // Lock file, check of the platform, and one for each file of the pool.
      for (let nth = 1; nth <= 7; nth++) {
        await get('unlucky', 'failHandle', nth)
        await get('unlucky', 'open', 'unlucky')
        expect((await get<State>('unlucky', 'state')).ids).toEqual([0, 1, 2, 3, 4])
        await terminate('unlucky')
      }
      await get('unlucky', 'remove', 'unlucky')
    },
  )

  detail('destroy leaves no folder', async () => {
    const before = await get<string[]>('destroy', 'stores')
    await get('destroy', 'open', 'short life')
    await get('destroy', 'put', 0, 3)
    await get('destroy', 'destroy')
    expect(await get('destroy', 'stores')).toEqual(before)
  })

  describe('[W3] canary', () => {
    /**
     * Plants, deletes, scans every stored byte; the beginning of a term may be shared, so its last half counts, too.
     */
    const run = async (name: string, settings: readonly string[], isCheckpointed: boolean) => {
      const canaries = randomWords()
      const needles = canaries.flatMap((canary) => [canary, canary.slice(16)])
      await get(name, 'open', name)
      await get(name, 'put', 0, 200)
      for (const sql of settings) await get(name, 'execute', sql)
      await get(name, 'plant', canaries)
      await get(name, 'checkpoint')
      const planted = await get<{ found: number; bytes: number }>(name, 'scan', name, needles)
      await get(name, 'execute', 'DELETE FROM rows WHERE id >= 1000')
      if (isCheckpointed) await get(name, 'checkpoint')
      const whileOpen = await get<{ found: number; bytes: number }>(name, 'scan', name, needles)
      await get(name, 'close')
      const atRest = await get<{ found: number; bytes: number }>(name, 'scan', name, needles)
      await get(name, 'remove', name)
      return { planted, whileOpen, atRest }
    }

    test('deleted text is in no byte after checkpoint', async () => {
      const { planted, whileOpen, atRest } = await run('canary', [], true)
      expect(planted.found).toBeGreaterThanOrEqual(40)
      expect([whileOpen.found, atRest.found]).toEqual([0, 0])
      expect(whileOpen.bytes).toBeGreaterThan(20_000)
    })

    detail(
      'forgetting leaves none in the unallocated space of balanced pages either, before any compaction',
      async () => {
        for (const seed of casesOf([1], [2, 3])) {
          const name = `gaps ${seed}`
          await get(name, 'open', name)
          const needles = await get<readonly string[]>(name, 'plantAndForget', seed)
          expect(needles).toHaveLength(200)
          expect((await get<{ found: number }>(name, 'scan', name, needles)).found).toBe(0)
          await get(name, 'closeEngine')
          expect((await get<{ found: number }>(name, 'scan', name, needles)).found).toBe(0)
          await get(name, 'remove', name)
        }
      },
    )

    detail('control: without checkpoint it is found', async () => {
      expect((await run('canary without checkpoint', [], false)).whileOpen.found).toBeGreaterThan(0)
    })

    detail('control: without secure_delete it is found', async () => {
      const settings = ['PRAGMA secure_delete=OFF', `INSERT INTO search (search, rank) VALUES ('secure-delete', 0)`]
      expect((await run('canary without secure_delete', settings, true)).atRest.found).toBeGreaterThan(0)
    })
  })
})

describe.runIf(kinds.includes('chromium'))('a full disk in chromium', () => {
  test('[E1] QUOTA_EXCEEDED, earlier rows intact, works again once there is space', async () => {
    const browser = await openBrowser('chromium', { compilesLate: true })
    try {
      const page = await browser.page(`${server.url}/`)
      const limit = (quotaSize?: number) =>
        page.devtools('Storage.overrideQuotaForOrigin', {
          origin: server.url,
          ...(quotaSize === undefined ? {} : { quotaSize }),
        })
      const ask = <T>(...request: readonly unknown[]) =>
        page.evaluate<Answer<T>>(`(request) => window.ask('full', request)`, request)

      expect(await ask('open', 'full')).toMatchObject({ value: { kind: 'opfs' } })
      expect(await ask('put', 0, 10)).toEqual({})
      await limit(14 * 1024 * 1024)
      const { value: filled } = await ask<{ acknowledged: number; error: { code: string } }>('fill', 100)
      expect(filled?.error).toMatchObject({ code: 'QUOTA_EXCEEDED' })
      expect(filled?.acknowledged).toBeGreaterThan(0)
      const promised = [...Array(10).keys(), ...Array.from({ length: filled?.acknowledged ?? 0 }, (_, i) => 100 + i)]
      const expectIntact = async () =>
        expect(await ask<State>('state')).toMatchObject({
          value: { ids: promised, found: promised.length, integrity: 'ok' },
        })

      await expectIntact()
      expect(await ask('close')).toEqual({})
      expect(await ask('open', 'full')).toMatchObject({ value: { kind: 'opfs' } })
      await expectIntact()

      await limit()
      expect(await ask('put', 500, 505, 1_000_000)).toEqual({})
      promised.push(500, 501, 502, 503, 504)
      await expectIntact()
      expect(await ask('checkpoint')).toEqual({})
      expect(await ask('destroy')).toEqual({})
    } finally {
      await browser.close()
    }
  })
})

describe.runIf(kinds.includes('webkit'))('webkit, which has no OPFS', () => {
  test('[P2] [E1] named OPFS is refused; auto is IndexedDB with the reason', async () => {
    const browser = await shareBrowser('webkit')
    try {
      const page = await browser.page(`${server.url}/`)
      const ask = (...request: readonly unknown[]) =>
        page.evaluate<Answer<unknown>>(`(request) => window.ask('a', request)`, request)
      expect(await ask('open', 'a', 'opfs')).toMatchObject({ error: { code: 'STORAGE_UNAVAILABLE' } })
      const { value } = (await ask('open', 'a', 'auto')) as Answer<{ kind: string; degraded: readonly string[] }>
      expect(value?.kind).toBe('indexeddb')
      expect(value?.degraded.join(' ')).toMatch(/No opfs storage: .*OPFS/)
      expect(await ask('put', 0, 3)).toEqual({})
      expect(await ask('state')).toMatchObject({ value: { ids: [0, 1, 2], integrity: 'ok' } })
      expect(await ask('usage')).toMatchObject({ value: { persisted: null } })
    } finally {
      await browser.close()
    }
  })
})
