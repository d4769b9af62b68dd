/**
 * Wraps an hnswlib graph of unit vectors. Labels count up and are never reused.
 * Removing a point masks it and zeroes its vector in memory [W3]. A saved graph has links but no vectors: the vectors are
 * in the store and are added again on restore.
 */
import { type Hnswlib, hnswlibFolder, type NativeGraph } from './hnswlib.ts'

/** hnswlib's M: links of a point per layer, twice as many in the bottom layer. All measurements used this value. */
export const graphLinks = 16

/** hnswlib's efConstruction: candidates that a new point is compared with. */
export const graphWidth = 200

/** Seed of hnswlib's random levels: the same points in the same order give the same graph. */
const seed = 100

export interface Graph {
  /** Largest number of points. */
  readonly capacity: number
  /** Points including dead ones; also the next label. */
  count(): number
  dead(): number
  bytes(): number
  /** Adds a unit vector (or zeros) and returns its label. Throws when the graph is full. */
  add(vector: Float32Array): number
  /** Masks a point permanently and zeroes its vector. */
  remove(label: number): void
  /** Labels of at most `width` living points near a unit vector. `width` is also hnswlib's ef. */
  nearest(query: Float32Array, width: number): readonly number[]
  save(): Uint8Array
  /** Bytes that `save` allocates temporarily. */
  savingBytes(): number
  close(): void
}

/** Creates an empty graph. The library instance must not serve another graph. */
export function createGraph(library: Hnswlib, dimensions: number, capacity: number): Graph {
  const native = new library.HierarchicalNSW('ip', dimensions, '')
  native.initIndex(capacity, graphLinks, graphWidth, seed)
  return graphOver(library, native, { dimensions, capacity, count: 0, dead: 0 })
}

export interface SavedGraph {
  readonly saved: Uint8Array
  readonly dimensions: number
  readonly capacity: number
  readonly dead: number
}

/**
 * Restores a saved graph: `put` the vector of every label (zeros for a dead point), then `open`. Throws for bytes in
 * another format. `graph-envelope.ts` checks that the bytes are complete.
 */
export function restoreGraph({ saved, dimensions, capacity, dead }: SavedGraph): {
  readonly count: number
  put(label: number, vector: Float32Array): void
  open(library: Hnswlib): Graph
} {
  const count = checkedCount(saved, dimensions)
  const file = withRoom(saved, dimensions, count)
  return {
    count,
    put: (label, vector) => file.set(bytesOf(vector), headerBytes + label * pointBytes(dimensions) + linkBytes),
    open(library) {
      const native = new library.HierarchicalNSW('ip', dimensions, '')
      library.files.writeFile(path, file, { canOwn: true })
      native.readIndex(fileName, capacity)
      library.files.unlink(path)
      return graphOver(library, native, { dimensions, capacity, count, dead })
    },
  }
}

interface GraphState {
  readonly dimensions: number
  readonly capacity: number
  readonly count: number
  readonly dead: number
}

function graphOver(library: Hnswlib, native: NativeGraph, state: GraphState): Graph {
  const { dimensions, capacity } = state
  const stride = pointBytes(dimensions) / 4
  let { count, dead } = state
  let width = 0
  /** Index of the vector of label 0 in the float memory; null until the first search for it. */
  let firstAt: number | null = null

  return {
    capacity,
    count: () => count,
    dead: () => dead,
    bytes: () => library.HEAPF32.byteLength,
    add(vector) {
      native.addPoint(vector, count, false)
      return count++
    },
    remove(label) {
      erase(label)
      native.markDelete(label)
      dead++
    },
    nearest(query, ef) {
      const most = Math.min(ef, count - dead)
      if (most <= 0) return []
      if (width !== ef) native.setEfSearch(ef)
      width = ef
      return native.searchKnn(query, most, undefined).neighbors
    },
    save() {
      native.writeIndex(fileName)
      const bytes = withoutVectors(library.files.readFile(path), dimensions)
      library.files.unlink(path)
      return bytes
    },
    savingBytes: () => 2 * count * pointBytes(dimensions),
    close: () => native.delete(),
  }

  /** The bottom layer stores its points in the order of their labels, each with its label after its vector. */
  function erase(label: number): void {
    firstAt ??= findFirst(label)
    const at = firstAt + label * stride
    if (library.HEAPU32[at + dimensions] !== label) throw misplaced(label)
    library.HEAPF32.fill(0, at, at + dimensions)
  }

  /**
   * Finds the address of the points by content, once: hnswlib does not expose it. It searches for another point than the
   * removed one if possible, because getPoint leaves a copy of the vector in free memory. It starts with the
   * largest label, because small numbers occur often in memory.
   */
  function findFirst(removed: number): number {
    for (let label = count - 1; label >= 0; label--) {
      if (label === removed && count - dead > 1) continue
      const vector = livingPoint(label)
      const at = vector === null ? -1 : findPoint(label, vector)
      if (at >= 0) return at - label * stride
    }
    throw misplaced(removed)
  }

  function livingPoint(label: number): ArrayLike<number> | null {
    try {
      return native.getPoint(label)
    } catch {
      return null
    }
  }

  function findPoint(label: number, vector: ArrayLike<number>): number {
    const floats = library.HEAPF32
    const leading = Array.from(vector).findIndex((component) => component !== 0)
    if (leading < 0) return -1
    const first = vector[leading]!
    for (let hit = floats.indexOf(first); hit >= 0; hit = floats.indexOf(first, hit + 1)) {
      const at = hit - leading
      if (library.HEAPU32[at + dimensions] !== label) continue
      let same = 0
      while (same < dimensions && floats[at + same] === vector[same]) same++
      if (same === dimensions) return at
    }
    return -1
  }
}

function misplaced(label: number): Error {
  return new Error(`Point ${label} of the graph was not found in the memory of hnswlib.`)
}

const fileName = 'graph'
const path = `${hnswlibFolder}/${fileName}`

/**
 * Layout of hnswlib's file: a header of 56 bytes; the points of the bottom layer, each [links][vector][label u32];
 * the links of the upper layers.
 */
const headerBytes = 56

/** Word offsets in the header: number of points, bytes of a point, offsets of label and vector in a point. */
const header = { count: 2, point: 3, label: 4, vector: 5 } as const

const linkBytes = graphLinks * 2 * 4 + 4

function pointBytes(dimensions: number): number {
  return linkBytes + dimensions * 4 + 4
}

function withoutVectors(file: Uint8Array, dimensions: number): Uint8Array {
  const count = checkedCount(file, dimensions)
  const point = pointBytes(dimensions)
  const pointWithoutVector = linkBytes + 4
  const saved = new Uint8Array(file.length - count * dimensions * 4)
  saved.set(file.subarray(0, headerBytes))
  for (let label = 0; label < count; label++) {
    const [from, to] = [headerBytes + label * point, headerBytes + label * pointWithoutVector]
    saved.set(file.subarray(from, from + linkBytes), to)
    saved.set(file.subarray(from + point - 4, from + point), to + linkBytes)
  }
  saved.set(file.subarray(headerBytes + count * point), headerBytes + count * pointWithoutVector)
  return saved
}

function withRoom(saved: Uint8Array, dimensions: number, count: number): Uint8Array {
  const point = pointBytes(dimensions)
  const pointWithoutVector = linkBytes + 4
  const file = new Uint8Array(saved.length + count * dimensions * 4)
  file.set(saved.subarray(0, headerBytes))
  for (let label = 0; label < count; label++) {
    const [from, to] = [headerBytes + label * pointWithoutVector, headerBytes + label * point]
    file.set(saved.subarray(from, from + linkBytes), to)
    file.set(saved.subarray(from + linkBytes, from + pointWithoutVector), to + point - 4)
  }
  file.set(saved.subarray(headerBytes + count * pointWithoutVector), headerBytes + count * point)
  return file
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

function checkedCount(bytes: Uint8Array, dimensions: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (place: number) => view.getUint32(place * 4, true)
  const point = pointBytes(dimensions)
  const isKnown =
    bytes.length >= headerBytes &&
    word(header.point) === point &&
    word(header.vector) === linkBytes &&
    word(header.label) === point - 4 &&
    headerBytes + word(header.count) * (linkBytes + 4) <= bytes.length
  if (!isKnown) throw new Error('The graph must be in the format of hnswlib 0.8.2.')
  return word(header.count)
}
