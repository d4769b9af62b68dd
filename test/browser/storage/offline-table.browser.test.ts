/**
 * [E2] Tests the table of the built-in embedder on a page: missing, blocked by the policy, back again, and gone after
 * its first load; and its worker, missing. Stored text is found by its words all the time, and by its meaning once the table was loaded.
 */
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { detailIn } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"

interface Seen {
  readonly hits: readonly string[]
  readonly vector: { readonly ran: boolean; readonly why?: string }
  readonly pending: number
  readonly degraded: readonly string[]
}

let bundle: BundledPage
let table: string
let worker: string

beforeAll(async () => {
  bundle = await bundlePage(pageScript)
  const assets = join(bundle.folder, 'assets')
  const files = await readdir(assets)
  table = join(assets, files.find((file) => file.endsWith('.bin')) ?? '')
  worker = join(assets, files.find((file) => /^embedding-.*\.js$/.test(file)) ?? '')
})

afterAll(() => bundle?.remove())

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveFolder>>

  beforeAll(async () => {
    // The browser's own cache would hide the tested effect.
    const headers = { 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' }
    site = await serveFolder(bundle.folder, { headers })
    browser = await shareBrowser(kind)
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  // After a failure the next test finds the files in their places.
  afterEach(async () => {
    await rename(`${worker}.away`, worker).catch(() => undefined)
    await serves(true)
  })

  const serves = (isServed: boolean) =>
    rename(isServed ? `${table}.away` : table, isServed ? table : `${table}.away`).catch(() => undefined)
  const visit = () => browser.page(`${site.url}/`)
  // A page that ended without closing its store may serve the next page for a while, with the table it has loaded.
  const leave = async (page: Page) => {
    await page.evaluate('leave()')
    await page.close()
  }
  const look = (page: Page) => page.evaluate('look()') as Promise<Seen>

  detail('[E2] without it text is stored and found by words; when it is back, vectors follow', async () => {
    await serves(false)
    const page = await visit()
    expect(await page.evaluate('fill()')).toEqual(['pending', 'pending'])
    const without = await look(page)
    expect(without).toMatchObject({ hits: ['jay'], vector: { ran: false }, pending: 2 })
    expect(without.vector.why).toMatch(/could not be embedded: .*must lead to the embedding table/)
    expect(without.degraded.join('\n')).toMatch(
      /use only their words until the embedder minilm-static-128 works.*\n2 of 2 records wait/,
    )
    await serves(true)
    await expect.poll(async () => (await look(page)).pending, { timeout: 30_000, interval: 250 }).toBe(0)
    const after = await look(page)
    expect(after).toMatchObject({ vector: { ran: true }, degraded: [] })
    expect(after.hits[0]).toBe('jay')
    await leave(page)
  })

  test('[E2] after its first load the next visit needs no network for it', async () => {
    await serves(true)
    const first = await visit()
    await first.evaluate('fill()')
    expect((await look(first)).vector.ran).toBe(true)
    await expect.poll(() => first.evaluate('kept()')).toBe(true)
    await leave(first)
    await serves(false)
    const second = await visit()
    expect(await look(second)).toMatchObject({ vector: { ran: true }, pending: 0, degraded: [] })
    expect(await second.evaluate('put("late", "A walnut")')).toBe(null)
    await leave(second)
  })

  test('[E2] [V4] a damaged cached copy is not used', async () => {
    await serves(false)
    const first = await visit()
    await first.evaluate('damage()')
    await leave(first)
    const second = await visit()
    const seen = await look(second)
    expect(seen.vector).toMatchObject({ ran: false })
    expect(seen.hits[0]).toBe('jay')
    await leave(second)
  })

  detail('is cached with persistent stores, and not with one in memory', async () => {
    await serves(true)
    const page = await visit()
    expect(await page.evaluate('remember("memory")')).toEqual({ vectors: 1, kept: false })
    expect(await page.evaluate('remember("auto")')).toEqual({ vectors: 1, kept: true })
    await page.evaluate('damage()')
    await leave(page)
  })

  detail('[E2] when the policy blocks it, only the table is missing', async () => {
    await serves(false)
    const page = await visit()
    expect(await page.evaluate('fill("https://elsewhere.example/minilm-static-128.bin")')).toEqual([
      'pending',
      'pending',
    ])
    expect(await look(page)).toMatchObject({ hits: ['jay'], vector: { ran: false } })
    await leave(page)
    await serves(true)
  })

  detail(
    '[E2] when the embedding worker cannot be loaded, text is found by words; at the next start vectors follow',
    async () => {
      await serves(true)
      await rename(worker, `${worker}.away`)
      const page = await visit()
      expect(await page.evaluate('fill()')).toEqual(['pending', 'pending'])
      const without = await look(page)
      expect(without).toMatchObject({ hits: ['jay'], vector: { ran: false }, pending: 2 })
      expect(without.degraded.join('\n')).toMatch(
        /until the embedder minilm-static-128 works: The embedding worker failed/,
      )
      await leave(page)
      await rename(`${worker}.away`, worker)
      const next = await visit()
      await expect.poll(async () => (await look(next)).pending, { timeout: 30_000, interval: 250 }).toBe(0)
      expect(await look(next)).toMatchObject({ vector: { ran: true }, degraded: [] })
      await leave(next)
    },
  )
})

const pageScript = `
let opened
window.remember = async (storage) => {
  await files('readwrite', (store) => store.clear())
  const recall = await scrubjay.openRecall({ name: 'remembered', storage })
  await recall.put({ id: 'a', body: 'acorn' })
  const { vectors } = await recall.status()
  await new Promise((resolve) => setTimeout(resolve, 500))
  await recall.destroy()
  return { vectors: vectors.current, kept: await window.kept() }
}
const open = (embedding) => (opened ??= scrubjay.openRecall({ name: 'offline', ...(embedding ? { assets: { embedding: new URL(embedding) } } : {}) }))
window.leave = async () => {
  const recall = await opened
  opened = undefined
  await recall?.close()
}
window.fill = async (embedding) => {
  const recall = await open(embedding)
  await recall.forget(['jay', 'spoon'])
  const { records } = await recall.put([
    { id: 'jay', body: 'The jay hides acorns' },
    { id: 'spoon', body: 'A magpie took the spoon' },
  ])
  return records.map(({ vectors }) => vectors ?? null)
}
window.put = async (id, body) => {
  const { records: [record] } = await (await open()).put([{ id, body }])
  return record.vectors ?? null
}
window.look = async () => {
  const recall = await open()
  const { hits, plan } = await recall.recall({ text: 'acorns', limit: 1 })
  const { vectors, degraded, backend } = await recall.status()
  return {
    hits: hits.map(({ id }) => id),
    vector: plan.channels.vector,
    pending: vectors.pending,
    degraded: degraded.filter((line) => backend === 'opfs' || !/opfs|private|memory|indexeddb|IndexedDB/i.test(line)),
  }
}
const files = (mode, ask) => new Promise((resolve, reject) => {
  const request = indexedDB.open('scrubjay-files', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('files')
  request.onerror = () => reject(request.error)
  request.onsuccess = () => {
    const database = request.result
    const transaction = database.transaction('files', mode)
    const asked = ask(transaction.objectStore('files'))
    // A page that is closed before its transaction is complete takes the change with it.
    transaction.oncomplete = () => (database.close(), resolve(asked.result))
    transaction.onabort = () => reject(transaction.error)
  }
})
window.kept = async () => (await files('readonly', (store) => store.get('minilm-static-128.bin')))?.bytes.byteLength === 4264520
window.damage = async () => {
  const entry = await files('readonly', (store) => store.get('minilm-static-128.bin'))
  new Uint8Array(entry.bytes)[4000000] ^= 1
  await files('readwrite', (store) => store.put(entry, 'minilm-static-128.bin'))
}
`
