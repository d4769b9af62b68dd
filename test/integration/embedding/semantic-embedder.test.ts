/** Tests the embedder over the browser's own model, with a stand-in of the interface: its space, its states, and the table it falls back to. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { semanticEmbedder } from '../../../src/embedders/index.ts'
import { openRecall } from '../../../src/index.ts'
import { semanticModels } from '../../support/stand-ins/semantic-models.ts'

afterEach(() => vi.unstubAllGlobals())

const records = [
  { id: 'a', body: 'How to compile the program' },
  { id: 'b', body: 'Apple pie with cinnamon' },
]

/** What the status of a store in memory says in any case. */
const inMemory = [expect.stringContaining('memory')]

describe('a model of the browser', () => {
  test('[V4] the space has the id of the browser, the vectors its length, and each role its task', async () => {
    const models = semanticModels({ dimensions: 24 })
    const embedder = await semanticEmbedder({ models })
    expect(embedder).toMatchObject({
      source: 'browser',
      space: 'SemanticEmbedder embeddinggemma-300m',
      dimensions: 24,
      degraded: [],
    })
    await embedder.embed(['one', 'two'], 'document')
    await embedder.embed(['three'], 'query')
    expect(models.calls.slice(1)).toEqual([
      { texts: ['one', 'two'], taskType: 'retrieval-document' },
      { texts: ['three'], taskType: 'retrieval-query' },
    ])
    embedder.close()
    expect(models.destroyed).toBe(1)
    await expect(embedder.embed(['four'], 'query')).rejects.toMatchObject({ code: 'CLOSED' })
  })

  test('[S5] the interface of the page is used, and a store finds by its vectors', async () => {
    vi.stubGlobal('SemanticEmbedder', semanticModels())
    const recall = await openRecall({ name: 'semantic', embedder: await semanticEmbedder() })
    await recall.put(records)
    const { hits, plan } = await recall.recall({ text: 'compiling programs', limit: 1 })
    expect(hits[0]?.record.id).toBe('a')
    expect(plan.channels.vector).toMatchObject({ ran: true })
    expect(await recall.status()).toMatchObject({
      vectors: { space: 'SemanticEmbedder embeddinggemma-300m', current: 2, otherSpaces: 0, pending: 0 },
      degraded: inMemory,
    })
    await recall.close()
  })

  test('[V4] [E2] if the browser changes its model while the store is open, no vector is compared with an older one', async () => {
    const models = semanticModels()
    const recall = await openRecall({ name: 'changed model', embedder: await semanticEmbedder({ models }) })
    await recall.put(records)
    models.space = 'embeddinggemma-2'
    const { hits, plan } = await recall.recall({ text: 'compile' })
    expect(hits[0]?.record.id).toBe('a')
    expect(plan.channels.vector).toMatchObject({ ran: false, why: expect.stringContaining('embeddinggemma-2') })
    expect((await recall.status()).degraded.join()).toContain('embeddinggemma-2')
    await recall.close()
  })

  test('[V4] vectors of another model of the browser are named in `degraded`, and made again by reembed', async () => {
    const first = await openRecall({
      name: 'two models',
      embedder: await semanticEmbedder({ models: semanticModels() }),
    })
    await first.put(records)
    const parts: Uint8Array[] = []
    for await (const part of await first.exportTo()) parts.push(part)
    await first.close()
    const newer = await semanticEmbedder({ models: semanticModels({ space: 'embeddinggemma-2' }) })
    const second = await openRecall({ name: 'two models, later', embedder: newer })
    await second.importFrom(new Blob(parts as BlobPart[]), { mode: 'merge' })
    const { degraded } = await second.status()
    expect(degraded.join()).toContain('2 of 2 records have no vectors of SemanticEmbedder embeddinggemma-2')
    await second.reembed()
    expect(await second.status()).toMatchObject({ vectors: { current: 2 }, degraded: inMemory })
    await second.close()
  })

  test('a text that is too long for the model is embedded by its beginning; control: another failure is one', async () => {
    const models = semanticModels({ longest: 500 })
    const embedder = await semanticEmbedder({ models })
    const long = `acorn ${'🐦 oak '.repeat(400)}`
    const [first, second] = await embedder.embed(['acorn', long], 'document')
    expect(first).toHaveLength(32)
    expect(second?.some((value) => value !== 0)).toBe(true)
    const shortest = models.calls.at(-1)!.texts[0]!
    expect(shortest.length).toBeLessThanOrEqual(500)
    expect(long.startsWith(shortest)).toBe(true)
    expect(() => encodeURIComponent(shortest)).not.toThrow()
    const broken = await semanticEmbedder({ models })
    models.space = undefined
    await expect(broken.embed(['acorn'], 'query')).rejects.toMatchObject({ code: 'SPACE_MISMATCH' })
  })

  test('a model that must be downloaded is, when the app asks for it', async () => {
    const models = semanticModels({ availability: 'downloadable' })
    const loaded: number[] = []
    const embedder = await semanticEmbedder({ models, download: true, onProgress: (part) => loaded.push(part) })
    expect(embedder.source).toBe('browser')
    expect(loaded).toEqual([0, 0.5, 1])
  })

  test('the wait for a download can be ended', async () => {
    const ending = new AbortController()
    const waiting = semanticEmbedder({
      models: semanticModels({ availability: 'downloadable' }),
      download: true,
      signal: ending.signal,
      onProgress: () => ending.abort(new Error('enough')),
    })
    await expect(waiting).rejects.toThrow('enough')
  })
})

describe('the table of the package', () => {
  test.each([
    ['the browser has no interface', {}, 'has no SemanticEmbedder'],
    ['there is no model', { models: semanticModels({ availability: 'unavailable' }) }, 'no model for this device'],
    ['the model is not downloaded', { models: semanticModels({ availability: 'downloadable' }) }, 'download: true'],
    ['it is being downloaded', { models: semanticModels({ availability: 'downloading' }) }, 'being downloaded'],
    [
      'the download needs a click',
      { download: true, models: semanticModels({ availability: 'downloadable', needsClick: true }) },
      'user gesture',
    ],
    ['the space has no name', { models: semanticModels({ space: undefined }) }, 'does not name its embedding space'],
    ['the vectors are too long', { models: semanticModels({ dimensions: 5_000 }) }, 'but have 5000'],
  ])('[E2] is used if %s, and `degraded` says why', async (_what, options, why) => {
    const embedder = await semanticEmbedder(options)
    expect(embedder).toMatchObject({ source: 'table', space: 'minilm-static-128', dimensions: 128 })
    const recall = await openRecall({ name: 'fallback', embedder })
    await recall.put(records)
    const { degraded, vectors } = await recall.status()
    expect(vectors).toMatchObject({ space: 'minilm-static-128', current: 2 })
    expect(degraded).toEqual([...inMemory, expect.stringContaining('table of the package')])
    expect(degraded.at(-1)).toContain(why)
    await recall.close()
  })

  test('a model that is not used is freed', async () => {
    const models = semanticModels({ space: undefined })
    await semanticEmbedder({ models })
    expect([models.created, models.destroyed]).toEqual([1, 1])
  })

  test('is not used if the app refuses it', async () => {
    await expect(semanticEmbedder({ fallback: 'reject' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'embedder',
      message: expect.stringContaining('has no SemanticEmbedder'),
    })
  })
})

test.each([
  [null, 'embedder'],
  [{ download: 'yes' }, 'embedder.download'],
  [{ onProgress: 1 }, 'embedder.onProgress'],
  [{ fallback: 'words' }, 'embedder.fallback'],
  [{ table: 'table.bin' }, 'embedder.table'],
  [{ signal: {} }, 'embedder.signal'],
  [{ models: null }, 'embedder.models'],
  [{ models: { create: () => {} } }, 'embedder.models'],
  [{ model: 'gemma' }, 'embedder.model'],
])('[E1] %j is refused', async (options, field) => {
  await expect(semanticEmbedder(options as never)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
})
