/** A set of integer keys. Intersects with an ascending list of keys at the cost of the smaller of the two. */

export interface KeySet {
  /** Ascending. */
  readonly keys: Uint32Array
  /** One bit per key, in words of 32. Keys beyond the end are not in the set. */
  readonly bits: Uint32Array
}

export function holdsKey({ bits }: KeySet, key: number): boolean {
  return (((bits[key >>> 5] ?? 0) >>> (key & 31)) & 1) === 1
}

/** The set of these keys (ascending). `size` is larger than every key. */
export function keySetOf(keys: Uint32Array, size: number): KeySet {
  const bits = new Uint32Array((size >> 5) + 1)
  for (const key of keys) bits[key >> 5] = bits[key >> 5]! | (1 << (key & 31))
  return { keys, bits }
}

/** The keys that are in every list (each ascending). Costs a search in each other list for every key of the shortest. */
export function inAll(lists: readonly Uint32Array[]): Uint32Array {
  const [shortest = new Uint32Array(), ...others] = lists.toSorted((a, b) => a.length - b.length)
  return others.reduce((left, list) => {
    let from = 0
    return left.filter((key) => {
      from = firstNotBelow(list, key, from)
      return list[from] === key
    })
  }, shortest)
}

/** Writes to `places` the indexes in `list` (ascending) of the keys in the set, ascending. Returns their number. */
export function placesOf(list: Uint32Array, set: KeySet, places: Uint32Array): number {
  let count = 0
  if (!isFew(set, list)) {
    const { bits } = set
    for (let i = 0; i < list.length; i++) {
      const key = list[i]!
      // Always writes, and counts only members: this needs no branch.
      places[count] = i
      count += ((bits[key >>> 5] ?? 0) >>> (key & 31)) & 1
    }
    return count
  }
  for (let i = 0, from = 0; i < set.keys.length && from < list.length; i++) {
    const key = set.keys[i]!
    from = firstNotBelow(list, key, from)
    if (list[from] === key) places[count++] = from++
  }
  return count
}

/** Whether the set contains any key of the list (ascending). */
export function meet(list: Uint32Array, set: KeySet): boolean {
  if (!isFew(set, list)) return list.some((key) => holdsKey(set, key))
  let from = 0
  return set.keys.some((key) => {
    from = firstNotBelow(list, key, from)
    return list[from] === key
  })
}

/** Whether the set is so small that searching each key in the list is cheaper than scanning the list. */
function isFew({ keys }: KeySet, list: Uint32Array): boolean {
  return keys.length * lookUpSteps < list.length
}

const lookUpSteps = 16

/** The first index from `from` on whose key is at least `key`: doubling steps, then binary search. */
function firstNotBelow(list: Uint32Array, key: number, from: number): number {
  let step = 1
  let low = from
  while (low + step <= list.length && list[low + step - 1]! < key) {
    low += step
    step *= 2
  }
  let high = Math.min(list.length, low + step - 1)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}
