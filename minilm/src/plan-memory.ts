/** Lays out the memory of a kernel: the sections of the file, then the rows of one text. */
import type { ModelFile } from '../../src/embedders/model-file/model-file.ts'
import type { Kernel } from '../kernel/load-kernel.ts'

interface Matrix {
  readonly panels: number
  readonly scales: number
  readonly biases: number
}

interface Rows {
  readonly codes: number
  readonly scales: number
}

interface Norm {
  readonly weight: number
  readonly bias: number
}

interface Layer {
  readonly qkv: Matrix
  readonly out: Matrix
  readonly up: Matrix
  readonly down: Matrix
  readonly norm1: Norm
  readonly norm2: Norm
}

/** All numbers are pointers. */
export interface MemoryPlan {
  readonly words: Rows
  readonly positions: Rows
  readonly norm: Norm
  readonly layers: readonly Layer[]
  /** Of each role its own, so that a question may come between the steps of a record. */
  readonly texts: Readonly<Record<'query' | 'document', TextRows>>
}

/** The rows of one text. */
export interface TextRows {
  readonly ids: number
  readonly x: number
  readonly qkv: number
  readonly mixed: number
  readonly wide: number
  readonly codes: number
  readonly scales: number
  readonly scratch: number
  readonly result: number
}

/** Copies the file into the kernel's memory. */
export function planMemory({ header, body }: ModelFile, kernel: Kernel): MemoryPlan {
  const { dimensions: size, inner, heads, layers, layerBits } = header
  let next = aligned(kernel.freeFrom.value)
  const reserve = (bytes: number) => {
    const from = next
    next = aligned(next + bytes)
    const missing = Math.ceil((next - kernel.memory.buffer.byteLength) / 65_536)
    if (missing > 0) kernel.memory.grow(missing)
    return from
  }
  const memory = () => new Uint8Array(kernel.memory.buffer)
  const copy = (name: string) => {
    const [from, length] = header.sections[name]!
    const place = reserve(length)
    memory().set(body.subarray(from, from + length), place)
    return place
  }
  const norm = (name: string): Norm => ({ weight: copy(`${name}.weight`), bias: copy(`${name}.bias`) })
  const rowsOf = (name: string): Rows => ({ codes: copy(`${name}.codes`), scales: copy(`${name}.scales`) })
  const room = reserve(layerBits === 8 ? 0 : 3 * size * Math.max(size, inner) + 64)
  const panels = (name: string, count: number) => {
    if (layerBits === 8) return copy(name)
    const [from, length] = header.sections[name]!
    const place = reserve(count)
    memory().set(body.subarray(from, from + length), room)
    kernel.unpack(room, count, layerBits, place)
    return place
  }
  const matrix = (name: string, count: number): Matrix => ({
    panels: panels(`${name}.panels`, count),
    scales: copy(`${name}.scales`),
    biases: copy(`${name}.biases`),
  })
  const fixed = {
    words: rowsOf('words'),
    positions: rowsOf('positions'),
    norm: norm('norm'),
    layers: Array.from({ length: layers }, (_, layer) => ({
      qkv: matrix(`${layer}.qkv`, 3 * size * size),
      out: matrix(`${layer}.out`, size * size),
      up: matrix(`${layer}.up`, size * inner),
      down: matrix(`${layer}.down`, size * inner),
      norm1: norm(`${layer}.norm1`),
      norm2: norm(`${layer}.norm2`),
    })),
  }
  const rows = header.tokens + (header.tokens & 1)
  const textRows = (): TextRows => ({
    ids: reserve(rows * 4),
    x: reserve(rows * size * 4),
    qkv: reserve(rows * size * 12),
    mixed: reserve(rows * size * 4),
    wide: reserve(rows * inner * 4),
    codes: reserve(rows * inner * 2),
    scales: reserve(rows * 4),
    scratch: reserve(scratchBytes(rows, size / heads)),
    result: reserve(size * 4),
  })
  return { ...fixed, texts: { query: textRows(), document: textRows() } }
}

/** What `attend` uses: codes of queries, keys and values, their scales, and weights and scores of two tokens. */
function scratchBytes(rows: number, head: number): number {
  const wide = Math.ceil(rows / 8) * 8
  return wide * head * 6 + wide * 8 + head * 4 + wide * 12
}

function aligned(pointer: number): number {
  return Math.ceil(pointer / 64) * 64
}
