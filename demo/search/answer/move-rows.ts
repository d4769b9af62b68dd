/**
 * Lets rows glide from where they stood to where they stand, so that the eye keeps them when their order changes. Only
 * what is drawn moves, never the layout; who asks for less motion gets none.
 */

const glideMs = 320

/** `replace` exchanges the rows; each is known by the `data-id` of the card within it. */
export function moveRows(place: HTMLElement, replace: () => void): void {
  const from = topsOf(place)
  replace()
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const [id, { row, top }] of topsOf(place)) {
    const was = from.get(id)?.top
    const frames =
      was === undefined
        ? [{ opacity: 0 }, { opacity: 1 }]
        : [{ transform: `translateY(${was - top}px)` }, { transform: 'none' }]
    if (was !== top) row.animate(frames, { duration: glideMs, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' })
  }
}

function topsOf(place: HTMLElement): ReadonlyMap<string, { readonly row: Element; readonly top: number }> {
  const origin = place.getBoundingClientRect().top
  return new Map(
    [...place.children].flatMap((row) => {
      const id = row.querySelector<HTMLElement>('[data-id]')?.dataset['id']
      return id === undefined ? [] : [[id, { row, top: row.getBoundingClientRect().top - origin }]]
    }),
  )
}
