/**
 * Runs a converted encoder: the same bytes in every engine, for a text alone or among others. One instance serves one thread, and one text
 * of each role at a time.
 */
import { type ModelFile, readModelFile } from '../../src/embedders/model-file/model-file.ts'
import { loadKernel } from '../kernel/load-kernel.ts'
import { planMemory, type TextRows } from './plan-memory.ts'
import { createTokenizer } from './tokenizer/wordpiece.ts'

export interface Encoder {
  readonly dimensions: number
  /** Bytes of its memory. */
  readonly bytes: number
  /**
   * Makes the vector of a text in steps of at most a few ms, between which other work may run; `next` runs one step. The steps of one text
   * must end, or be left, before another text of its role begins.
   */
  encode(text: string, role: 'query' | 'document'): Generator<undefined, Float32Array<ArrayBuffer>>
}

/** Reads a file of `convertModel`. Throws `INVALID_CONFIG` for other bytes. */
export function createEncoder(bytes: ArrayBuffer): Encoder {
  const file = readModelFile(bytes)
  const { header } = file
  const tokenize = createTokenizer(vocabularyOf(file), header.lowercase)
  const kernel = loadKernel()
  const plan = planMemory(file, kernel)
  return {
    dimensions: header.dimensions,
    bytes: kernel.memory.buffer.byteLength,
    encode: (text, role) => run(tokenize(`${header.prefixes[role]}${text}`, header.tokens), plan.texts[role]),
  }

  function* run(tokens: readonly number[], rowsOf: TextRows): Generator<undefined, Float32Array<ArrayBuffer>> {
    const { dimensions: size, inner, heads, wordBits, epsilon, pooling } = header
    const { ids, x, qkv, mixed, wide, codes, scales, scratch, result } = rowsOf
    const { words, positions, norm } = plan
    const count = tokens.length
    // Rows are worked on in pairs. A last odd one is computed from zeros, and no token looks at it.
    const rows = count + (count & 1)
    new Int32Array(kernel.memory.buffer, ids, count).set(tokens)
    kernel.gather(ids, count, words.codes, words.scales, wordBits, positions.codes, positions.scales, size, x)
    new Float32Array(kernel.memory.buffer, x + count * size * 4, (rows - count) * size).fill(0)
    kernel.norm(x, 0, norm.weight, norm.bias, rows, size, epsilon)
    for (const { qkv: ask, out, up, down, norm1, norm2 } of plan.layers) {
      kernel.quantise(x, rows, size, topOf(size), codes, scales)
      kernel.linear(codes, scales, rows, size, ask.panels, ask.scales, ask.biases, 3 * size, qkv)
      yield
      kernel.attend(qkv, count, rows, size, size / heads, scratch, mixed)
      kernel.quantise(mixed, rows, size, topOf(size), codes, scales)
      kernel.linear(codes, scales, rows, size, out.panels, out.scales, out.biases, size, mixed)
      kernel.norm(x, mixed, norm1.weight, norm1.bias, rows, size, epsilon)
      yield
      kernel.quantise(x, rows, size, topOf(size), codes, scales)
      kernel.linear(codes, scales, rows, size, up.panels, up.scales, up.biases, inner, wide)
      yield
      kernel.gelu(wide, rows * inner)
      kernel.quantise(wide, rows, inner, topOf(inner), codes, scales)
      kernel.linear(codes, scales, rows, inner, down.panels, down.scales, down.biases, size, mixed)
      kernel.norm(x, mixed, norm2.weight, norm2.bias, rows, size, epsilon)
      yield
    }
    kernel.pool(x, pooling === 'cls' ? 1 : count, size, result)
    return new Float32Array(kernel.memory.buffer, result, size).slice()
  }
}

/** The largest code of an activation: 127 · top · length stays below 2^31. */
function topOf(length: number): number {
  return Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * length)))
}

function vocabularyOf({ header, body }: ModelFile): readonly string[] {
  const [from, length] = header.sections['vocabulary']!
  return new TextDecoder().decode(body.subarray(from, from + length)).split('\n')
}
