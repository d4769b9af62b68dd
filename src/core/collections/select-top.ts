/**
 * Selects the best `depth` keys by (score, id), both descending: a heap over the scores; ids are read only for ties at the cut.
 * The result does not depend on the order of the keys [D3].
 */
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** The best keys. Of equal scores at the cut, those with the larger ids. The order of the result has no meaning. */
export function selectTop(
  keys: ArrayLike<number>,
  scoreOf: (key: number) => number,
  depth: number,
  idOf: (key: number) => string,
): number[] {
  if (keys.length <= depth) return Array.from(keys)
  const scores = new Float64Array(keys.length)
  for (let i = 0; i < keys.length; i++) scores[i] = scoreOf(keys[i]!)
  const cut = kthLargest(scores, depth)
  const above: number[] = []
  const tied: number[] = []
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (scores[i]! > cut) above.push(key)
    else if (scores[i] === cut) tied.push(key)
  }
  return above.concat(fillByIds(tied, depth - above.length, idOf))
}

/** The `count` keys with the largest ids. */
export function fillByIds(keys: readonly number[], count: number, idOf: (key: number) => string): number[] {
  if (keys.length <= count) return [...keys]
  return keys
    .map((key) => ({ key, id: idOf(key) }))
    .sort((a, b) => compareCodePoints(b.id, a.id))
    .slice(0, count)
    .map((entry) => entry.key)
}

/** The k-th largest value, by a min-heap of size k; −Infinity if there are at most k values, because then all count. */
export function kthLargest(values: Float64Array, k: number): number {
  if (values.length <= k) return Number.NEGATIVE_INFINITY
  const heap = values.slice(0, k).sort()
  for (let i = k; i < values.length; i++) {
    if (values[i]! > heap[0]!) replaceSmallest(heap, values[i]!)
  }
  return heap[0]!
}

function replaceSmallest(heap: Float64Array, score: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
    if (heap[child]! >= score) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = score
}
