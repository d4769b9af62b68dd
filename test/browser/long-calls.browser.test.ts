/**
 * Tests long writes and aborted calls in real browsers, over the built package and its worker: in the leading tab, and
 * in one that reaches the leader's engine through its proxy. No assertion uses a clock: they compare which call ends
 * first, and what is stored.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type BrowserKind, type Page } from '../support/browsers/browsers.ts'
import { detailIn, isInDetail } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'

let bundle: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundle = await bundlePage(pageScript)
  site = await serveFolder(bundle.folder)
})

afterAll(async () => {
  await site?.close()
  await bundle?.remove()
})

interface Watched {
  /** The counts seen by each question that was answered before the write ended. */
  readonly seen: readonly number[]
  readonly after: number
}

/** What 100 callers learnt about their puts: `stored`, or the code of the error. Then what is stored. */
interface Puts {
  readonly answers: readonly string[]
  readonly stored: readonly boolean[]
}

interface Aborted {
  readonly code: string
  readonly committed: number
  readonly stored: number
}

// WebKit under automation gives each page a storage of its own: a second tab is impossible.
const roles = (kind: BrowserKind) =>
  kind === 'webkit' ? ['leader'] : isInDetail(kind) ? ['leader', 'follower'] : ['follower']
const cases = availableBrowsers().flatMap((kind) => roles(kind).map((role) => [kind, role] as const))

describe.each(cases)('in %s, from the tab that is the %s', (kind, role) => {
  const detail = detailIn(kind)
  let browser: Browser
  const pages: Page[] = []
  let page: Page
  const name = `long ${kind} ${role}`

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    for (let tabs = role === 'leader' ? 1 : 2; tabs > 0; tabs--) {
      page = await browser.page(`${site.url}/`)
      pages.push(page)
      expect(await page.evaluate('(name) => window.open_(name)', name)).toEqual({
        role: pages.length === 1 ? 'leader' : 'follower',
        backend: kind === 'webkit' ? 'indexeddb' : 'opfs',
      })
    }
  })

  afterAll(async () => {
    for (const one of pages.toReversed()) await one.close()
    await browser?.close()
  })

  const watch = (write: string) => page.evaluate<Watched>('(write) => window.watch(write)', write)

  test('[Q5] questions are answered during a put of 1,100, and see complete slices', async () => {
    const { seen, after } = await watch('put')
    expect(seen.length).toBeGreaterThan(1)
    for (const stored of seen) expect([0, 500, 1_000, 1_100]).toContain(stored)
    expect(seen.some((stored) => stored < 1_100)).toBe(true)
    expect(after).toBe(1_100)
  })

  detail.each([
    ['an atomic put', 'atomic', 1_200],
    ['an import', 'import', 700],
  ])('[Q5] questions are answered during %s, and see nothing of it', async (_what, write, after) => {
    const watched = await watch(write)
    expect(watched.seen.length).toBeGreaterThan(1)
    // After the commit, and before it is durable and the receipt arrives, questions see all of it.
    const before = watched.seen.filter((stored) => stored === 300)
    expect(before.length).toBeGreaterThan(0)
    expect(watched.seen).toEqual([...before, ...watched.seen.slice(before.length).map(() => after)])
    expect(watched.after).toBe(after)
  })

  detail('[Q5] questions are answered during a forget of 600, and see complete slices', async () => {
    const { seen, after } = await watch('forget')
    expect(seen.length).toBeGreaterThan(1)
    for (const stored of seen) expect([600, 100, 0]).toContain(stored)
    expect(after).toBe(0)
  })

  detail('[Q5] control: a write sent during an atomic put is answered after it', async () => {
    expect(await page.evaluate('window.writeBehind()')).toEqual(['long', 'short'])
  })

  test('[Q6] a put that is aborted after its first slice reports what was stored, and the same call stores the rest', async () => {
    const { code, committed, stored } = await page.evaluate<Aborted>('window.abortDuring("put")')
    expect(code).toBe('ABORTED')
    // Slices that were sent before the abort may be stored, and are counted.
    expect(committed).toBe(stored)
    expect(committed % 500).toBe(0)
    expect(committed).toBeGreaterThan(0)
    expect(committed).toBeLessThan(2_100)
    expect(await page.evaluate('window.repeatPut()')).toEqual({ inserted: 2_100 - stored, after: 2_100 })
  })

  const abortPuts = (when: 'in one tick' | 'at the first receipt' | 'unheard') =>
    page.evaluate<Puts>('(when) => window.abortPuts(when)', when)

  test('[Q6] of 100 puts aborted in the same tick, each is stored and has a receipt, or is ABORTED and not stored', async () => {
    const puts = await abortPuts('in one tick')
    expect(puts.answers).toHaveLength(100)
    expect(puts.answers).toEqual(truthOf(puts))
  })

  detail('[Q6] the same holds for puts aborted when the first receipt arrives', async () => {
    const puts = await abortPuts('at the first receipt')
    expect(puts.answers).toEqual(truthOf(puts))
    expect(puts.answers[0]).toBe('stored')
  })

  detail('[Q6] control: a client that gives up without asking the engine says ABORTED of stored records', async () => {
    const puts = await abortPuts('unheard')
    expect(puts.answers).toEqual(Array.from({ length: 100 }, () => 'ABORTED'))
    expect(truthOf(puts)).toEqual(Array.from({ length: 100 }, () => 'stored'))
  })

  // control: the same two writes without an abort, in the tests of [Q5] above, end with other records.
  detail.each(['atomic', 'import'])('[Q6] an aborted %s leaves the store unchanged', async (write) => {
    expect(await page.evaluate('(write) => window.abortDuring(write)', write)).toEqual({
      code: 'ABORTED',
      committed: 0,
      stored: 300,
    })
  })
})

/** What each caller should have learnt. */
const truthOf = ({ stored }: Puts) => stored.map((isStored) => (isStored ? 'stored' : 'ABORTED'))

const pageScript = `
  let recall
  /** Exports: of an empty store, and of 700 records. */
  let blank
  let file
  window.open_ = async (name) => {
    recall = await scrubjay.openRecall({ name, embedder: null })
    blank = await exportAll()
    const { role, backend } = await recall.status()
    return { role, backend }
  }
  const records = (count, prefix) =>
    Array.from({ length: count }, (_, i) => ({ id: prefix + String(i).padStart(5, '0'), body: 'text number ' + i }))
  /** No other write has these ids, so an event that names them is this put's own. */
  const abortedPut = records(2_100, 's')
  const everything = { time: { after: 0 } }
  const exportAll = async () => {
    const parts = []
    for await (const part of recall.exportTo()) parts.push(part)
    return new Blob(parts)
  }
  /** Much faster than forgetting, which removes each word from the text index. */
  const empty = () => recall.importFrom(blank, { mode: 'replace' })
  const exported = async () => {
    await recall.put(records(700, 'new'))
    return exportAll()
  }

  /** The records needed before each write, and the write. */
  const writes = {
    put: async () => (options) => recall.put(options ? abortedPut : records(1_100, 'r'), options),
    atomic: async () => {
      await recall.put(records(300, 'old'))
      return (options) => recall.put(records(900, 'r'), { ...options, atomic: true })
    },
    import: async () => {
      file ??= await exported()
      await empty()
      await recall.put(records(300, 'old'))
      return (options) => recall.importFrom(file, { mode: 'replace' }, options)
    },
    forget: async () => {
      await recall.put(records(600, 'r'))
      return (options) => recall.forget(everything, options)
    },
  }
  const prepare = async (kind) => {
    await empty()
    return writes[kind]()
  }

  window.watch = async (kind) => {
    const write = await prepare(kind)
    let isDone = false
    const done = write().finally(() => { isDone = true })
    const seen = []
    while (!isDone) {
      const { plan } = await recall.recall('text')
      if (!isDone) seen.push(plan.scope)
    }
    await done
    return { seen, after: await recall.count() }
  }

  /** The put that abortDuring() aborted, again. */
  window.repeatPut = async () => {
    const receipt = await recall.put(abortedPut)
    return {
      inserted: receipt.records.filter(({ outcome }) => outcome === 'inserted').length,
      after: await recall.count(),
    }
  }

  window.writeBehind = async () => {
    await empty()
    const order = []
    await Promise.all([
      recall.put(records(900, 'r'), { atomic: true }).then(() => order.push('long')),
      recall.put({ id: 'own', body: 'own' }).then(() => order.push('short')),
    ])
    return order
  }

  window.abortPuts = async (when) => {
    await empty()
    const controller = new AbortController()
    const { signal } = controller
    const abort = () => controller.abort()
    const aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject({ code: 'ABORTED' })))
    aborted.catch(() => {})
    const ids = records(100, 'p').map(({ id }) => id)
    const puts = ids.map((id) => {
      const record = { id, body: 'text' }
      return when === 'unheard' ? Promise.race([aborted, recall.put(record)]) : recall.put(record, { signal })
    })
    const answers = Promise.all(puts.map((put) => put.then(() => 'stored', ({ code }) => code)))
    if (when === 'at the first receipt') puts[0].then(abort)
    else abort()
    const learnt = await answers
    // Behind all puts in the queue.
    await recall.forget('none')
    const stored = await recall.get(ids)
    return { answers: learnt, stored: stored.map((record) => record !== undefined) }
  }

  /** Aborts at the event of the put's first slice, or at the third progress event of another write. */
  window.abortDuring = async (kind) => {
    const write = await prepare(kind)
    const controller = new AbortController()
    let reports = 0
    const stop = recall.subscribe(({ type, done, ids }) => {
      // Events of earlier writes may arrive only now.
      const isOwn = type === 'changed' && ids.includes('s00000')
      if (kind === 'put' ? isOwn : type === 'progress' && done > 0 && ++reports === 3) controller.abort()
    })
    const end = await write({ signal: controller.signal }).then(() => ({ code: 'ended' }), (error) => error)
    stop()
    // Next in the queue: the aborted write is stored or undone by now.
    await recall.forget('none')
    return { code: end.code, committed: end.committed ?? 0, stored: await recall.count() }
  }
`
