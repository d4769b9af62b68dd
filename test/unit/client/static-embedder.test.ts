/**
 * Compares the built-in embedder with the output of the trained model's own reference code for the same texts, bit for
 * bit.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { FileCache } from '../../../src/embedders/file-cache.ts'
import { precomputed, staticEmbedder } from '../../../src/embedders/index.ts'
import { createStaticModel } from '../../../src/embedders/tables/static-model.ts'
import { tableEmbedder, tableFile } from '../../../src/embedders/table-embedder.ts'
import { embeddingHash, embeddingTexts } from '../../support/data/embedding-texts.ts'
import { excessiveGrowth } from '../../support/growth.ts'

const table = new URL('../../../src/embedders/minilm-static-128.bin', import.meta.url)

describe('staticEmbedder', () => {
  test('[D1] makes the same vectors as the reference', async () => {
    const vectors = await staticEmbedder().embed(embeddingTexts, 'document')
    expect(vectors).toHaveLength(embeddingTexts.length)
    const hash = createHash('sha256')
    for (const vector of vectors) hash.update(new Uint8Array(vector.buffer))
    expect(hash.digest('hex')).toBe(embeddingHash)
  })

  test('makes unit vectors, or zeros where it knows no word', async () => {
    const lengths = (await staticEmbedder().embed(embeddingTexts, 'query')).map((vector) => Math.hypot(...vector))
    expect(lengths.filter((length) => length === 0)).toHaveLength(3)
    for (const length of lengths) if (length !== 0) expect(length).toBeCloseTo(1, 6)
  })

  test('gives similar texts similar vectors', async () => {
    const [query, near, far] = await staticEmbedder().embed(
      ['how do I compile the program', 'building the application from source', 'a recipe for apple pie'],
      'query',
    )
    expect(dot(query, near)).toBeGreaterThan(dot(query, far) + 0.1)
  })

  test('embeds a mebibyte without spaces in linear time', async () => {
    const model = createStaticModel(new Uint8Array(await readFile(table)).buffer)
    const unit = 'pneumono'
    expect(excessiveGrowth(model.embed, { unit, tail: '' })).toBeNull()
    const mebibyte = await staticEmbedder().embed([unit.repeat(131_072)], 'document')
    expect(mebibyte[0]?.some((value) => value !== 0)).toBe(true)
  })

  test('reports which table cannot be loaded, and tries again', async () => {
    const missing = staticEmbedder({ table: pathToFileURL('/no/such/table.bin') })
    for (const _ of [1, 2]) {
      await expect(missing.embed(['x'], 'query')).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'assets.embedding',
        value: expect.stringContaining('no/such/table.bin'),
      })
    }
  })

  test('[V4] refuses a table with one changed byte: its vectors would not belong to the space', async () => {
    const bytes = await readFile(table)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    const { url, close } = await serve(() => bytes)
    await expect(tableEmbedder(url, { cache: null }).embed(['x'], 'query')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'assets.embedding',
      message: expect.stringMatching(/its bytes are not those of minilm-static-128.bin/),
    })
    await close()
  })

  test('[E2] is cached after its first load, and checked before its use', async () => {
    const bytes = await readFile(table)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(tableFile.sha256)
    let asked = 0
    let answer: Uint8Array | number = bytes
    const { url, close } = await serve(() => {
      asked += 1
      return answer
    })
    const kept = new Map<string, ArrayBuffer>()
    const cache: FileCache = {
      read: async ({ sha256 }) => kept.get(sha256) ?? null,
      write: async ({ sha256 }, given) => void kept.set(sha256, given),
    }
    const [first] = await tableEmbedder(url, { cache }).embed(['acorn'], 'query')
    await expect.poll(() => kept.size).toBe(1)
    answer = 404
    expect(await tableEmbedder(url, { cache }).embed(['acorn'], 'query')).toEqual([first])
    expect(asked).toBe(1)
    kept.clear()
    const again = tableEmbedder(url, { cache })
    await expect(again.embed(['acorn'], 'query')).rejects.toThrow(/status 404/)
    // A table that was cut off is refused, and not cached.
    answer = bytes.subarray(0, 100_000)
    await expect(again.embed(['acorn'], 'query')).rejects.toThrow(/whole embedding table/)
    answer = bytes
    expect(await again.embed(['acorn'], 'query')).toEqual([first])
    await close()
  })

  test('refuses a table cut short or of another kind', async () => {
    const bytes = await readFile(table)
    for (const broken of [bytes.subarray(0, 6), bytes.subarray(0, 2_000), bytes.subarray(0, -8), bytes.subarray(1)]) {
      expect(() => createStaticModel(new Uint8Array(broken).buffer)).toThrow(/whole embedding table/)
    }
  })
})

describe('precomputed', () => {
  test('makes no vectors for no texts', async () => {
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

/** A server of one file: bytes, or a status. */
async function serve(answer: () => Uint8Array | number) {
  const server = createServer((_request, response) => {
    const given = answer()
    response.writeHead(typeof given === 'number' ? given : 200)
    response.end(typeof given === 'number' ? undefined : given)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<unknown>((resolve) => void server.close(resolve))
  return { url: new URL(`http://127.0.0.1:${port}/minilm-static-128.bin`), close }
}
