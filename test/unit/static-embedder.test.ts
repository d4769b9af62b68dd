/** The built-in embedder against what the trained model's own reference code made of the same texts, bit for bit. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { precomputed, staticEmbedder } from '../../src/embedders/index.ts'
import { createStaticModel } from '../../src/embedders/static-model.ts'
import { embeddingHash, embeddingTexts } from '../support/embedding-texts.ts'

const table = new URL('../../src/embedders/minilm-static-128.bin', import.meta.url)

describe('staticEmbedder', () => {
  test('[D1] makes the very vectors of the reference', async () => {
    const vectors = await staticEmbedder().embed(embeddingTexts, 'document')
    expect(vectors).toHaveLength(embeddingTexts.length)
    const hash = createHash('sha256')
    for (const vector of vectors) hash.update(new Uint8Array(vector.buffer))
    expect(hash.digest('hex')).toBe(embeddingHash)
  })

  test('makes unit vectors, or zeros where nothing is known', async () => {
    const lengths = (await staticEmbedder().embed(embeddingTexts, 'query')).map((vector) => Math.hypot(...vector))
    expect(lengths.filter((length) => length === 0)).toHaveLength(3)
    for (const length of lengths) if (length !== 0) expect(length).toBeCloseTo(1, 6)
  })

  test('knows what is alike', async () => {
    const [query, near, far] = await staticEmbedder().embed(
      ['how do I compile the program', 'building the application from source', 'a recipe for apple pie'],
      'query',
    )
    expect(dot(query, near)).toBeGreaterThan(dot(query, far) + 0.1)
  })

  test('takes a mebibyte without spaces in linear time', async () => {
    const embedder = staticEmbedder()
    await embedder.embed(['warm'], 'document')
    const startedMs = performance.now()
    await embedder.embed(['pneumono'.repeat(131_072)], 'document')
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })

  test('says which table cannot be loaded, and tries again', async () => {
    const missing = staticEmbedder({ table: pathToFileURL('/no/such/table.bin') })
    for (const _ of [1, 2]) {
      await expect(missing.embed(['x'], 'query')).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'assets.embedding',
        value: expect.stringContaining('no/such/table.bin'),
      })
    }
  })

  test('refuses a table cut short or of another kind', async () => {
    const bytes = await readFile(table)
    for (const broken of [bytes.subarray(0, 6), bytes.subarray(0, 2_000), bytes.subarray(0, -8), bytes.subarray(1)]) {
      expect(() => createStaticModel(new Uint8Array(broken).buffer)).toThrow(/no embedding table/)
    }
  })
})

describe('precomputed', () => {
  test('embeds nothing', async () => {
    const embedder = precomputed(3, 'mine')
    expect(embedder).toMatchObject({ dimensions: 3, space: 'mine' })
    expect(await embedder.embed(['a', 'b'], 'document')).toEqual([])
  })

  test.each([
    [0, 'mine', 'dimensions'],
    [1.5, 'mine', 'dimensions'],
    [1e6, 'mine', 'dimensions'],
    [3, ' ', 'space'],
  ])('[E1] refuses %s, %j', (dimensions, space, field) => {
    expect(() => precomputed(dimensions, space)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
  })
})

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a && b ? a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) : Number.NaN
}
