/** Encoders of the BERT family with random weights from a seed, as the files that models are published in. */
import { createRandom } from '../data/random.ts'

export interface MadeShape {
  readonly size: number
  readonly inner: number
  readonly layers: number
  readonly heads: number
  readonly type?: 'F32' | 'F16' | 'BF16'
  /** Names of tensors begin with `bert.`. */
  readonly prefixed?: boolean
  readonly lowercase?: boolean
}

export interface MadeEncoder {
  readonly weights: Uint8Array
  readonly tokenizer: string
  readonly config: string
  /** The values as they are in the file. */
  readonly tensors: ReadonlyMap<string, Float32Array>
}

// biome-ignore format: one list
export const madeWords = [
  '[PAD]', '[unused0]', '[UNK]', '[CLS]', '[SEP]', '[MASK]',
  ...'abcdefghijklmnopqrstuvwxyz0123456789.,:;!?-#'.split(''),
  ...'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => `##${letter}`),
  'jay', 'acorn', 'acorns', 'hide', 'the', 'in', 'autumn', '##ing', 'memory', '記', '憶', 'Jay',
]

const positions = 64

export function makeEncoder({
  size,
  inner,
  layers,
  heads,
  type = 'F32',
  prefixed = false,
  lowercase = true,
}: MadeShape) {
  const random = createRandom(size + layers)
  const tensors = new Map<string, Float32Array>()
  const entries: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  const parts: Uint8Array[] = []
  let end = 0
  const add = (name: string, shape: readonly number[], spread: number, middle = 0) => {
    const count = shape.reduce((product, n) => product * n, 1)
    const bytes = new Uint8Array(count * (type === 'F32' ? 4 : 2))
    const view = new DataView(bytes.buffer)
    const values = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const value = middle + (random.next() + random.next() + random.next() - 1.5) * spread
      values[i] = write(view, i, value)
    }
    tensors.set(name, values)
    entries[prefixed ? `bert.${name}` : name] = { dtype: type, shape, data_offsets: [end, end + bytes.length] }
    parts.push(bytes)
    end += bytes.length
  }
  const write = (view: DataView, i: number, value: number): number => {
    if (type === 'F32') {
      view.setFloat32(4 * i, value, true)
      return Math.fround(value)
    }
    // Few bits, so that both short types hold the value exactly: sixteenths of a power of two.
    const exponent = Math.max(-10, Math.floor(Math.log2(Math.abs(value) || 1e-9)))
    const sixteenths = Math.min(15, Math.floor((Math.abs(value) / 2 ** exponent - 1) * 16))
    const exact = Math.sign(value) * (1 + Math.max(0, sixteenths) / 16) * 2 ** exponent
    const shared = new DataView(new ArrayBuffer(4))
    shared.setFloat32(0, exact)
    const bits = shared.getUint32(0)
    const half = ((bits >>> 16) & 0x8000) | ((((bits >>> 23) & 255) - 112) << 10) | ((bits >>> 13) & 1023)
    view.setUint16(2 * i, type === 'BF16' ? bits >>> 16 : half, true)
    return exact
  }
  const norm = (name: string) => {
    add(`${name}.weight`, [size], 0.2, 1)
    add(`${name}.bias`, [size], 0.1)
  }
  const dense = (name: string, outputs: number, inputs: number) => {
    add(`${name}.weight`, [outputs, inputs], 0.12)
    add(`${name}.bias`, [outputs], 0.1)
  }
  add('embeddings.word_embeddings.weight', [madeWords.length, size], 0.2)
  add('embeddings.position_embeddings.weight', [positions, size], 0.05)
  add('embeddings.token_type_embeddings.weight', [2, size], 0.05)
  norm('embeddings.LayerNorm')
  for (let layer = 0; layer < layers; layer++) {
    const from = `encoder.layer.${layer}`
    for (const part of ['query', 'key', 'value']) dense(`${from}.attention.self.${part}`, size, size)
    dense(`${from}.attention.output.dense`, size, size)
    norm(`${from}.attention.output.LayerNorm`)
    dense(`${from}.intermediate.dense`, inner, size)
    dense(`${from}.output.dense`, size, inner)
    norm(`${from}.output.LayerNorm`)
  }
  const head = new TextEncoder().encode(JSON.stringify(entries))
  const weights = new Uint8Array(8 + head.length + end)
  new DataView(weights.buffer).setBigUint64(0, BigInt(head.length), true)
  weights.set(head, 8)
  let at = 8 + head.length
  for (const part of parts) {
    weights.set(part, at)
    at += part.length
  }
  const vocab = Object.fromEntries(madeWords.map((word, row) => [word, row]))
  const normalizer = {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase,
  }
  const config = {
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: size,
    intermediate_size: inner,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    max_position_embeddings: positions,
    layer_norm_eps: 1e-12,
  }
  return {
    weights,
    tokenizer: JSON.stringify({ normalizer, model: { type: 'WordPiece', unk_token: '[UNK]', vocab } }),
    config: JSON.stringify(config),
    tensors,
  } satisfies MadeEncoder
}
