/**
 * Tests transformersEmbedder in Node: always against a stand-in, and against transformers.js and MiniLM where they are
 * installed.
 */
import { describe, expect, test } from 'vitest'
import { RecallError } from '../../../src/core/model/errors.ts'
import {
  type LoadProgress,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from '../../../src/embedders/index.ts'
import { openRecall } from '../../../src/index.ts'
import { findTransformers, noTransformers } from '../../support/find-transformers.ts'

const real = findTransformers()
const standIn = new URL('../../support/stand-ins/transformers.mjs', import.meta.url)

const libraries: readonly (readonly [string, Pick<TransformersEmbedderOptions, 'library' | 'modelPath'>])[] = [
  ['a stand-in', { library: standIn, modelPath: '/nowhere' }],
  ...(real ? [['transformers.js', { library: real.library, modelPath: real.models }] as const] : []),
]

if (real === null) test('transformers.js is not installed', ({ skip }) => skip(noTransformers))

describe.each(libraries)('over %s', (_name, where) => {
  const open = (options: Partial<TransformersEmbedderOptions> = {}) =>
    transformersEmbedder({ model: 'minilm', dimensions: 384, ...where, ...options })

  test('makes unit vectors in order, and similar texts get similar vectors', async () => {
    const embedder = open()
    const vectors = await embedder.embed(['compiling a program', 'compile the programs', 'apple pie'], 'document')
    expect(vectors.map((vector) => vector.length)).toEqual([384, 384, 384])
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    const [one, two, three] = vectors as [Float32Array, Float32Array, Float32Array]
    expect(dot(one, two)).toBeGreaterThan(dot(one, three) + 0.2)
    await embedder.close()
  })

  test('[D1] gives a text the same vector whatever else is in its batch', async () => {
    const embedder = open()
    const texts = ['short', 'a text that is a good deal longer than its neighbours in the batch', 'third']
    const together = await embedder.embed(texts, 'document')
    for (const [i, text] of texts.entries()) {
      expect(await embedder.embed([text], 'document')).toEqual([together[i]])
    }
    await embedder.close()
  })

  test('reports its loading, once', async () => {
    const reports: LoadProgress[] = []
    const embedder = open({ onProgress: (progress) => reports.push(progress) })
    await embedder.load()
    expect(reports.length).toBeGreaterThan(1)
    expect(reports.at(-1)?.loaded).toBe(reports.at(-1)?.total)
    const before = reports.length
    await embedder.embed(['text'], 'document')
    expect(reports).toHaveLength(before)
    await embedder.close()
  })

  test('embeds a question before the waiting documents, and ends at an abort', async () => {
    const embedder = open()
    await embedder.load()
    const controller = new AbortController()
    const order: string[] = []
    const many = Array.from({ length: 200 }, (_, i) => `record ${i} of an import`)
    const importing = embedder.embed(many, 'document', { signal: controller.signal }).then(
      () => order.push('import'),
      (error: RecallError) => order.push(error.code),
    )
    await embedder.embed(['a question'], 'query').then(() => order.push('question'))
    controller.abort()
    await importing
    expect(order).toEqual(['question', 'ABORTED'])
    // And it continues afterwards.
    expect(await embedder.embed(['text'], 'document')).toHaveLength(1)
    await embedder.close()
  })

  test('reports what it cannot load, and tries again', async () => {
    const embedder = open({ model: 'no-such-model' })
    for (let i = 0; i < 2; i++) {
      await expect(embedder.embed(['text'], 'query')).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'embedder.model',
        value: '"no-such-model"',
      })
    }
  })

  test('reports vectors of another length than announced', async () => {
    const embedder = open({ dimensions: 128 })
    await expect(embedder.embed(['text'], 'query')).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
    await embedder.close()
  })

  test('makes the vectors of a store', async () => {
    const embedder = open()
    const recall = await openRecall({ name: 'transformers', embedder })
    await recall.put([
      { id: 'a', body: 'compiling the program' },
      { id: 'b', body: 'a recipe for apple pie' },
    ])
    const { hits, plan } = await recall.recall('compile programs')
    expect(hits[0]?.id).toBe('a')
    expect(plan.channels.vector.ran).toBe(true)
    await recall.close()
    await embedder.close()
    await expect(embedder.embed(['text'], 'query')).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('without a library', () => {
  // The package does not depend on transformers.js: its name resolves to nothing here.
  test('says what to install', async () => {
    const error = await transformersEmbedder({ model: 'Xenova/all-MiniLM-L6-v2' })
      .embed(['text'], 'query')
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RecallError)
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', field: 'embedder.library' })
    expect((error as RecallError).hint).toContain('@huggingface/transformers')
  })

  test('loads nothing before its first call', async () => {
    const embedder = transformersEmbedder({ model: 'Xenova/all-MiniLM-L6-v2' })
    expect(await embedder.embed([], 'document')).toEqual([])
    await embedder.close()
  })
})

describe('its options', () => {
  test('cover well-known models, and the name of the space contains every option that changes vectors', () => {
    expect(transformersEmbedder({ model: 'Xenova/all-MiniLM-L6-v2' })).toMatchObject({
      dimensions: 384,
      space: 'Xenova/all-MiniLM-L6-v2@main q8 mean',
    })
    const spaces = [
      {},
      { dtype: 'fp32' },
      { revision: 'v2' },
      { pooling: 'cls' },
      { prefixes: { query: 'q: ', document: '' } },
    ].map((options) => transformersEmbedder({ model: 'a/multilingual-e5-small', ...options } as never).space)
    expect(new Set(spaces).size).toBe(spaces.length)
    expect(spaces[0]).toContain('"query: "')
    // Options that change no vector are not part of the name.
    expect(transformersEmbedder({ model: 'a/gte-small', device: 'webgpu', batchSize: 4 }).space).toBe(
      transformersEmbedder({ model: 'a/gte-small' }).space,
    )
  })

  test.each([
    ['embedder.model', { model: '' }],
    ['embedder.dimensions', { model: 'some/unknown-model' }],
    ['embedder.dimensions', { model: 'some/unknown-model', dimensions: 0.5 }],
    ['embedder.batchSize', { model: 'a/gte-small', batchSize: 0 }],
  ])('are refused when %s is wrong', (field, options) => {
    expect(() => transformersEmbedder(options)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
  })
})

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
