/** Selects the values with the highest counts, in a total order: most first, then by code points of the value. */
import type { FacetCount } from '../model/receipts.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'

/** The first `limit` values of that order. Most values are only compared with the last of them. */
export function topCounts(counts: Iterable<FacetCount>, limit: number): readonly FacetCount[] {
  const top: FacetCount[] = []
  for (const entry of counts) {
    if (top.length === limit && compare(top[limit - 1]!, entry) <= 0) continue
    let low = 0
    for (let high = top.length; low < high; ) {
      const middle = (low + high) >>> 1
      if (compare(top[middle]!, entry) <= 0) low = middle + 1
      else high = middle
    }
    top.splice(low, 0, entry)
    if (top.length > limit) top.pop()
  }
  return top
}

/** The number 1 comes before the text "1", and true before "true". */
function compare(a: FacetCount, b: FacetCount): number {
  if (a.count !== b.count) return b.count - a.count
  return (
    compareCodePoints(String(a.value), String(b.value)) ||
    Number(typeof a.value === 'string') - Number(typeof b.value === 'string')
  )
}
