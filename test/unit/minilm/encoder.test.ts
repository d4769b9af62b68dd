/** [D4] Tests the encoder of scrubjay-minilm with made models of its family: against plain arithmetic, and in every order. */
import { describe, expect, test } from 'vitest'
import { createEncoder, type Encoder } from '../../../minilm/src/encoder.ts'
import { createTokenizer } from '../../../minilm/src/tokenizer/wordpiece.ts'
import { convertModel } from '../../../src/embedders/model-file/convert-model.ts'
import { type MadeShape, madeWords, makeEncoder } from '../../support/minilm/made-encoder.ts'
import { createRandom } from '../../support/data/random.ts'
import { cosine, plainVector } from '../../support/oracles/plain-encoder.ts'

const small: MadeShape = { size: 384, inner: 448, layers: 2, heads: 12 }
const texts = [
  '',
  'jay',
  'The jay hides acorns in autumn.',
  '記憶 of the Jays',
  'a!b?c#d-e;f',
  'acorn '.repeat(21),
  'memory of the jay: '.repeat(3),
  '\ud800\0\u200b',
] as const

function vectorOf(encoder: Encoder, text: string, role: 'query' | 'document' = 'document'): Float32Array {
  const steps = encoder.encode(text, role)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

describe('[D4] vectors come close to those of plain arithmetic', () => {
  test.each<[string, MadeShape, 'mean' | 'cls', 6 | 8]>([
    ['heads of 32, mean', small, 'mean', 8],
    ['heads of 32, first token, half precision', { ...small, type: 'F16' }, 'cls', 8],
    ['heads of 64, mean', { size: 768, inner: 768, layers: 1, heads: 12, type: 'BF16', prefixed: true }, 'mean', 8],
    ['576 dimensions, one layer of 6 bits', { size: 576, inner: 640, layers: 1, heads: 9 }, 'cls', 6],
  ])('%s', (_name, shape, pooling, layerBits) => {
    const made = makeEncoder(shape)
    const encoder = createEncoder(convertModel(made, { name: 'made', pooling, wordBits: 8, layerBits }).buffer)
    expect(encoder.dimensions).toBe(shape.size)
    const tokenize = createTokenizer(madeWords, true)
    for (const text of texts) {
      const plain = plainVector((name) => made.tensors.get(name)!, tokenize(text, 64), { ...shape, pooling })
      const vector = vectorOf(encoder, text)
      expect(vector.every(Number.isFinite), text).toBe(true)
      expect(Math.abs(Math.hypot(...vector) - 1), text).toBeLessThan(1e-5)
      expect(cosine(vector, plain), text).toBeGreaterThan(layerBits === 8 ? 0.999 : 0.995)
    }
    // Control: other texts have other vectors.
    expect(cosine(vectorOf(encoder, texts[2]), vectorOf(encoder, texts[6]))).toBeLessThan(0.995)
  })
})

describe('[D4] a vector depends on its text alone', () => {
  const made = makeEncoder(small)
  const file = convertModel(made, { name: 'made' })
  const alone = texts.map((text) => hexOf(vectorOf(createEncoder(file.slice().buffer), text)))

  test('not on the texts before', () => {
    const encoder = createEncoder(file.slice().buffer)
    const random = createRandom(7)
    for (let round = 0; round < 3; round++) {
      for (const i of random.shuffled(texts.map((_, i) => i)))
        expect(hexOf(vectorOf(encoder, texts[i]!, random.pick(['query', 'document']))), texts[i]).toBe(alone[i])
    }
  })

  test('not on a question between its steps, nor on a text that was left', () => {
    const encoder = createEncoder(file.slice().buffer)
    encoder.encode(texts[5], 'document').next()
    const steps = encoder.encode(texts[6], 'document')
    steps.next()
    expect(hexOf(vectorOf(encoder, texts[2], 'query'))).toBe(alone[2])
    for (;;) {
      const { done, value } = steps.next()
      if (done !== true) continue
      expect(hexOf(value)).toBe(alone[6])
      break
    }
  })

  test('and on the prefix of its role', () => {
    const prefixes = { query: 'the ', document: 'in ' }
    const encoder = createEncoder(convertModel(made, { name: 'made', prefixes }).buffer)
    const plain = createEncoder(file.slice().buffer)
    expect(hexOf(vectorOf(encoder, 'acorns', 'query'))).toBe(hexOf(vectorOf(plain, 'the acorns')))
    expect(hexOf(vectorOf(encoder, 'acorns', 'document'))).toBe(hexOf(vectorOf(plain, 'in acorns')))
  })

  test('of a long text, on what the model reads', () => {
    const encoder = createEncoder(convertModel(made, { name: 'made', tokens: 9 }).buffer)
    const start = 'jay acorn in the autumn memory jay'
    expect(hexOf(vectorOf(encoder, `${start} acorn acorn`))).toBe(
      hexOf(vectorOf(encoder, `${start} the rest is not read`)),
    )
    expect(hexOf(vectorOf(encoder, `acorn ${start}`))).not.toBe(hexOf(vectorOf(encoder, start)))
  })
})

function hexOf(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('hex')
}
