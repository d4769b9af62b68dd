/** The entries of a ranking pass: their layout, and how they are selected and sorted. All parameters named `first`, `last`, `target` are pointers. */

/** An entry: [~key u32][estimate + 2^31 u32][margin u64]; its first eight bytes, read as one number, order entries. */
export const entryBytes: usize = 16

/** Ranges up to this many bytes are sorted by insertion. */
const shortRange: usize = 12 * entryBytes

/** Quickselect: moves the entry of rank `target` to its place, better entries before it. */
export function select(first: usize, last: usize, target: usize): void {
  while (first < last) {
    const end = split(first, last)
    if (target <= end) last = end
    else first = end + entryBytes
  }
}

export function sort(first: usize, last: usize): void {
  while (last > first + shortRange) {
    const end = split(first, last)
    if (end - first < last - end) {
      sort(first, end)
      first = end + entryBytes
    } else {
      sort(end + entryBytes, last)
      last = end
    }
  }
  for (let next = first + entryBytes; next <= last; next += entryBytes) {
    const entry = v128.load(next)
    const code = load<u64>(next)
    let slot = next
    for (; slot > first && load<u64>(slot - entryBytes) < code; slot -= entryBytes) {
      v128.store(slot, v128.load(slot - entryBytes))
    }
    v128.store(slot, entry)
  }
}

/** Hoare partition around the median of three. Returns the end of the better part, which is always before `last`. */
function split(first: usize, last: usize): usize {
  const a = load<u64>(first)
  const b = load<u64>(first + (((last - first) >> 5) << 4))
  const c = load<u64>(last)
  const low = a < b ? a : b
  const high = a < b ? b : a
  const pivot = c < low ? low : c > high ? high : c
  while (load<u64>(first) > pivot) first += entryBytes
  while (load<u64>(last) < pivot) last -= entryBytes
  while (first < last) {
    const entry = v128.load(first)
    v128.store(first, v128.load(last))
    v128.store(last, entry)
    do first += entryBytes
    while (load<u64>(first) > pivot)
    do last -= entryBytes
    while (load<u64>(last) < pivot)
  }
  return last
}

export function estimateAt(entry: usize): i32 {
  return load<u32>(entry, 4) ^ 0x80000000
}

export function placeEntry(entry: usize, key: u32, estimate: i32, margin: u64): void {
  store<u32>(entry, ~key)
  store<u32>(entry, estimate ^ 0x80000000, 4)
  store<u64>(entry, margin, 8)
}
