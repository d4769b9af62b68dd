/** Runs the embedder contract against each embedder of the package, and against broken ones, which must fail. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  httpEmbedder,
  precomputed,
  semanticEmbedder,
  staticEmbedder,
  transformersEmbedder,
} from '../../src/embedders/index.ts'
import type { Embedder } from '../../src/index.ts'
import { type CreateEmbedder, embedderContract, runContract } from '../../src/testing/index.ts'
import { type EmbeddingsServer, openEmbeddingsServer } from '../support/data/embeddings-server.ts'
import { findTransformers, noTransformers } from '../support/find-transformers.ts'
import { semanticModels } from '../support/stand-ins/semantic-models.ts'

let server: EmbeddingsServer

beforeAll(async () => {
  server = await openEmbeddingsServer(8)
})

afterAll(() => server.close())

const real = findTransformers()
const standIn = new URL('../support/stand-ins/transformers.mjs', import.meta.url)

describe('staticEmbedder', () => runContract(test, embedderContract, () => staticEmbedder()))
describe('precomputed', () => runContract(test, embedderContract, () => precomputed(3, 'mine')))
describe('httpEmbedder', () =>
  runContract(test, embedderContract, () =>
    httpEmbedder({ url: server.url, model: 'small', dimensions: 8, batchSize: 2 }),
  ))
describe('semanticEmbedder over a stand-in', () =>
  runContract(test, embedderContract, () => semanticEmbedder({ models: semanticModels(), fallback: 'reject' })))
describe('semanticEmbedder without a model of the browser', () =>
  runContract(test, embedderContract, () => semanticEmbedder()))
describe('transformersEmbedder over a stand-in', () =>
  runContract(test, embedderContract, () =>
    transformersEmbedder({ model: 'minilm', dimensions: 384, library: standIn, modelPath: '/nowhere' }),
  ))
describe('transformersEmbedder over transformers.js', () => {
  if (real === null) test('is not installed', ({ skip }) => skip(noTransformers))
  else
    runContract(test, embedderContract, () =>
      transformersEmbedder({ model: 'minilm', dimensions: 384, library: real.library, modelPath: real.models }),
    )
})

const good: Embedder = staticEmbedder()
const shared = new Float32Array(good.dimensions).fill(0.1)

describe('control: the contract refuses', () => {
  test.each<[string, string, Partial<Embedder>]>([
    ['a blank space', 'names its space', { space: ' ' }],
    ['too few vectors', 'one vector', { embed: async (texts, role) => (await good.embed(texts, role)).slice(1) }],
    ['plain arrays', 'one vector', { embed: async (texts) => texts.map(() => [1, 2]) as never }],
    [
      'NaN',
      'one vector',
      { embed: async (texts) => texts.map(() => new Float32Array(good.dimensions).fill(Number.NaN)) },
    ],
    [
      'a vector that depends on the batch',
      'gives the same text',
      { embed: async (texts) => texts.map((_, i) => unit(i)) },
    ],
    ['a lost order', 'keeps order', { embed: async (texts, role) => good.embed(texts.toSorted(), role) }],
    ['a deadline that is none', 'a valid timeoutMs', { timeoutMs: -1 }],
    [
      'an abort reason that is not an Error',
      'aborted before',
      {
        embed: (texts, role, options) => (options?.signal?.aborted ? Promise.reject('gone') : good.embed(texts, role)),
      },
    ],
    [
      'an abort that never ends',
      'aborted before',
      {
        timeoutMs: 50,
        embed: (texts, role, options) => (options?.signal?.aborted ? new Promise(() => {}) : good.embed(texts, role)),
      },
    ],
    ['an abort that ends other calls', 'does not affect another', { embed: endingAll() }],
    [
      'a list that is emptied',
      'does not change the list',
      {
        embed: async (texts, role) => {
          const vectors = await good.embed(texts, role)
          ;(texts as string[]).length = 0
          return vectors
        },
      },
    ],
    ['a vector that is shared', 'the caller may change', { embed: async (texts) => texts.map(() => shared) }],
  ])('%s', async (_name, promise, broken) => {
    const create: CreateEmbedder = () => ({
      space: good.space,
      dimensions: good.dimensions,
      embed: good.embed,
      ...broken,
    })
    const held = embedderContract.find(({ name }) => name.includes(promise))
    await expect(held?.run(create)).rejects.toThrow()
    // And the embedder that it wraps passes.
    await held?.run(() => good)
  })
})

/** One abort ends the calls of every caller. */
function endingAll(): Embedder['embed'] {
  const controller = new AbortController()
  return async (texts, role, options) => {
    options?.signal?.addEventListener('abort', () => controller.abort())
    await new Promise((resolve) => setTimeout(resolve, 5))
    controller.signal.throwIfAborted()
    return good.embed(texts, role)
  }
}

function unit(at: number): Float32Array {
  const vector = new Float32Array(good.dimensions)
  vector[at] = 1
  return vector
}
