/**
 * The best `depth` of many by (score, id), both descending: a heap over the scores, ids read only for the ties at the cut.
 * The answer does not depend on the order in which the keys come (law D3).
 */
import { compareCodePoints } from '../text/order.ts'

/** Keys of the best, score descending, ids descending among equals at the cut; order among the rest means nothing. */
export function selectTop(
  keys: ArrayLike<number>,
  scoreOf: (key: number) => number,
  depth: number,
  idOf: (key: number) => string,
): number[] {
  if (keys.length <= depth) return Array.from(keys)
  const cut = cutOf(keys, scoreOf, depth)
  const above: number[] = []
  const tied: number[] = []
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number
    const score = scoreOf(key)
    if (score > cut) above.push(key)
    else if (score === cut) tied.push(key)
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

/** The `depth`-th largest score, by a min-heap of that size. */
function cutOf(keys: ArrayLike<number>, scoreOf: (key: number) => number, depth: number): number {
  const heap = new Float64Array(depth)
  for (let i = 0; i < depth; i++) heap[i] = scoreOf(keys[i] as number)
  heap.sort()
  for (let i = depth; i < keys.length; i++) {
    const score = scoreOf(keys[i] as number)
    if (score > (heap[0] as number)) replaceSmallest(heap, score)
  }
  return heap[0] as number
}

function replaceSmallest(heap: Float64Array, score: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++
    if ((heap[child] as number) >= score) break
    heap[at] = heap[child] as number
    at = child
  }
  heap[at] = score
}
