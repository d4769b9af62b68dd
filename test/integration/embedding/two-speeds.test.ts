/** [E4] Checks that `put` does not wait for a slow embedder, and what a store answers while it makes vectors in the background. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type OpenOptions, openRecall, type Recall } from '../../../src/index.ts'

const dimensions = 8
const concepts = [/car|vehicle|automobile/, /doctor|physician/, /rain|weather/, /acorn|nut/]
const texts = [
  'The automobile is in the garage',
  'A physician came at noon',
  'The weather report says storms',
  'A jay hides every acorn in autumn',
  'Invoices are due on Friday',
  'The library closes at six',
]
const records = texts.map((body, i) => ({ id: `r${i}`, body }))
const stores: Recall[] = []
let opened = 0

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close().catch(() => undefined)
})

describe('an embedder in the background', () => {
  test('[E4] put returns before the embedder has seen a record, and the record is found by meaning', async () => {
    const slow = slowEmbedder()
    const recall = await open({ embedder: slow })
    const receipt = await recall.put(records)
    expect(slow.embedded).toBe(0)
    expect(receipt.records.map(({ vectors }) => vectors)).toEqual(texts.map(() => undefined))
    expect((await recall.status()).embedding).toEqual({ space: 'slow@1', done: 0, of: 6, perSecond: null })
    const [first] = (await recall.recall({ text: 'vehicle' })).hits
    expect(first).toMatchObject({ id: 'r0' })
    const table = await open({})
    await table.put(records)
    for (const text of ['vehicle', 'medical help', 'storm'])
      expect(idsOf(await recall.recall({ text }))).toEqual(idsOf(await table.recall({ text })))
  })

  test('[E4] reports progress, and answers in the end as if all vectors had been given', async () => {
    const slow = slowEmbedder()
    const progress: number[] = []
    const recall = await open({ embedder: slow, onProgress: ({ done }) => progress.push(done) })
    await recall.put(records)
    slow.release()
    await whole(recall)
    expect(progress.at(-1)).toBe(6)
    const { embedding, vectors } = await recall.status()
    expect(embedding).toEqual({ space: 'slow@1', done: 6, of: 6, perSecond: expect.any(Number) })
    expect(vectors).toMatchObject({ current: 6, otherSpaces: 0, pending: 0 })
    const { inBackground: _, ...plain } = slow
    const given = await open({ embedder: plain })
    await given.put(records)
    for (const text of ['car', 'nuts for the jay', 'rain'])
      expect(await answerOf(recall, text)).toEqual(await answerOf(given, text))
    expect((await recall.integrityCheck()).ok).toBe(true)
  })

  test('[E4] an answer depends on which records have their vectors, not on how that came about', async () => {
    const slow = slowEmbedder()
    const made = await slow.embed(texts, 'query')
    const given = records.map((record, i) => (i % 2 === 0 ? { ...record, vectors: made[i]! } : record))
    const one = await open({ embedder: slow })
    await one.put(records)
    await one.put(given)
    const other = await open({ embedder: slowEmbedder() })
    for (const record of given.toReversed()) await other.put(record)
    for (const recall of [one, other]) expect((await recall.status()).embedding).toMatchObject({ done: 3, of: 6 })
    for (const text of ['car', 'physician or weather', 'acorns', 'invoice due'])
      expect(await answerOf(other, text)).toEqual(await answerOf(one, text))
    expect((await one.integrityCheck()).ok).toBe(true)
    const { hits } = await one.recall({ text: 'vehicle' })
    for (const { id } of hits) await one.why({ text: 'vehicle' }, id)
  })

  test('[E4] what is left is made after the next opening of a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scrubjay-speeds-'))
    try {
      const path = join(folder, 'store.db')
      const first = await open({ path, embedder: slowEmbedder() })
      await first.put(records)
      const before = idsOf(await first.recall({ text: 'vehicle' }))
      await first.close()
      const slow = slowEmbedder()
      const again = await open({ path, embedder: slow })
      expect(idsOf(await again.recall({ text: 'vehicle' }))).toEqual(before)
      slow.release()
      await whole(again)
      await again.put({ id: 'r0', body: texts[0]! })
      expect((await again.status()).embedding).toMatchObject({ done: 6, of: 6 })
      await again.put({ id: 'r0', body: 'The car was sold' })
      await whole(again)
      expect(slow.embedded).toBe(7)
    } finally {
      await Promise.all(stores.splice(0).map((store) => store.close().catch(() => undefined)))
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('[E4] a store of the built-in embedder is found by its vectors until they are replaced', async () => {
    const table = await open({})
    await table.put(records)
    const parts: Uint8Array[] = []
    for await (const part of table.exportTo()) parts.push(part)
    const slow = slowEmbedder()
    const recall = await open({ embedder: slow })
    await recall.importFrom(new Blob(parts as never), { mode: 'merge' })
    expect((await recall.status()).embedding).toMatchObject({ done: 0, of: 6 })
    expect(idsOf(await recall.recall({ text: 'vehicle' }))).toEqual(idsOf(await table.recall({ text: 'vehicle' })))
    slow.release()
    await whole(recall)
    await recall.forget('r0')
    expect(await recall.verifyForgotten('r0')).toMatchObject({ clean: true })
  })

  test('[E4] texts in another language keep the vectors of the built-in embedder', async () => {
    const slow = slowEmbedder()
    slow.inBackground = 'english'
    const recall = await open({ embedder: slow })
    await recall.put([...records, { id: 'russian', body: 'Автомобиль стоит в гараже у дома' }])
    slow.release()
    await whole(recall)
    expect((await recall.status()).embedding).toMatchObject({ done: 6, of: 6 })
    expect(slow.embedded).toBe(6)
    await recall.reembed()
    expect(slow.embedded).toBe(6)
  })

  test('control: an embedder that is not in the background is waited for', async () => {
    const { inBackground: _, ...plain } = slowEmbedder()
    const recall = await open({ embedder: { ...plain, timeoutMs: 50 } })
    const receipt = await recall.put(records)
    expect(receipt.records[0]).toMatchObject({ vectors: 'pending' })
  })

  test('[E4] another value than the two is refused', async () => {
    const embedder = { ...slowEmbedder(), inBackground: 'german' } as never
    await expect(openRecall({ embedder })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'embedder.inBackground',
    })
  })
})

/** Embeds questions at once, and records once it is released. */
function slowEmbedder() {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const vectorOf = (text: string) => {
    const vector = new Float32Array(dimensions).fill(0.05)
    for (const [i, concept] of concepts.entries()) if (concept.test(text.toLowerCase())) vector[i] = 1
    vector[4 + (text.length % 4)]! += 0.2
    return vector
  }
  const slow = {
    space: 'slow@1',
    dimensions,
    inBackground: 'every' as 'english' | 'every',
    embedded: 0,
    release,
    async embed(given: readonly string[], role: 'query' | 'document') {
      if (role === 'document') await released
      if (role === 'document') slow.embedded += given.length
      return given.map(vectorOf)
    },
  }
  return slow
}

async function open(options: OpenOptions): Promise<Recall> {
  const place = options.path === undefined ? { name: `store ${++opened}` } : {}
  const recall = await openRecall({ ...place, now: () => 1_800_000_000_000, ...options } as OpenOptions)
  stores.push(recall)
  return recall
}

async function whole(recall: Recall): Promise<void> {
  await vi.waitFor(
    async () => {
      const { embedding, vectors } = await recall.status()
      expect({ ...embedding, pending: vectors.pending }).toMatchObject({ done: embedding!.of, pending: 0 })
    },
    { timeout: 5_000 },
  )
}

function idsOf({ hits }: { readonly hits: readonly { readonly id: string }[] }): readonly string[] {
  return hits.map(({ id }) => id)
}

async function answerOf(recall: Recall, text: string) {
  const { hits, evidence } = await recall.recall({ text })
  return { hits: hits.map(({ id, score, contributions }) => ({ id, score, contributions })), evidence }
}
