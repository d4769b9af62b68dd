/**
 * Tests a damaged store from end to end: the page changes its bytes, opening says what to do, a salvage gives an
 * export, a new store imports it and recalls. In OPFS, and in IndexedDB with a damaged journal.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { detailIn } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'

interface Seen {
  readonly refusal: { readonly code: string; readonly message: string }
  readonly receipt: {
    readonly storage: string
    readonly records: number
    readonly unreadable: number
    readonly unreadableIds: readonly string[]
    readonly isCountExact: boolean
    readonly missingChanges: number | null
  }
  readonly inserted: number
  /** Records of the new store whose text is not the one that was put. */
  readonly other: number
  readonly found: string
  readonly held: string
  readonly isUnchanged: boolean
  readonly whole: { readonly records: number; readonly unreadable: number }
}

let bundled: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  bundled = await bundlePage(pageScript)
  site = await serveFolder(bundled.folder)
})

afterAll(async () => {
  await site.close()
  await bundled.remove()
})

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
  })
  afterAll(() => browser.close())

  test.runIf(kind !== 'webkit')('a page of a store in OPFS is damaged', async () => {
    const seen = await page.evaluate<Seen>('() => window.run("opfs")')
    expect(seen.refusal).toMatchObject({ code: 'STORE_CORRUPT', message: expect.stringContaining('scrubjay/salvage') })
    const { receipt } = seen
    expect(receipt).toMatchObject({ storage: 'opfs', isCountExact: true, missingChanges: 0 })
    expect(receipt.records + receipt.unreadable).toBe(200)
    expect(receipt.records).toBeGreaterThan(150)
    expect(receipt.unreadableIds).toContain('record-7')
    expect(receipt.unreadableIds).toHaveLength(receipt.unreadable)
    expect(seen).toMatchObject({ inserted: receipt.records, other: 0, found: 'record-150', isUnchanged: true })
    expect(seen.whole).toMatchObject({ records: 200, unreadable: 0 })
    expect(seen.held).toBe('STORE_BUSY')
  })

  // WebKit has no other storage.
  const inIndexedDb = kind === 'webkit' ? test : detailIn(kind)

  inIndexedDb('a step of the journal in IndexedDB is damaged', async () => {
    const seen = await page.evaluate<Seen>('() => window.run("indexeddb")')
    expect(seen.refusal).toMatchObject({ code: 'STORE_CORRUPT', message: expect.stringContaining('scrubjay/salvage') })
    expect(seen.receipt).toMatchObject({ storage: 'indexeddb', records: 150, unreadable: 0, missingChanges: 1 })
    expect(seen).toMatchObject({ inserted: 150, other: 0, isUnchanged: true, whole: { records: 200, unreadable: 0 } })
  })

  test('[E1] no store of this name', async () => {
    expect(await page.evaluate('() => window.codeOf(() => window.salvage({ name: "never made" }))')).toBe(
      'DATA_MISSING',
    )
    expect(await page.evaluate('() => window.codeOf(() => window.salvage({ name: "" }))')).toBe('INVALID_CONFIG')
  })
})

const pageScript = `
import { salvage } from 'scrubjay/salvage'
window.salvage = salvage
const textOf = (i) => 'the tale of jay number ' + i + ', ' + 'acorn cache '.repeat(20) + (i === 150 ? 'obsidian' : 'oak')
const open = (name, storage) => scrubjay.openRecall({ name, storage, embedder: null, now: () => 1_800_000_000_000 })
window.codeOf = (work) => work().then(() => 'none', (error) => error.code)

window.run = async (storage) => {
  const name = 'damaged ' + storage
  const recall = await open(name, storage)
  for (let from = 0; from < 200; from += 50)
    await recall.put(Array.from({ length: 50 }, (_, i) => ({ id: 'record-' + (from + i), body: textOf(from + i), tags: ['t' + i] })))
  const held = storage === 'opfs' ? await window.codeOf(() => salvage({ name, storage })) : ''
  await recall.close()
  const sound = await salvage({ name })
  const whole = { records: sound.records, unreadable: sound.unreadable }
  sound.close()

  await (storage === 'opfs' ? damageFile() : damageJournal())
  const refusal = await open(name, storage).then(() => ({ code: 'none', message: '' }), ({ code, message }) => ({ code, message }))
  const before = await bytesOf(storage)
  const saved = await salvage({ name })
  const { exportTo, close, ...receipt } = saved
  const fresh = await open('fresh ' + storage, storage)
  const { inserted } = await fresh.importFrom(saved.exportTo(), { mode: 'merge' })
  saved.close()
  const isUnchanged = (await bytesOf(storage)) === before
  const { items } = await fresh.list({ limit: 1000 })
  const other = items.filter(({ id, body, tags }) => body !== textOf(Number(id.slice(7))) || tags.length !== 1).length
  const found = (await fresh.recall('obsidian')).hits[0]?.id ?? ''
  await fresh.destroy()
  return { refusal, receipt, inserted, other, found, held, isUnchanged, whole }
}

async function filesIn(folder) {
  const files = []
  for await (const entry of folder.values()) files.push(...(entry.kind === 'file' ? [entry] : await filesIn(entry)))
  return files
}
async function damagedFiles() {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('scrubjay')
  for await (const folder of root.values()) if (folder.name.startsWith('damaged-opfs')) return filesIn(folder)
  return []
}
// A closed worker releases its handles a little later.
async function whenFree(work) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (error.name !== 'NoModificationAllowedError' || attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
async function damageFile() {
  for (const file of await damagedFiles()) {
    const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer())
    const text = new TextDecoder('latin1')
    if (!text.decode(bytes.subarray(0, 14)).startsWith('/store.sqlite\\0')) continue
    // The leaf of the table that holds a record, and the first index with its name: by id.
    let isIndexed = false
    for (let at = 4096; at < bytes.length; at += 8192) {
      const page = bytes.subarray(at, at + 8192)
      const holds = (word) => text.decode(page).includes(word)
      const isIndex = !isIndexed && page[0] === 10 && holds('record-7') && holds('record-150')
      isIndexed ||= isIndex
      if (isIndex || (page[0] === 13 && holds('number 7,'))) page[4000] ^= 16
    }
    const writer = await whenFree(() => file.createWritable())
    await writer.write(bytes)
    await writer.close()
  }
}
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})
async function withJournal(work) {
  const [found] = (await indexedDB.databases()).filter(({ name }) => name.startsWith('scrubjay/damaged-indexeddb'))
  const database = await done(indexedDB.open(found.name))
  const bytes = database.transaction('bytes', 'readwrite').objectStore('bytes')
  const answer = await work(bytes)
  database.close()
  return answer
}
const damageJournal = () => withJournal(async (bytes) => {
  const batches = (await done(bytes.getAllKeys())).filter((key) => key.startsWith('batch/')).map((key) => Number(key.slice(6)))
  const last = 'batch/' + Math.max(...batches)
  const value = await done(bytes.get(last))
  value[value.length >> 1] ^= 4
  await done(bytes.put(value, last))
})
async function bytesOf(storage) {
  const parts = []
  if (storage === 'opfs') for (const file of await damagedFiles()) parts.push(file.name, await (await file.getFile()).arrayBuffer())
  else await withJournal(async (bytes) => {
    for (const key of await done(bytes.getAllKeys())) parts.push(key, await done(bytes.get(key)))
  })
  const digest = await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer())
  return new Uint8Array(digest).join()
}
`
