/** Tests the converter of models: what it writes, and what it refuses. */
import { describe, expect, test } from 'vitest'
import { createEncoder } from '../../../minilm/src/encoder.ts'
import { RecallError } from '../../../src/core/model/errors.ts'
import { convertModel, type ModelSource } from '../../../src/embedders/model-file/convert-model.ts'
import { readModelFile } from '../../../src/embedders/model-file/model-file.ts'
import { packCodes, quantiseRows } from '../../../src/embedders/model-file/quantise-rows.ts'
import { madeWords, makeEncoder } from '../../support/minilm/made-encoder.ts'

const made = makeEncoder({ size: 384, inner: 384, layers: 1, heads: 12 })

describe('the file', () => {
  test('has the same bytes every time, and other ones for other weights', () => {
    const [first, again] = [convertModel(made, { name: 'made' }), convertModel(made, { name: 'made' })]
    expect(Buffer.from(first).equals(Buffer.from(again))).toBe(true)
    const other = makeEncoder({ size: 384, inner: 384, layers: 1, heads: 12, type: 'F16' })
    expect(Buffer.from(first).equals(Buffer.from(convertModel(other, { name: 'made' })))).toBe(false)
  })

  test('holds the words that a text can have, and what the model was trained with', () => {
    const prefixes = { query: 'query: ', document: '' }
    const file = convertModel(made, { name: 'made', pooling: 'cls', tokens: 32, prefixes, wordBits: 6 })
    const { header, body } = readModelFile(file.buffer)
    expect(header).toMatchObject({ name: 'made', pooling: 'cls', tokens: 32, prefixes, wordBits: 6, layerBits: 8 })
    const [from, length] = header.sections['vocabulary']!
    const words = new TextDecoder().decode(body.subarray(from, from + length)).split('\n')
    expect(words).toEqual(madeWords.filter((word) => !['[PAD]', '[unused0]', '[MASK]'].includes(word)))
    expect(header.words).toBe(words.length)
  })

  test('of another beginning, header or length is refused', () => {
    const file = convertModel(made, { name: 'made' })
    const changed = (at: number, byte: number) => {
      const copy = file.slice()
      copy[at] = byte
      return copy.buffer
    }
    for (const bytes of [
      new ArrayBuffer(0),
      file.slice(0, 100).buffer,
      file.slice(0, -64).buffer,
      changed(0, 1),
      changed(8, 1),
    ])
      expect(problemIn(() => createEncoder(bytes))).toMatchObject({ code: 'INVALID_CONFIG', field: 'embedder.model' })
  })
})

describe('codes', () => {
  test.each([4, 6, 8] as const)('of %d bits come back within half a step, or cut at the top', (bits) => {
    const values = Float32Array.from({ length: 256 }, (_, i) => Math.sin(i * i) * (i < 128 ? 1 : 0.01))
    const { codes, scales } = quantiseRows(values, 128, bits)
    const packed = packCodes(codes, bits)
    const middle = bits === 8 ? 0 : 2 ** (bits - 1)
    const top = 2 ** (bits - 1) - 1
    for (const [i, value] of values.entries()) {
      const at = i * bits
      const two = packed[at >> 3]! | ((packed[(at >> 3) + 1] ?? 0) << 8)
      const code = bits === 8 ? (packed[i]! << 24) >> 24 : ((two >> (at & 7)) & (2 ** bits - 1)) - middle
      expect(code).toBe(codes[i])
      const error = Math.abs(code * scales[i >> 7]! - value)
      if (Math.abs(code) < top) expect(error).toBeLessThanOrEqual(scales[i >> 7]! * 0.501)
    }
  })

  test('of a row of zeros are zeros', () => {
    expect(quantiseRows(new Float32Array(64), 64, 4).codes.every((code) => code === 0)).toBe(true)
  })
})

describe('a model of another family is refused, by the field that says so', () => {
  const withConfig = (change: object): ModelSource => ({
    ...made,
    config: JSON.stringify({ ...JSON.parse(made.config), ...change }),
  })
  const withTokenizer = (change: (tokenizer: Record<string, Record<string, unknown>>) => void): ModelSource => {
    const tokenizer = JSON.parse(made.tokenizer)
    change(tokenizer)
    return { ...made, tokenizer: JSON.stringify(tokenizer) }
  }
  test.each<[string, string, ModelSource]>([
    ['not JSON', 'config', { ...made, config: 'no' }],
    ['another type', 'config.model_type', withConfig({ model_type: 'xlm-roberta' })],
    ['another activation', 'config.hidden_act', withConfig({ hidden_act: 'relu' })],
    ['relative positions', 'config.position_embedding_type', withConfig({ position_embedding_type: 'relative_key' })],
    ['too few dimensions', 'config.hidden_size', withConfig({ hidden_size: 128 })],
    ['too many dimensions', 'config.hidden_size', withConfig({ hidden_size: 1024 })],
    ['heads of another width', 'config.num_attention_heads', withConfig({ num_attention_heads: 4 })],
    ['a text as epsilon', 'config.layer_norm_eps', withConfig({ layer_norm_eps: '1e-12' })],
    ['more layers than the weights', 'weights', withConfig({ num_hidden_layers: 2 })],
    ['another width', 'weights.encoder.layer.0.intermediate.dense.weight', withConfig({ intermediate_size: 768 })],
    ['another tokenizer', 'tokenizer.model.type', withTokenizer(({ model }) => (model!['type'] = 'BPE'))],
    ['no vocabulary', 'tokenizer.model.vocab', withTokenizer(({ model }) => delete model!['vocab'])],
    ['no normalizer', 'tokenizer.normalizer.type', withTokenizer((tokenizer) => delete tokenizer['normalizer'])],
    [
      'accents',
      'tokenizer.normalizer.strip_accents',
      withTokenizer(({ normalizer }) => (normalizer!['strip_accents'] = false)),
    ],
    [
      'no [SEP]',
      'tokenizer.model.vocab',
      withTokenizer(({ model }) => delete (model!['vocab'] as Record<string, number>)['[SEP]']),
    ],
    ['cut weights', 'weights.encoder.layer.0.output.LayerNorm.bias', { ...made, weights: made.weights.slice(0, -4) }],
    ['no weights', 'weights', { ...made, weights: new Uint8Array(3) }],
    ['other bytes', 'weights', { ...made, weights: new Uint8Array(300) }],
  ])('%s', (_name, field, source) => {
    expect(problemIn(() => convertModel(source, { name: 'made' }))).toMatchObject({ code: 'INVALID_ARGUMENT', field })
  })

  test.each([7, 65, 8.5])('%d tokens', (tokens) => {
    expect(problemIn(() => convertModel(made, { name: 'made', tokens }))).toMatchObject({ field: 'tokens' })
  })

  test('control: the made model itself is converted', () => {
    expect(problemIn(() => convertModel(made, { name: 'made' }))).toBeNull()
  })
})

function problemIn(run: () => unknown): RecallError | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof RecallError) return error
    throw error
  }
}
