/**
 * Tests export, import and re-embedding in real browsers: through a worker, into each one's storage, and with the same
 * bytes as in Node. A store of another tab answers the same way.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecall, type Recall, type RecordInput } from '../../../src/index.ts'
import { availableBrowsers, type Browser, type Page } from '../../support/browsers/browsers.ts'
import { detailIn } from '../../support/browsers/detail.ts'
import { shareBrowser } from '../../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { withNumberedDevices } from '../../support/stores/portable.ts'

/** The part of an import's result that the tests compare. */
interface Landed {
  readonly inserted: number
  readonly unchanged: number
}

/** What a store shows after it merged the exports of two devices. */
interface Merged {
  readonly ids: readonly string[]
  readonly answers: readonly { readonly hits: readonly unknown[]; readonly evidence: unknown }[]
  readonly bytes: string
}

const questions = ['compile the program', 'café']
let stores = 0
let bundled: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>
let node: string

const count = 90
const batch: readonly RecordInput[] = Array.from({ length: count }, (_, i) => ({
  id: `record ${i}`,
  title: `How to compile program ${i}`,
  body: `café 図書館 ${'text '.repeat(i % 90)}`,
  tags: [`t${i % 3}`],
  createdAt: 1_700_000_000_000 + i,
  updatedAt: 1_700_000_000_000 + i,
}))

beforeAll(async () => {
  bundled = await bundlePage(pageScript)
  site = await serveFolder(bundled.folder)
  const recall = await openRecall({ name: 'portable in node', now: () => 1_800_000_000_000 })
  await recall.put(batch)
  await recall.link('record 1', 'record 2')
  node = await base64Of(recall)
  await recall.close()
})

afterAll(async () => {
  await site.close()
  await bundled.remove()
})

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(`${site.url}/`)
  })
  afterAll(() => browser.close())

  test('[D1] [X1] exports the same bytes as Node, imports them, and exports them again', async () => {
    const made = await page.evaluate<string>('(batch) => window.exportOf(batch)', batch)
    expect(withNumberedDevices(Buffer.from(made, 'base64'))).toEqual(withNumberedDevices(Buffer.from(node, 'base64')))
    expect(made).not.toBe(node)
    const back = await page.evaluate<{ landed: Landed; again: string; progress: number[][]; found: string }>(
      '(bytes) => window.roundTrip(bytes)',
      node,
    )
    expect(back.landed).toMatchObject({ inserted: count, unchanged: 0 })
    expect(back.again).toBe(node)
    expect(back.progress.at(-1)).toEqual([2 * count, 2 * count])
    expect(back.found).toBe('record 7')
  })

  // Firefox compiles the merge as Chromium does, and the bytes above come from the same code.
  const merging = kind === 'firefox' ? detail : test

  merging('[D1] [X1] merges two devices in any order like Node: the same bytes, the same answers', async () => {
    const [phone, laptop] = await page.evaluate<[string, string]>('() => window.twoDevices()')
    const merged = await page.evaluate<Merged>('(a, b) => window.merged(a, b)', phone, laptop)
    expect(await page.evaluate<Merged>('(a, b) => window.merged(a, b)', laptop, phone)).toEqual(merged)
    expect(await mergedInNode([phone, laptop])).toEqual(merged)
    expect(merged.ids).toEqual(['both', 'laptop', 'phone'])
    expect(merged.answers.every(({ hits }) => hits.length > 0)).toBe(true)
  })

  detail('imports completely or not at all, and gives the reason', async () => {
    const refused = await page.evaluate<{ code: string; count: number }>('(bytes) => window.importHalf(bytes)', node)
    expect(refused).toEqual({ code: 'INVALID_ARGUMENT', count: 0 })
  })

  test.runIf(kind !== 'webkit')(
    '[P1] imported records in OPFS are there after reopening, compacted and sound',
    async () => {
      const kept = await page.evaluate('(bytes) => window.keep(bytes)', node)
      expect(kept).toMatchObject({ backend: 'opfs', count, ok: true, vectors: 'ok', same: true })
    },
  )

  detail('reembeds by the embedder of the page, in the worker’s store', async () => {
    const made = await page.evaluate('(bytes) => window.reembed(bytes)', node)
    expect(made).toMatchObject({ before: 0, embedded: count, remaining: 0, after: count, ok: true })
  })

  test.runIf(kind === 'chromium')('a tab that follows exports and imports through the one that leads', async () => {
    const other = await browser.page(`${site.url}/`)
    await page.evaluate('(bytes) => window.lead(bytes)', node)
    const seen = await other.evaluate<{ role: string; same: boolean; landed: Landed; progress: number }>(
      '(bytes) => window.follow(bytes)',
      node,
    )
    expect(seen).toMatchObject({ role: 'follower', same: true, landed: { inserted: 0, unchanged: count } })
    expect(seen.progress).toBeGreaterThan(0)
    await page.evaluate('() => window.stopLeading()')
    await other.close()
  })
})

async function mergedInNode(exports: readonly string[]): Promise<Merged> {
  const recall = await openRecall({ name: `merged in node ${++stores}`, now: () => 1_800_000_000_000 })
  for (const bytes of exports) await recall.importFrom(Buffer.from(bytes, 'base64'), { mode: 'merge' })
  const { items } = await recall.list()
  const answers = []
  for (const text of questions) {
    const { hits, evidence } = await recall.recall(text)
    answers.push({ hits, evidence })
  }
  const bytes = await base64Of(recall)
  await recall.close()
  // As the values arrive from a page.
  return JSON.parse(JSON.stringify({ ids: items.map(({ id }) => id).sort(), answers, bytes }))
}

async function base64Of(recall: Recall): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of recall.exportTo()) parts.push(part)
  return Buffer.concat(parts).toString('base64')
}

const pageScript = `
const now = () => 1_800_000_000_000
const open = (options) => scrubjay.openRecall({ now, storage: 'memory', ...options })
const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
async function encode(recall) {
  const blob = new Blob(await collect(recall.exportTo()))
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
async function collect(parts) {
  const all = []
  for await (const part of parts) all.push(part)
  return all
}
window.exportOf = async (batch) => {
  const recall = await open({ name: 'source' })
  await recall.put(batch)
  await recall.link('record 1', 'record 2')
  const made = await encode(recall)
  await recall.close()
  return made
}
window.roundTrip = async (bytes) => {
  const recall = await open({ name: 'target' })
  const progress = []
  recall.subscribe((event) => event.type === 'progress' && event.operation === 'import' && progress.push([event.done, event.total]))
  const landed = await recall.importFrom(new Blob([decode(bytes)]), { mode: 'replace' })
  const { hits } = await recall.recall('compile program 7')
  const again = await encode(recall)
  await recall.close()
  return { landed, again, progress, found: hits[0].record.id }
}
window.twoDevices = async () => {
  const hour = 3_600_000
  const phone = await open({ name: 'phone' })
  await phone.put(['both', 'phone', 'forgotten'].map((id) => ({ id, title: 'How to compile the program', body: 'café ' + id })))
  const laptop = await open({ name: 'laptop', now: () => now() - hour })
  await laptop.importFrom(phone.exportTo(), { mode: 'merge' })
  await laptop.put([
    { id: 'laptop', body: 'Where to compile the other program' },
    { id: 'both', title: 'How to compile the program', body: 'café, edited later by a clock that is behind' },
  ])
  await laptop.forget('forgotten')
  const answer = await phone.recall('compile the program')
  await phone.acknowledge(answer.receipt, { both: 'acted', forgotten: 'acted' })
  const exports = [await encode(phone), await encode(laptop)]
  await Promise.all([phone.close(), laptop.close()])
  return exports
}
window.merged = async (...exports) => {
  const recall = await open({ name: 'merged' })
  for (const bytes of exports) await recall.importFrom(decode(bytes), { mode: 'merge' })
  const { items } = await recall.list()
  const answers = []
  for (const text of ${JSON.stringify(questions)}) {
    const { hits, evidence } = await recall.recall(text)
    answers.push({ hits, evidence })
  }
  const bytes = await encode(recall)
  await recall.close()
  return { ids: items.map(({ id }) => id).sort(), answers, bytes }
}
window.importHalf = async (bytes) => {
  const recall = await open({ name: 'half' })
  const half = decode(bytes).slice(0, 20_000)
  const code = await recall.importFrom(half, { mode: 'merge' }).catch((error) => error.code)
  const count = await recall.count()
  await recall.close()
  return { code, count }
}
window.keep = async (bytes) => {
  const options = { name: 'kept', storage: 'opfs' }
  const first = await open(options)
  await first.importFrom(decode(bytes), { mode: 'replace' })
  await first.put({ id: 'passing', body: 'by' })
  await first.forget('passing')
  await first.compact()
  // Differs from the imported bytes by the tombstone.
  const before = await encode(first)
  await first.close()
  const recall = await open(options)
  const { backend } = await recall.status()
  const { ok, vectors } = await recall.integrityCheck()
  const count = await recall.count()
  const same = (await encode(recall)) === before
  await recall.destroy()
  return { backend, count, ok, vectors, same }
}
window.reembed = async (bytes) => {
  const embed = async (texts) => texts.map((text) => Float32Array.from([text.length, text.charCodeAt(0), 1]))
  const recall = await open({ name: 'reembedded', embedder: { space: 'own', dimensions: 3, embed } })
  await recall.importFrom(decode(bytes), { mode: 'replace' })
  const before = (await recall.status()).vectors.current
  const { embedded, remaining } = await recall.reembed()
  const after = (await recall.status()).vectors.current
  const { ok } = await recall.integrityCheck()
  await recall.close()
  return { before, embedded, remaining, after, ok }
}
let leading
window.lead = async (bytes) => {
  leading = await open({ name: 'shared', storage: 'opfs' })
  await leading.importFrom(decode(bytes), { mode: 'replace' })
}
window.follow = async (bytes) => {
  const recall = await open({ name: 'shared', storage: 'opfs' })
  let progress = 0
  recall.subscribe((event) => { if (event.type === 'progress') progress++ })
  const { role } = await recall.status()
  const same = (await encode(recall)) === bytes
  const landed = await recall.importFrom(decode(bytes), { mode: 'merge' })
  await recall.close()
  return { role, same, landed, progress }
}
window.stopLeading = () => leading.destroy()
`
