/**
 * Tests replication in real browsers: two persistent stores meet in a folder of OPFS, or in memory where a browser lets pages write no
 * files there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser } from '../../support/browsers/browsers.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

let bundle: BundledPage

beforeAll(async () => {
  bundle = await bundlePage(pageScript)
})

afterAll(() => bundle?.remove())

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveFolder>>

  beforeAll(async () => {
    site = await serveFolder(bundle.folder)
    browser = await shareBrowser(kind)
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  test('two stores become equal, and a forgotten record leaves both and the blobs', async () => {
    const page = await browser.page(`${site.url}/`)
    const seen = (await page.evaluate('run()')) as Seen
    expect(seen.first).toEqual({ pulled: 0, pushed: 2, inserted: 0, updated: 0, forgotten: 0, conflicts: 0 })
    expect(seen.second).toMatchObject({ inserted: 2 })
    expect(seen.ids).toEqual(['leek', 'oak'])
    expect(seen.forgotten).toMatchObject({ forgotten: 1 })
    expect(seen.left).toEqual(['oak'])
    expect(seen.quiet).toEqual({ pulled: 0, pushed: 0, inserted: 0, updated: 0, forgotten: 0, conflicts: 0 })
    expect(seen.plain).toBe(false)
    await page.close()
  })
})

interface Seen {
  readonly first: object
  readonly second: object
  readonly ids: readonly string[]
  readonly forgotten: object
  readonly left: readonly string[]
  readonly quiet: object
  readonly plain: boolean
}

const pageScript = `
import { folderTransport, memoryTransport, replicate } from 'scrubjay/replicate'
const place = async () => {
  const root = await navigator.storage?.getDirectory?.().catch(() => undefined)
  const folder = await root?.getDirectoryHandle('blobs', { create: true }).catch(() => undefined)
  const file = await folder?.getFileHandle('try', { create: true }).catch(() => undefined)
  if (file === undefined) return memoryTransport()
  await folder.removeEntry('try')
  return typeof file.createWritable === 'function' ? folderTransport(folder) : memoryTransport()
}
window.run = async () => {
  const transport = await place()
  // A fixed key: with another one the two records may lie in one bucket.
  const key = new Uint8Array(32).fill(7)
  const open = async (name) => {
    const store = await scrubjay.openRecall({ name, embedder: null })
    return { store, replication: replicate(store, { transport, key, everyMs: null }) }
  }
  const [a, b] = [await open('a'), await open('b')]
  await a.store.put([{ id: 'oak', body: 'Acorns under the oak' }, { id: 'leek', body: 'Planted leeks' }])
  const first = await a.replication.sync()
  const second = await b.replication.sync()
  const idsOf = async ({ store }) => (await store.list()).items.map(({ id }) => id).sort()
  const ids = await idsOf(b)
  await b.store.forget('leek')
  await b.replication.sync()
  const forgotten = await a.replication.sync()
  const left = await idsOf(a)
  const quiet = await b.replication.sync()
  let plain = false
  for (const name of (await transport.list()).keys())
    plain ||= /Acorns|leeks/.test(new TextDecoder().decode((await transport.get(name)).bytes))
  await Promise.all([a.store.destroy(), b.store.destroy()])
  return { first, second, ids, forgotten, left, quiet, plain }
}
`
