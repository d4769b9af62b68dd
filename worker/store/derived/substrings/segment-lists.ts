/**
 * Stores lists of numbers by record: three texts and the paths of each, consecutively in one growing array, records by ascending
 * key. The numbers of a removed record are zeroed at once; `compact` reclaims their space.
 */

/** Index of the list of paths. The lists before it hold the segments of the texts. */
export const pathList = 3
export const listCount = 4

export interface SegmentLists {
  /** Starts a record, whose key must be larger than all before. `push` and `endList` follow, once for each list. */
  start(key: number): void
  push(segment: number): void
  endList(): void
  /** Visits the numbers of a record's lists, then removes them. Skips unknown keys. */
  remove(key: number, visit: (list: number, segment: number) => void): void
  /** The arrays themselves, valid until the next write. */
  view(): SegmentListsView
  /** Numbers of removed records (`waste`) and of the others (`used`). */
  counts(): { readonly waste: number; readonly used: number }
  /** Drops removed records and renumbers all others. */
  compact(renumber: (list: number, segment: number) => number): void
  bytes(): number
}

export interface SegmentListsView {
  /** Number of records, removed ones included. */
  readonly count: number
  readonly keys: Uint32Array
  /** 1 for records that are not removed. */
  readonly alive: Uint8Array
  readonly segments: Int32Array
  /** List `l` of record `r` is segments[bounds[4r + l], bounds[4r + l + 1]). */
  readonly bounds: Uint32Array
}

export function createSegmentLists(): SegmentLists {
  let keys = new Uint32Array(1024)
  let alive = new Uint8Array(1024)
  let bounds = new Uint32Array(1024 * listCount + 1)
  let segments = new Int32Array(16 * 1024)
  let count = 0
  let used = 0
  let ended = 0
  let waste = 0

  const find = (key: number) => {
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (keys[middle]! <= key) low = middle
      else high = middle - 1
    }
    return keys[low] === key && alive[low] === 1 ? low : -1
  }

  return {
    start(key) {
      if (count + 1 > keys.length) {
        keys = doubled(keys, Uint32Array, keys.length * 2)
        alive = doubled(alive, Uint8Array, keys.length)
        bounds = doubled(bounds, Uint32Array, keys.length * listCount + 1)
      }
      keys[count] = key
      alive[count] = 1
      count++
    },
    push(segment) {
      if (used === segments.length) segments = doubled(segments, Int32Array, used * 2)
      segments[used++] = segment
    },
    endList() {
      bounds[++ended] = used
    },
    remove(key, visit) {
      const record = find(key)
      if (record === -1) return
      alive[record] = 0
      for (let list = 0; list < listCount; list++) {
        const [from, to] = [bounds[record * listCount + list]!, bounds[record * listCount + list + 1]!]
        for (let at = from; at < to; at++) visit(list, segments[at]!)
        segments.fill(0, from, to)
        waste += to - from
      }
    },
    view: () => ({ count, keys, alive, segments, bounds }),
    counts: () => ({ waste, used: used - waste }),
    compact(renumber) {
      let newCount = 0
      let end = 0
      let listEnds = 0
      for (let record = 0; record < count; record++) {
        if (alive[record] === 0) continue
        keys[newCount++] = keys[record]!
        for (let list = 0; list < listCount; list++) {
          const [from, to] = [bounds[record * listCount + list]!, bounds[record * listCount + list + 1]!]
          for (let at = from; at < to; at++) segments[end++] = renumber(list, segments[at]!)
          bounds[++listEnds] = end
        }
      }
      segments.fill(0, end)
      alive.fill(1, 0, newCount)
      count = newCount
      used = end
      ended = listEnds
      waste = 0
    },
    bytes: () => keys.byteLength + alive.byteLength + bounds.byteLength + segments.byteLength,
  }
}

type Numbers = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

/** Zeroes the old array, which may stay in memory for long and encodes texts. */
function doubled<T extends Numbers>(array: T, make: new (length: number) => T, length: number): T {
  const larger = new make(length)
  larger.set(array)
  array.fill(0)
  return larger
}
