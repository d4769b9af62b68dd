/**
 * Tests exportTo, importFrom and reembed as an app calls them: sources of every kind, progress, aborts, the page's own
 * embedders.
 */
import { describe, expect, test } from 'vitest'
import type { Embedder } from '../../../src/embedders/index.ts'
import { openRecall, type Progress, type Recall, RecallError } from '../../../src/index.ts'
import { createRandom } from '../../support/data/random.ts'

let named = 0
const opened = (options: Parameters<typeof openRecall>[0] = {}) =>
  openRecall({ name: `portable ${++named}`, embedder: null, ...options })

async function filled(count = 400): Promise<Recall> {
  const recall = await opened()
  await recall.put(
    Array.from({ length: count }, (_, i) => ({ id: `r${i}`, body: `record ${i} ${'text '.repeat(200)}` })),
  )
  return recall
}

async function collected(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Uint8Array.from(Buffer.concat(all))
}

describe('export and import', () => {
  test('an export comes in chunks, and is imported from every kind of source', async () => {
    const source = await filled()
    const parts: Uint8Array[] = []
    for await (const part of source.exportTo()) parts.push(part)
    expect(parts.length).toBeGreaterThan(1)
    const bytes = Uint8Array.from(Buffer.concat(parts))
    const backwards = async function* () {
      for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001)
    }
    const sources = [
      bytes,
      bytes.buffer,
      new Blob([bytes]),
      new Blob([bytes]).stream(),
      parts,
      backwards(),
      source.exportTo(),
    ] as const
    for (const given of sources) {
      const target = await opened()
      expect(await target.importFrom(given as never, { mode: 'replace' })).toMatchObject({ read: 400, inserted: 400 })
      expect(Buffer.from(await collected(target.exportTo())).equals(Buffer.from(bytes))).toBe(true)
      await target.close()
    }
    // The caller's own bytes are not transferred.
    expect(bytes.length).toBeGreaterThan(0)
  })

  test('reports its progress', async () => {
    const source = await filled()
    const target = await opened()
    const told: Progress[] = []
    for (const recall of [source, target])
      recall.subscribe((event) => {
        if (event.type === 'progress') told.push(event)
      })
    await target.importFrom(source.exportTo(), { mode: 'merge' })
    const of = (operation: string) => told.filter((event) => event.operation === operation)
    expect(of('export').at(-1)).toMatchObject({ done: 400, total: 400 })
    expect(of('import').at(-1)).toMatchObject({ done: 800, total: 800 })
    for (const operation of ['export', 'import']) {
      const done = of(operation).map((event) => event.done)
      expect(done.length).toBeGreaterThan(2)
      expect(done).toEqual(done.toSorted((a, b) => a - b))
    }
  })

  test('an export that is abandoned or aborted is released; an aborted import changes nothing', async () => {
    const source = await filled()
    for await (const _part of source.exportTo()) break
    const controller = new AbortController()
    const exporting = source.exportTo({ signal: controller.signal })[Symbol.asyncIterator]()
    await exporting.next()
    controller.abort()
    await expect(exporting.next()).rejects.toMatchObject({ code: 'ABORTED' })
    const target = await opened()
    let aborting = new AbortController()
    const parts = async function* () {
      for await (const part of source.exportTo()) {
        yield part
        aborting.abort()
      }
    }
    const importing = target.importFrom(parts(), { mode: 'replace', signal: aborting.signal })
    await expect(importing).rejects.toMatchObject({ code: 'ABORTED' })
    aborting = new AbortController()
    const asOthers = target.importFrom(parts(), { mode: 'replace' }, { signal: aborting.signal })
    await expect(asOthers).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await target.count()).toBe(0)
    // No export is left running: more exports can follow.
    for (let i = 0; i < 6; i++) await target.importFrom(source.exportTo(), { mode: 'merge' })
    expect(await target.count()).toBe(400)
  })

  test('a source of a wrong type, or one that fails half way, is refused', async () => {
    const target = await opened()
    for (const given of ['text', 5, null, undefined, {}, ['a'], [new Uint16Array(2)]]) {
      await expect(target.importFrom(given as never, { mode: 'merge' })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        field: 'source',
      })
    }
    const failing = async function* () {
      yield new Uint8Array([0x53])
      throw new RangeError('the disk is gone')
    }
    await expect(target.importFrom(failing(), { mode: 'merge' })).rejects.toThrow('the disk is gone')
    const source = await filled(3)
    await expect(target.importFrom(source.exportTo(), {} as never)).rejects.toMatchObject({ field: 'mode' })
    await expect(target.importFrom(source.exportTo(), undefined!)).rejects.toBeInstanceOf(RecallError)
    expect(await target.count()).toBe(0)
  })

  test('a closed store neither exports nor imports', async () => {
    const recall = await filled(3)
    await recall.close()
    await expect(collected(recall.exportTo())).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(recall.importFrom(new Uint8Array(1), { mode: 'merge' })).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('reembed', () => {
  /** A vector per text, the same for the same text; counts its calls. */
  function fake(space: string, dimensions: number, log: string[] = []): Embedder {
    return {
      space,
      dimensions,
      async embed(texts) {
        log.push(...texts)
        return texts.map((text) => createRandom(text.length * 31 + text.charCodeAt(0)).vector(dimensions))
      },
    }
  }

  test('[V4] records of another space get vectors of the page’s own embedder, in batches; until then words find them', async () => {
    const source = await opened({ embedder: fake('old', 4) })
    await source.put(Array.from({ length: 150 }, (_, i) => ({ id: `r${i}`, body: `record number ${i}` })))
    const log: string[] = []
    const target = await opened({ embedder: fake('new', 6, log) })
    const told: Progress[] = []
    target.subscribe((event) => event.type === 'progress' && event.operation === 'reembed' && told.push(event))
    await target.importFrom(source.exportTo(), { mode: 'replace' })
    expect((await target.status()).vectors).toMatchObject({ current: 0, otherSpaces: 150 })
    expect((await target.recall('record number 7')).hits[0]?.record.id).toBe('r7')
    log.length = 0
    expect(await target.reembed()).toMatchObject({ embedded: 150, remaining: 0 })
    expect(log).toHaveLength(150)
    expect(told.map(({ done, total }) => [done, total])).toEqual([
      [64, 150],
      [128, 150],
      [150, 150],
    ])
    expect((await target.status()).vectors).toMatchObject({ current: 150, otherSpaces: 0 })
    expect(await target.integrityCheck()).toMatchObject({ ok: true, vectors: 'ok' })
    const { hits } = await target.recall({ text: 'record number 7' })
    expect(hits[0]?.record.id).toBe('r7')
    // Nothing is left to do, and no record's times changed.
    expect(await target.reembed()).toMatchObject({ embedded: 0, remaining: 0 })
    const [before, after] = await Promise.all([source, target].map((recall) => recall.get('r7')))
    expect(after).toEqual(before)
  })

  test('after an abort, it continues where it stopped', async () => {
    const source = await opened()
    await source.put(Array.from({ length: 150 }, (_, i) => ({ id: `r${i}`, body: `record number ${i}` })))
    const log: string[] = []
    const target = await opened({ embedder: fake('new', 6, log) })
    await target.importFrom(source.exportTo(), { mode: 'replace' })
    const controller = new AbortController()
    target.subscribe((event) => {
      if (event.type === 'progress' && event.operation === 'reembed') controller.abort()
    })
    await expect(target.reembed({ signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' })
    const { current } = (await target.status()).vectors
    expect(current).toBeGreaterThanOrEqual(64)
    expect(current).toBeLessThan(150)
    expect(await target.reembed()).toMatchObject({ embedded: 150 - current, remaining: 0 })
  })

  test('the engine’s own embedder embeds again while other calls run', async () => {
    const source = await opened()
    await source.put(Array.from({ length: 100 }, (_, i) => ({ id: `r${i}`, body: `how to compile program ${i}` })))
    const target = await openRecall({ name: `portable ${++named}` })
    await target.importFrom(source.exportTo(), { mode: 'replace' })
    const [receipt] = await Promise.all([target.reembed(), target.put({ id: 'r5', body: 'something else' })])
    expect(receipt.embedded).toBeGreaterThanOrEqual(99)
    expect((await target.status()).vectors).toMatchObject({ current: 100, otherSpaces: 0 })
    const { plan, hits } = await target.recall({ text: 'building an application', limit: 3 })
    expect(plan.channels.vector.ran).toBe(true)
    expect(hits.length).toBeGreaterThan(0)
  })

  test('without a space, or with an embedder that makes no vectors, it does nothing', async () => {
    const lexical = await filled(3)
    expect(await lexical.reembed()).toMatchObject({ embedded: 0, remaining: 0 })
    const none = await opened({ embedder: { space: 'none', dimensions: 3, embed: async () => [] } })
    await none.put({ body: 'text' })
    expect(await none.reembed()).toMatchObject({ embedded: 0, remaining: 1 })
  })
})
