/**
 * Shows rows in a list, and moves as few as possible of those that are in it already: the browser lays out a row again that is
 * moved, and not one that stays.
 */
export function showRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const wanted = new Set(rows)
  for (const old of list.querySelectorAll<HTMLElement>(':scope > *')) if (!wanted.has(old)) old.remove()
  const placeNow = new Map([...list.children].map((row, place) => [row, place]))
  const staying = longestRising(rows, (row) => placeNow.get(row))
  let next = list.firstElementChild
  for (const row of rows) {
    if (staying.has(row)) {
      while (next !== row) next = next?.nextElementSibling ?? null
      next = row.nextElementSibling
    } else list.insertBefore(row, next)
  }
}

/** The most items whose places rise. Items without a place are left out. */
function longestRising<T>(items: readonly T[], placeOf: (item: T) => number | undefined): ReadonlySet<T> {
  type Chain = { readonly item: T; readonly place: number; readonly before: Chain | undefined }
  /** At each length, the chain that ends lowest. */
  const chains: Chain[] = []
  for (const item of items) {
    const place = placeOf(item)
    if (place === undefined) continue
    const at = chains.findIndex((chain) => chain.place > place)
    const length = at < 0 ? chains.length : at
    chains[length] = { item, place, before: chains[length - 1] }
  }
  const rising = new Set<T>()
  for (let chain = chains.at(-1); chain !== undefined; chain = chain.before) rising.add(chain.item)
  return rising
}
