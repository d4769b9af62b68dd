/**
 * Tests IndexedDB storage in real browsers: the contract, killed workers, a second owner, damage, a store that vanished, every step
 * of the storage choice, moving between kinds, and erasure. Each test has its own store name and workers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { detailIn, isInDetail } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { type Bundle, bundleWorker } from '../../torture/bundle.ts'
import { contractIn, randomWords } from './shared-parts.ts'
import { type Answer, type Opened, type Scan, type State, waitingForLocks } from './indexeddb-answers.ts'

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

describe.each(availableBrowsers())('IndexedDB in %s', (kind) => {
  const detail = detailIn(kind)
  const hasOpfs = kind !== 'webkit'
  const whereOnlyStorage = hasOpfs ? detail : test
  let browser: Browser
  let page: Page
  const ask = <T>(worker: string, ...request: readonly unknown[]) =>
    page.evaluate<Answer<T>>('(worker, request) => window.ask(worker, request)', worker, request)
  const terminate = (worker: string) => page.evaluate('(worker) => window.terminate(worker)', worker)
  const get = async <T>(worker: string, ...request: readonly unknown[]): Promise<T> => {
    const { value, error } = await ask<T>(worker, ...request)
    if (error) throw new Error(`${String(request[0])}: ${error.code} ${error.message}`)
    return value as T
  }
  const upTo = (count: number) => ({ ids: [...Array(count).keys()], found: count, integrity: 'ok' })

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${server.url}/`)
  })
  afterAll(() => browser?.close())
  test.each(contractIn(kind))('contract: %s', async (name) => {
    expect(await ask('contract', 'contract', name, 'indexeddb')).toEqual({})
  })

  test('[P1] a killed worker loses nothing it acknowledged, time after time', async () => {
    for (let round = 0; round < 3; round++) {
      await get(`heir ${round}`, 'open', 'killed', 'indexeddb')
      if (round > 0) expect(await get<State>(`heir ${round}`, 'state')).toMatchObject(upTo(round * 20))
      await get(`heir ${round}`, 'put', round * 20, round * 20 + 15)
      await get(`heir ${round}`, 'put', round * 20 + 15, round * 20 + 20)
      await terminate(`heir ${round}`)
    }
    await get('last', 'open', 'killed', 'indexeddb')
    expect(await get<State>('last', 'state')).toMatchObject(upTo(60))
    await get('last', 'destroy')
  })

  whereOnlyStorage(
    '[P1] killed in the middle of writing: acknowledged rows are there, the last batch is complete or absent',
    async () => {
      let from = 0
      await get('writer', 'open', 'cut short', 'indexeddb')
      for (let round = 0; round < 4; round++) {
        // Started, not awaited: the worker dies somewhere within.
        const cut = `(from) => {
        void window.ask('writer', ['put', from, from + 300, 4000])
        return new Promise((done) => setTimeout(() => { window.terminate('writer'); done() }, ${5 + round * 12}))
      }`
        await page.evaluate(cut, from)
        await get('writer', 'open', 'cut short', 'indexeddb')
        const answer = await ask<State>('writer', 'state')
        const found = answer.error ? 0 : answer.value!.ids.length
        expect([from, from + 300]).toContain(found)
        if (!answer.error) expect(answer.value).toMatchObject(upTo(found))
        await get('writer', 'put', found, found + 10)
        from = found + 10
      }
      await get('writer', 'destroy')
    },
  )

  detail('[E1] a second owner gets STORE_BUSY, and the store once the first one dies', async () => {
    await get('owner', 'open', 'shared', 'indexeddb')
    await get('owner', 'put', 0, 3)
    expect(await ask('rival', 'open', 'shared', 'indexeddb')).toMatchObject({ error: { code: 'STORE_BUSY' } })
    const waiting = get('waiting', 'open', 'shared', 'indexeddb')
    // The owner dies when the third worker waits for its lock, not before.
    await expect.poll(() => page.evaluate<number>(waitingForLocks), { timeout: 30_000 }).toBe(1)
    await terminate('owner')
    await waiting
    expect(await get<State>('waiting', 'state')).toMatchObject(upTo(3))
    await get('waiting', 'destroy')
  })

  test('[E1] [P1] the lock file: an owner who lost the store without a lock can no longer write', async () => {
    await get('robbed', 'open', 'robbed', 'indexeddb')
    await get('robbed', 'put', 0, 3)
    await get('thief', 'usurp', 'robbed')
    expect(await ask('robbed', 'put', 3, 6)).toMatchObject({ error: { code: 'STORE_BUSY' } })
    expect(await get<State>('robbed', 'state')).toMatchObject(upTo(3))
    await terminate('robbed')
    await get('thief', 'open', 'robbed', 'indexeddb')
    expect(await get<State>('thief', 'state')).toMatchObject(upTo(3))
    await get('thief', 'destroy')
  })

  test.each(isInDetail(kind) ? ['flip', 'cut', 'remove'] : ['flip'])(
    '[E1] damage (%s) is STORE_CORRUPT or harmless; no store is emptied',
    async (how) => {
      const name = `damaged ${how}`
      await get('damage', 'open', name, 'indexeddb')
      await get('damage', 'put', 0, 5)
      // Both generations, then a journal after them.
      await get('damage', 'checkpoint')
      await get('damage', 'put', 5, 10)
      await get('damage', 'close')
      const { keys } = await get<Scan>('damage', 'scanIdb', name)
      expect(keys).toEqual(expect.arrayContaining(['a/head', 'b/head', 'state/1', 'state/2']))
      const batch = keys.find((key) => key.startsWith('batch/'))!
      await get('damage', 'damageIdb', name, 'a/0', how)
      await get('damage', 'damageIdb', name, 'state/1', how)
      // One of two copies each: all data is there.
      await get('damage', 'open', name, 'indexeddb')
      expect(await get<State>('damage', 'state')).toMatchObject(upTo(10))
      await get('damage', 'close')
      await get('damage', 'damageIdb', name, batch, how)
      for (const storage of ['indexeddb', ...(hasOpfs ? ['opfs'] : ['auto'])]) {
        expect(await ask('damage', 'open', name, storage), storage).toMatchObject({ error: { code: 'STORE_CORRUPT' } })
      }
      expect((await get<Scan>('damage', 'scanIdb', name)).keys).toContain('b/0')
    },
  )

  test('[P2] [E1] a store that vanished completely is DATA_MISSING, for every request, and no empty one is created', async () => {
    await get('vanished', 'open', 'vanished', 'indexeddb')
    await get('vanished', 'put', 0, 3)
    await get('vanished', 'close')
    await get('vanished', 'vanish', 'vanished')
    for (const storage of ['indexeddb', 'auto', 'opfs']) {
      expect(await ask('vanished', 'open', 'vanished', storage), storage).toMatchObject({
        error: { code: 'DATA_MISSING' },
      })
    }
    // WebKit lists an empty database whose creation was aborted; an opener sees it as not yet created.
    const databases = await get<string[]>('vanished', 'databases')
    if (kind !== 'webkit') expect(databases.filter((one) => one.includes('vanished'))).toEqual([])
  })

  detail('[P2] control: without the second copy of the note the vanished store would be a new one', async () => {
    await get('unnoted', 'forbid', 'caches')
    await get('unnoted', 'open', 'unnoted', 'indexeddb')
    await get('unnoted', 'put', 0, 3)
    await get('unnoted', 'close')
    await get('unnoted', 'vanish', 'unnoted')
    await get('unnoted', 'open', 'unnoted', 'indexeddb')
    expect(await ask('unnoted', 'state')).toMatchObject({ error: expect.anything() })
    await get('unnoted', 'destroy')
  })

  describe('[P2] the choice of storage', () => {
    const steps = [
      [['opfs'], 'indexeddb', /No opfs storage/],
      [['opfs', 'indexedDB'], 'memory', /No opfs storage.*No indexeddb storage.*Nothing is kept/],
      [['opfs', 'locks'], 'indexeddb', /No opfs storage/],
      ...(hasOpfs ? ([[['indexedDB'], 'opfs', /^$/]] as const) : []),
    ] as const
    test.each(isInDetail(kind) ? steps : steps.slice(0, 1))(
      'without %s auto is %s',
      async (forbidden, expected, why) => {
        const name = `without ${forbidden.join()}`
        await get(name, 'forbid', ...forbidden.filter((one) => hasOpfs || one !== 'opfs'))
        const opened = await get<Opened>(name, 'open', name, 'auto')
        expect(opened.kind).toBe(expected)
        expect(opened.degraded.join(' ')).toMatch(why)
        await get(name, 'put', 0, 3)
        await get(name, 'destroy')
        await terminate(name)
      },
    )

    detail('[E1] a named kind that is unavailable is refused', async () => {
      await get('named', 'forbid', 'indexedDB')
      expect(await ask('named', 'open', 'named', 'indexeddb')).toMatchObject({ error: { code: 'STORAGE_UNAVAILABLE' } })
      await terminate('named')
    })

    detail('destroy leaves no database and no note', async () => {
      await get('short', 'open', 'short', 'indexeddb')
      await get('short', 'put', 0, 3)
      expect(await get('short', 'location', 'short')).toMatchObject({ kind: 'indexeddb' })
      await get('short', 'destroy')
      expect(await get('short', 'location', 'short')).toMatchObject({ kind: null })
      expect((await get<string[]>('short', 'databases')).filter((one) => one.includes('/short.'))).toEqual([])
    })
  })

  if (hasOpfs) {
    describe('[P2] moving', () => {
      test('a store created without OPFS moves to OPFS completely once it is available, and leaves nothing behind', async () => {
        await get('before', 'forbid', 'opfs')
        await get('before', 'open', 'moving up', 'auto')
        await get('before', 'put', 0, 50)
        await terminate('before')
        expect(await get('after', 'open', 'moving up', 'auto')).toMatchObject({ kind: 'opfs', degraded: [] })
        expect(await get<State>('after', 'state')).toMatchObject(upTo(50))
        await get('after', 'put', 50, 60)
        expect(await get('after', 'location', 'moving up')).toEqual({ kind: 'opfs', leftover: null, name: 'moving up' })
        expect((await get<string[]>('after', 'databases')).filter((one) => one.includes('moving-up'))).toEqual([])
        await terminate('after')
        await get('again', 'open', 'moving up')
        expect(await get<State>('again', 'state')).toMatchObject(upTo(60))
        await get('again', 'destroy')
      })

      detail('there and back by name', async () => {
        await get('back', 'open', 'back', 'opfs')
        await get('back', 'put', 0, 30)
        await get('back', 'close')
        expect(await get('back', 'open', 'back', 'indexeddb')).toMatchObject({ kind: 'indexeddb' })
        expect(await get<State>('back', 'state')).toMatchObject(upTo(30))
        await get('back', 'put', 30, 40)
        await get('back', 'close')
        expect(await get('back', 'open', 'back', 'opfs')).toMatchObject({ kind: 'opfs' })
        expect(await get<State>('back', 'state')).toMatchObject(upTo(40))
        await get('back', 'destroy')
      })

      detail('[E1] a store in OPFS never appears as an empty one elsewhere', async () => {
        await get('home', 'open', 'at home', 'auto')
        await get('home', 'put', 0, 3)
        await terminate('home')
        await get('exile', 'forbid', 'opfs')
        for (const storage of ['auto', 'opfs', 'indexeddb']) {
          expect(await ask('exile', 'open', 'at home', storage), storage).toMatchObject({
            error: { code: 'STORAGE_UNAVAILABLE' },
          })
        }
        await get('home', 'open', 'at home', 'auto')
        expect(await get<State>('home', 'state')).toMatchObject(upTo(3))
        await get('home', 'destroy')
      })

      detail('[P1] killed anywhere on the way: the store is complete, in one place', async () => {
        await get('traveller', 'forbid', 'opfs')
        await get('traveller', 'open', 'way', 'auto')
        await get('traveller', 'put', 0, 400, 4000)
        await terminate('traveller')
        for (let delayMs = 0; delayMs < 320; delayMs += 40) {
          const storage = (delayMs / 40) % 2 === 0 ? 'opfs' : 'indexeddb'
          await page.evaluate(
            `(storage, delayMs) => {
              void window.ask('traveller', ['open', 'way', storage])
              return new Promise((done) => setTimeout(() => { window.terminate('traveller'); done() }, delayMs))
            }`,
            storage,
            delayMs,
          )
        }
        await get('arrived', 'open', 'way', 'opfs')
        expect(await get<State>('arrived', 'state')).toMatchObject(upTo(400))
        expect((await get<string[]>('arrived', 'databases')).filter((one) => one.includes('/way.'))).toEqual([])
        await get('arrived', 'destroy')
      })
    })
  }

  describe('[W3] canary', () => {
    const run = async (name: string, isCheckpointed: boolean) => {
      const canaries = randomWords()
      const needles = canaries.flatMap((canary) => [canary, canary.slice(16)])
      await get(name, 'open', name, 'indexeddb')
      await get(name, 'put', 0, 200)
      await get(name, 'plant', canaries)
      await get(name, 'checkpoint')
      const planted = await get<Scan>(name, 'scanIdb', name, needles)
      await get(name, 'execute', 'DELETE FROM rows WHERE id >= 1000')
      if (isCheckpointed) await get(name, 'checkpoint')
      await get(name, 'close')
      const left = await get<Scan>(name, 'scanIdb', name, needles)
      return { planted: planted.found, left: left.found }
    }

    test('deleted text is in no value after checkpoint', async () => {
      const { planted, left } = await run('canary', true)
      expect(planted).toBeGreaterThanOrEqual(80)
      expect(left).toBe(0)
    })

    detail('control: without checkpoint it is found', async () => {
      expect((await run('canary control', false)).left).toBeGreaterThan(0)
    })
  })
})
