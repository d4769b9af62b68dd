/** Shows rows in a list, and leaves the rows that are in it already, so that the browser lays out only the new ones. */
export function showRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const kept = new Set(rows)
  for (const old of list.querySelectorAll<HTMLElement>(':scope > *')) if (!kept.has(old)) old.remove()
  let next = list.firstElementChild
  for (const row of rows) {
    if (row === next) next = next.nextElementSibling
    else list.insertBefore(row, next)
  }
}
