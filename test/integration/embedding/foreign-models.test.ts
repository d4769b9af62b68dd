/** [E3] Tests embedders over a library, a browser's model and a table's server that hang, or answer something else. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SemanticModels, semanticEmbedder, transformersEmbedder } from '../../../src/embedders/index.ts'
import { tableEmbedder } from '../../../src/embedders/table-embedder.ts'
import { openRecall } from '../../../src/index.ts'
import { semanticModels } from '../../support/stand-ins/semantic-models.ts'

const library = new URL('../../support/stand-ins/hanging-transformers.mjs', import.meta.url)
const never = () => new Promise<never>(() => undefined)

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('transformersEmbedder', () => {
  const open = (model: string) => transformersEmbedder({ model, dimensions: 4, library })

  test.each(['never loads', 'never answers'])(
    '[E3] over a model that %s ends its waiting calls and its close',
    async (model) => {
      const embedder = open(model)
      const recall = await openRecall({ name: model, embedder })
      const waiting = embedder.embed(['a'], 'document').catch((error: unknown) => error)
      const put = recall.put({ id: 'a', body: 'acorn' }).catch((error: unknown) => error)
      const aborted = new AbortController()
      const load = embedder.load({ signal: aborted.signal }).catch((error: unknown) => error)
      aborted.abort()
      expect(await load).toMatchObject({ code: 'ABORTED' })
      // The library's module is there, so that only the model is waited for.
      await import(library.href)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const closing = embedder.close()
      expect(await waiting).toMatchObject({ code: 'CLOSED' })
      await vi.advanceTimersByTimeAsync(5_000)
      await closing
      vi.useRealTimers()
      expect(await put).toMatchObject({ records: [{ outcome: 'inserted', vectors: 'pending' }] })
      await expect(embedder.embed(['b'], 'document')).rejects.toMatchObject({ code: 'CLOSED' })
      await recall.close()
    },
  )

  test.each(['nothing', 'empty', 'no data', 'too little data', 'no dims'])(
    '[E1] over a library that answers with %s rejects with a typed error',
    async (model) => {
      await expect(open(model).embed(['a'], 'document')).rejects.toMatchObject({
        name: 'RecallError',
        code: 'INVALID_CONFIG',
        field: 'embedder.model',
      })
    },
  )
})

describe('semanticEmbedder', () => {
  const hanging: readonly [string, (models: SemanticModels) => SemanticModels][] = [
    ['availability', (models) => ({ ...models, availability: never })],
    ['create', (models) => ({ ...models, create: never })],
    ['embed', (models) => ({ ...models, create: async () => ({ embed: never }) })],
  ]

  test.each(hanging)('[E3] over a browser whose %s() hangs uses the table, and says why', async (name, change) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const opening = semanticEmbedder({ models: change(semanticModels()) })
    await vi.advanceTimersByTimeAsync(60_000)
    const { source, degraded } = await opening
    expect(source).toBe('table')
    expect(degraded[0]).toMatch(new RegExp(`its ${name}\\(\\) gave no answer within \\d+ ms`))
  })

  test.each(hanging)('[E3] a signal ends the wait for %s(), also if the browser ignores it', async (_name, change) => {
    const controller = new AbortController()
    const opening = semanticEmbedder({ models: change(semanticModels()), signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(opening).rejects.toThrow('enough')
  })

  test('[E3] a download has no deadline, and a model that comes after an abort is destroyed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const models = semanticModels({ availability: 'downloadable' })
    let come: () => void = () => undefined
    const slow: SemanticModels = {
      ...models,
      availability: async () => 'downloadable',
      create: async () => {
        await new Promise<void>((resolve) => {
          come = resolve
        })
        return semanticModels()
          .create({})
          .then((model) => ({ ...model, destroy: () => void (models.destroyed += 1) }))
      },
    }
    const opening = semanticEmbedder({ models: slow, download: true })
    await vi.advanceTimersByTimeAsync(3_600_000)
    come()
    await vi.advanceTimersByTimeAsync(10)
    expect((await opening).source).toBe('browser')
    const controller = new AbortController()
    const aborted = semanticEmbedder({ models: slow, download: true, signal: controller.signal }).catch(() => 'aborted')
    await vi.advanceTimersByTimeAsync(1)
    controller.abort()
    expect(await aborted).toBe('aborted')
    come()
    await vi.waitFor(() => expect(models.destroyed).toBe(1), { timeout: 30_000 })
  })

  const space = { metadata: { embeddingSpace: 'mine' } }
  const vector = { values: new Float32Array(4) }
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'SPACE_MISMATCH'],
    ['null', null, 'SPACE_MISMATCH'],
    ['no list', space, 'INVALID_CONFIG'],
    ['one vector too few', { ...space, embeddings: [vector] }, 'INVALID_CONFIG'],
    ['one vector too many', { ...space, embeddings: [vector, vector, vector] }, 'INVALID_CONFIG'],
  ])('[E1] over a model that answers with %s rejects with a typed error', async (_name, answer, code) => {
    let calls = 0
    const embed = async () => (calls++ === 0 ? { ...space, embeddings: [vector] } : answer) as never
    const embedder = await semanticEmbedder({ models: { ...semanticModels(), create: async () => ({ embed }) } })
    await expect(embedder.embed(['a', 'b'], 'document')).rejects.toMatchObject({ name: 'RecallError', code })
  })
})

describe('the table', () => {
  let pulled = 0
  let isCancelled = false
  beforeEach(() => {
    pulled = 0
    isCancelled = false
  })
  const endless = (status: number) =>
    vi.stubGlobal('fetch', async () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += 2 ** 20
          // A reader without a limit would go on.
          if (pulled > 64 * 2 ** 20) controller.close()
          else controller.enqueue(new Uint8Array(2 ** 20))
        },
        cancel() {
          isCancelled = true
        },
      })
      return new Response(body, { status })
    })

  test.each([
    [200, 18, /more than 16777216 bytes/],
    [500, 2, /status 500/],
  ])('[E3] of a server that answers %i without an end is not received', async (status, most, message) => {
    endless(status)
    const table = tableEmbedder(new URL('https://example.org/table.bin'), { cache: null })
    await expect(table.embed(['acorn'], 'document')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'assets.embedding',
      message: expect.stringMatching(message),
    })
    expect(pulled / 2 ** 20).toBeLessThanOrEqual(most)
    expect(isCancelled).toBe(true)
  })
})
