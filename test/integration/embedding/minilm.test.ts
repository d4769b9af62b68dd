/** [D4] Tests scrubjay-minilm with its own model: the golden bytes, the float model they come close to, and stores that use it. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../minilm/src/tokenizer/wordpiece.ts'
import { type MinilmEmbedder, type MinilmOptions, minilmEmbedder } from '../../../minilm/src/index.ts'
import { ownModel } from '../../../minilm/src/own-model.ts'
import { readSafetensors } from '../../../src/embedders/model-file/read-safetensors.ts'
import { openRecall } from '../../../src/index.ts'
import { embedderContract, runContract } from '../../../src/testing/index.ts'
import { minilmTexts } from '../../support/minilm/minilm-texts.ts'
import { createRandom } from '../../support/data/random.ts'
import { hashVectors } from '../../support/minilm/hash-vectors.ts'
import { builtMinilm, hasMinilm, minilmFolder, noMinilm, publishedMinilm } from '../../support/minilm/built-minilm.ts'
import { cosine, plainVector } from '../../support/oracles/plain-encoder.ts'

const golden = readFileSync(new URL('../../golden/minilm.sha256', import.meta.url), 'utf8').trim()
const texts = minilmTexts(120)
let model: URL
let embedder: MinilmEmbedder
let folder: string

if (!hasMinilm) test('the model is not installed', ({ skip }) => skip(noMinilm))

describe.runIf(hasMinilm)('scrubjay-minilm', () => {
  beforeAll(async () => {
    model = pathToFileURL(await builtMinilm())
    embedder = minilmEmbedder({ model })
    folder = await mkdtemp(join(tmpdir(), 'scrubjay-minilm-'))
  })

  afterAll(async () => {
    await embedder?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  test('[D4] vectors have the golden bytes, in a batch, alone and in another order', async () => {
    const together = hashVectors(await embedder.embed(texts, 'document'))
    expect(together.all).toBe(golden)
    const order = createRandom(11)
      .shuffled(texts.map((_, i) => i))
      .slice(0, 40)
    const other = minilmEmbedder({ model })
    for (const i of order) {
      const alone = hashVectors(await other.embed([texts[i]!], i % 2 === 0 ? 'query' : 'document'))
      expect(alone.each[0], texts[i]!.slice(0, 80)).toBe(together.each[i])
    }
    const shuffled = hashVectors(await other.embed(order.map((i) => texts[i]!), 'document')) // biome-ignore format: one line
    expect(shuffled.each).toEqual(order.map((i) => together.each[i]))
    await other.close()
  })

  test('[D4] vectors come close to those of the published weights in plain arithmetic', async () => {
    const tensors = readSafetensors(readFileSync(join(publishedMinilm, 'model.fp16.safetensors')))
    const { vocab } = JSON.parse(readFileSync(join(publishedMinilm, 'tokenizer.json'), 'utf8')).model
    const words: string[] = []
    for (const [word, row] of Object.entries<number>(vocab)) words[row] = word
    const tokenize = createTokenizer(words, true)
    const known = new Map<string, Float32Array>()
    const get = (name: string) => {
      const values = known.get(name) ?? tensors.get(name, ...tensors.shapeOf(name)!)
      known.set(name, values)
      return values
    }
    const shape = { size: 384, inner: 1536, layers: 6, heads: 12, pooling: 'mean' } as const
    const asked = ['How do I reset it?', '北京 naïveté!', 'a\u0301\ud800 #1']
    const vectors = await embedder.embed(asked, 'query')
    const cosines = asked.map((text, i) => cosine(vectors[i]!, plainVector(get, tokenize(text, 256), shape)))
    // The table of words has 4 bits a value, which is nearly all of the difference.
    expect(Math.min(...cosines)).toBeGreaterThan(0.985)
    expect(cosines.reduce((sum, v) => sum + v, 0) / cosines.length).toBeGreaterThan(0.993)
  })

  describe('keeps the contract of embedders', () =>
    runContract(test, embedderContract, () => minilmEmbedder({ model })))

  test('[D4] a store of a file finds texts in other words, and finds them again when it is opened again', async () => {
    const path = join(folder, 'store.sqlite')
    const first = await openRecall({ path, embedder })
    await first.put([
      { id: 'reset', body: 'To choose new login credentials, open the account page.' },
      { id: 'pie', body: 'The apple pie needs an hour in the oven.' },
    ])
    const question = { text: 'forgotten password', minEvidence: 'none' } as const
    const { hits } = await first.recall({ text: question.text })
    expect(hits[0]?.id).toBe('reset')
    await first.close()
    const again = await openRecall({ path, embedder: minilmEmbedder({ model }) })
    expect((await again.recall({ text: question.text })).hits.map(({ id }) => id)).toEqual(hits.map(({ id }) => id))
    expect((await again.status()).degraded).toEqual([])
    await again.close()
  })

  test('a question waits for some milliseconds while records are embedded, and an abort ends a call', async () => {
    const long = Array.from({ length: 30 }, (_, i) => `${i} ${'the jay remembers where it hid an acorn '.repeat(30)}`)
    const order: string[] = []
    const abort = new AbortController()
    const records = embedder.embed(long, 'document', { signal: abort.signal }).then(
      () => order.push('records'),
      ({ code }) => order.push(code),
    )
    await embedder.embed(['where is the acorn'], 'query')
    order.push('question')
    abort.abort()
    await records
    expect(order).toEqual(['question', 'ABORTED'])
  })

  test('a file that is missing, or another one, is refused by name; the next call tries again', async () => {
    const missing = minilmEmbedder({ model: new URL('missing.bin', model) })
    for (let i = 0; i < 2; i++)
      await expect(missing.embed(['text'], 'document')).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'embedder.model',
      })
    const other = minilmEmbedder({ model: pathToFileURL(join(minilmFolder, 'model.json')) })
    await expect(other.load()).rejects.toThrow(/SHA-256 begins with/)
    const wrong = minilmEmbedder({ model, sha256: ownModel.sha256, dimensions: 768 })
    await expect(wrong.load()).rejects.toMatchObject({ field: 'embedder.dimensions' })
    await missing.close()
    await expect(missing.embed(['text'], 'document')).rejects.toMatchObject({ code: 'CLOSED' })
  })
})

describe('options', () => {
  test.each<[string, MinilmOptions]>([
    ['model', { model: '/minilm.bin' as never }],
    ['model', { sha256: 'a'.repeat(64), dimensions: 384 }],
    ['sha256', { model: new URL('file:///m.bin'), dimensions: 384 }],
    ['sha256', { model: new URL('file:///m.bin'), sha256: 'A'.repeat(64), dimensions: 384 }],
    ['dimensions', { model: new URL('file:///m.bin'), sha256: 'a'.repeat(64) }],
    ['dimensions', { model: new URL('file:///m.bin'), sha256: 'a'.repeat(64), dimensions: 128 }],
  ])('a wrong %s is refused at once', (field, options) => {
    expect(() => minilmEmbedder(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field: `embedder.${field}` }),
    )
  })

  test('the space is named after the file', () => {
    const { space } = minilmEmbedder({ model: new URL('file:///m.bin'), sha256: 'ab'.repeat(32), dimensions: 512 })
    expect(space).toBe('minilm:abababababababab.1')
    expect(minilmEmbedder().space).toBe(`minilm:${ownModel.sha256.slice(0, 16)}.1`)
  })

  test('the model of the entry is the model that is built', () => {
    expect(existsSync(join(minilmFolder, 'model.json'))).toBe(true)
    expect(JSON.parse(readFileSync(join(minilmFolder, 'model.json'), 'utf8')).sha256).toBe(ownModel.sha256)
  })
})
