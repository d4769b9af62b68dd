/** Makes a row of buttons one tab stop: arrow keys, Home and End move within it. */

/** Returns a function to call after the row was filled again. `selector` names its buttons. */
export function oneTabStop(row: HTMLElement, selector: string): () => void {
  const buttons = () => [...row.querySelectorAll<HTMLElement>(selector)]
  let place = 0
  row.addEventListener('keydown', (event) => {
    const all = buttons()
    const from = all.indexOf(event.target as HTMLElement)
    const to = goals[event.key]?.(from, all.length)
    if (from < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    all[to]?.focus()
  })
  row.addEventListener('focusin', ({ target }) => {
    place = Math.max(0, buttons().indexOf(target as HTMLElement))
    refresh()
  })
  refresh()
  return refresh

  function refresh(): void {
    const all = buttons()
    const stop = Math.min(place, all.length - 1)
    for (const [i, button] of all.entries()) button.tabIndex = i === stop ? 0 : -1
  }
}

const goals: Readonly<Record<string, (from: number, count: number) => number>> = {
  ArrowRight: (from, count) => (from + 1) % count,
  ArrowLeft: (from, count) => (from + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}
