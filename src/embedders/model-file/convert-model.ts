/**
 * Converts a BERT encoder into one file for scrubjay-minilm: matrices with one scale a row, a table of words with few bits, and the
 * vocabulary. It uses only + − × ÷ and rounding, so every engine writes the same bytes.
 */
import { recallError } from '../../core/model/errors.ts'
import { type Bits, writeModelFile } from './model-file.ts'
import { packCodes, quantiseRows } from './quantise-rows.ts'
import { readConfig, readVocabulary } from './read-description.ts'
import { readSafetensors, type Tensors } from './read-safetensors.ts'

export interface ModelSource {
  /** Bytes of the safetensors file: F16, BF16 or F32. */
  readonly weights: Uint8Array
  /** Text of tokenizer.json. */
  readonly tokenizer: string
  /** Text of config.json. */
  readonly config: string
}

export interface ConvertOptions {
  /** Name of the model, kept in the file. */
  readonly name: string
  /** How token vectors become one vector, as the model was trained. Default `mean`. */
  readonly pooling?: 'mean' | 'cls' | undefined
  /** Highest number of tokens of a text, 8 to 512. Default 256, or fewer if the model has fewer positions. */
  readonly tokens?: number | undefined
  /** Prefixes of texts, as the model was trained. Default: none. */
  readonly prefixes?: { readonly query: string; readonly document: string } | undefined
  /** Bits of a value in the table of words. Default 4. */
  readonly wordBits?: Bits | undefined
  /** Bits of a value in the matrices. Default 8. */
  readonly layerBits?: 6 | 8 | undefined
}

/** Returns the bytes of the file. Throws `INVALID_ARGUMENT` for a model of another family. */
export function convertModel(source: ModelSource, options: ConvertOptions): Uint8Array<ArrayBuffer> {
  const config = readConfig(source.config)
  const { dimensions, inner, layers, heads, positions, epsilon } = config
  const { pooling = 'mean', tokens = Math.min(256, positions), wordBits = 4, layerBits = 8, name } = options
  if (!Number.isInteger(tokens) || tokens < 8 || tokens > Math.min(512, positions)) {
    throw recallError('INVALID_ARGUMENT', `must be an integer from 8 to ${Math.min(512, positions)}`, {
      field: 'tokens',
      value: tokens,
      hint: 'Leave it out, or give the length of the texts that the model was trained with.',
    })
  }
  const { words, rows, lowercase } = readVocabulary(source.tokenizer)
  const tensors = readSafetensors(source.weights)
  const sections = new Map<string, Uint8Array>()
  sections.set('vocabulary', new TextEncoder().encode(words.join('\n')))
  addWords(sections, tensors, rows, dimensions, wordBits)
  addPositions(sections, tensors, tokens, dimensions)
  addNorm(sections, 'norm', tensors, 'embeddings.LayerNorm', dimensions)
  for (let layer = 0; layer < layers; layer++) addLayer(sections, tensors, layer, config, layerBits)
  const { query = '', document = '' } = options.prefixes ?? {}
  return writeModelFile(
    {
      format: 1,
      name,
      dimensions,
      inner,
      layers,
      heads,
      tokens,
      epsilon,
      pooling,
      prefixes: { query, document },
      lowercase,
      words: words.length,
      wordBits,
      layerBits,
    },
    sections,
  )
}

type Sections = Map<string, Uint8Array>

function addWords(sections: Sections, tensors: Tensors, rows: readonly number[], size: number, bits: Bits): void {
  const all = tensors.shapeOf('embeddings.word_embeddings.weight')?.[0] ?? 0
  const table = tensors.get('embeddings.word_embeddings.weight', all, size)
  const kept = new Float32Array(rows.length * size)
  for (const [at, row] of rows.entries()) {
    if (row >= all) {
      throw recallError('INVALID_ARGUMENT', `must have a row for each of the vocabulary's ${rows.length} words`, {
        field: 'weights.embeddings.word_embeddings.weight',
        value: all,
        hint: 'Give the tokenizer.json of this model.',
      })
    }
    kept.set(table.subarray(row * size, (row + 1) * size), at * size)
  }
  addRows(sections, 'words', kept, size, bits)
}

/** Positions hold the one row of token types that texts have, too. */
function addPositions(sections: Sections, tensors: Tensors, tokens: number, size: number): void {
  const all = tensors.shapeOf('embeddings.position_embeddings.weight')?.[0] ?? 0
  const types = tensors.shapeOf('embeddings.token_type_embeddings.weight')?.[0] ?? 0
  const positions = tensors.get('embeddings.position_embeddings.weight', all, size).slice(0, tokens * size)
  const type = tensors.get('embeddings.token_type_embeddings.weight', types, size)
  for (let i = 0; i < positions.length; i++) positions[i] = positions[i]! + type[i % size]!
  addRows(sections, 'positions', positions, size, 8)
}

function addRows(sections: Sections, name: string, values: Float32Array, length: number, bits: Bits): void {
  const { codes, scales } = quantiseRows(values, length, bits)
  sections.set(`${name}.codes`, packCodes(codes, bits))
  sections.set(`${name}.scales`, bytesOf(scales))
}

function addNorm(sections: Sections, name: string, tensors: Tensors, from: string, size: number): void {
  sections.set(`${name}.weight`, bytesOf(tensors.get(`${from}.weight`, size)))
  sections.set(`${name}.bias`, bytesOf(tensors.get(`${from}.bias`, size)))
}

function addLayer(
  sections: Sections,
  tensors: Tensors,
  layer: number,
  { dimensions: size, inner, heads }: ReturnType<typeof readConfig>,
  bits: Bits,
): void {
  const from = `encoder.layer.${layer}`
  const linear = (name: string, outputs: number, inputs: number, factor = 1): Linear => ({
    weight: tensors.get(`${from}.${name}.weight`, outputs, inputs),
    bias: tensors.get(`${from}.${name}.bias`, outputs),
    factor,
  })
  const parts = [
    // The scale of the attention is in the queries.
    linear('attention.self.query', size, size, 1 / Math.sqrt(size / heads)),
    linear('attention.self.key', size, size),
    linear('attention.self.value', size, size),
  ]
  addLinear(sections, `${layer}.qkv`, parts, size, bits)
  addLinear(sections, `${layer}.out`, [linear('attention.output.dense', size, size)], size, bits)
  addNorm(sections, `${layer}.norm1`, tensors, `${from}.attention.output.LayerNorm`, size)
  addLinear(sections, `${layer}.up`, [linear('intermediate.dense', inner, size)], size, bits)
  addLinear(sections, `${layer}.down`, [linear('output.dense', size, inner)], inner, bits)
  addNorm(sections, `${layer}.norm2`, tensors, `${from}.output.LayerNorm`, size)
}

interface Linear {
  readonly weight: Float32Array
  readonly bias: Float32Array
  readonly factor: number
}

/** The order in which the kernel reads them: four rows at a time, eight values of each. */
function addLinear(sections: Sections, name: string, parts: readonly Linear[], length: number, bits: Bits): void {
  const rows = parts.reduce((sum, { bias }) => sum + bias.length, 0)
  const panels = new Int8Array(rows * length)
  const scales = new Float32Array(rows)
  const biases = new Float32Array(rows)
  let first = 0
  for (const { weight, bias, factor } of parts) {
    const quantised = quantiseRows(weight, length, bits)
    for (let own = 0; own < bias.length; own++) {
      const row = first + own
      scales[row] = quantised.scales[own]! * factor
      biases[row] = bias[own]! * factor
      const panel = (row >> 2) * 4 * length + (row & 3) * 8
      for (let k = 0; k < length; k++) panels[panel + (k >> 3) * 32 + (k & 7)] = quantised.codes[own * length + k]!
    }
    first += bias.length
  }
  sections.set(`${name}.panels`, packCodes(panels, bits))
  sections.set(`${name}.scales`, bytesOf(scales))
  sections.set(`${name}.biases`, bytesOf(biases))
}

/** Little-endian, on every platform. */
function bytesOf(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [i, value] of values.entries()) view.setFloat32(4 * i, value, true)
  return bytes
}
