/**
 * A graph of unit vectors that proposes near ones: hnswlib's, with labels that count up and are never given twice.
 * What is removed is masked, and its vector zeroed where it lies [W3]. Saved, it holds links and no vector: those are
 * in the store, and are put back when it is restored.
 */
import { type Hnswlib, hnswlibFolder, type NativeGraph } from './hnswlib.ts'

/** Links of a point in the lower layers' terms (twice as many at the bottom): what the sets it was measured on used. */
export const graphLinks = 16

/** How many candidates a new point is compared with when it is linked. */
export const graphWidth = 200

/** Of hnswlib's levels: the same points in the same order make the same graph. */
const seed = 100

export interface Graph {
  /** Points it has room for. */
  readonly capacity: number
  /** Points, dead ones included: the next label. */
  count(): number
  dead(): number
  bytes(): number
  /** Adds a unit vector (or zeros) and answers its label. Throws when it is full. */
  add(vector: Float32Array): number
  /** Masks a point for good and zeroes its vector. */
  remove(label: number): void
  /** Labels of at most `width` points near a unit vector, none of them dead; `width` is also hnswlib's ef. */
  nearest(query: Float32Array, width: number): readonly number[]
  save(): Uint8Array
  /** Bytes that `save` needs for a while. */
  savingBytes(): number
  close(): void
}

/** An empty one. The instance is for it alone. */
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
 * A saved graph, whose vectors are put back by label (zeros for a dead one) before it is opened. Throws for bytes that
 * `save` did not write; that they are whole is for `graph-envelope.ts` to know.
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
  /** Where the vector of label 0 stands among the floats of the memory; null until it is looked for. */
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
    nearest(query, wanted) {
      const most = Math.min(wanted, count - dead)
      if (most <= 0) return []
      if (width !== wanted) native.setEfSearch(wanted)
      width = wanted
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

  /** The points of the bottom layer lie one after another in the order of their labels, the label behind the vector. */
  function erase(label: number): void {
    firstAt ??= findFirst(label)
    const at = firstAt + label * stride
    if (library.HEAPU32[at + dimensions] !== label) throw misplaced(label)
    library.HEAPF32.fill(0, at, at + dimensions)
  }

  /**
   * Looked for by content, once: hnswlib tells nobody where it keeps its points. By another than the one that is to be
   * forgotten where there is one, since asking for a point leaves a copy of it in free memory; by a late one, since a
   * small label looks like much else.
   */
  function findFirst(unwanted: number): number {
    for (let label = count - 1; label >= 0; label--) {
      if (label === unwanted && count - dead > 1) continue
      const vector = livingPoint(label)
      const at = vector === null ? -1 : findPoint(label, vector)
      if (at >= 0) return at - label * stride
    }
    throw misplaced(unwanted)
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
  return new Error(`Point ${label} must be where hnswlib keeps its points.`)
}

const fileName = 'graph'
const path = `${hnswlibFolder}/${fileName}`

/**
 * hnswlib's file: 56 bytes of header; the bottom layer, a point after another, each [links][vector][label u32];
 * then the links of the layers above.
 */
const headerBytes = 56

/** Places in the header, in words: how many points, bytes of one, where its label and its vector begin. */
const header = { count: 2, point: 3, label: 4, vector: 5 } as const

const linkBytes = graphLinks * 2 * 4 + 4

function pointBytes(dimensions: number): number {
  return linkBytes + dimensions * 4 + 4
}

function withoutVectors(file: Uint8Array, dimensions: number): Uint8Array {
  const count = checkedCount(file, dimensions)
  const point = pointBytes(dimensions)
  const kept = linkBytes + 4
  const saved = new Uint8Array(file.length - count * dimensions * 4)
  saved.set(file.subarray(0, headerBytes))
  for (let label = 0; label < count; label++) {
    const [from, to] = [headerBytes + label * point, headerBytes + label * kept]
    saved.set(file.subarray(from, from + linkBytes), to)
    saved.set(file.subarray(from + point - 4, from + point), to + linkBytes)
  }
  saved.set(file.subarray(headerBytes + count * point), headerBytes + count * kept)
  return saved
}

function withRoom(saved: Uint8Array, dimensions: number, count: number): Uint8Array {
  const point = pointBytes(dimensions)
  const kept = linkBytes + 4
  const file = new Uint8Array(saved.length + count * dimensions * 4)
  file.set(saved.subarray(0, headerBytes))
  for (let label = 0; label < count; label++) {
    const [from, to] = [headerBytes + label * kept, headerBytes + label * point]
    file.set(saved.subarray(from, from + linkBytes), to)
    file.set(saved.subarray(from + linkBytes, from + kept), to + point - 4)
  }
  file.set(saved.subarray(headerBytes + count * kept), headerBytes + count * point)
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
  if (!isKnown) throw new Error('The hnswlib module must write graphs in the known format.')
  return word(header.count)
}
