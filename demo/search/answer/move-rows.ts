/**
 * Animates rows from their previous places to the new ones, so that readers can follow a change of order. Uses transforms
 * only, without layout. Readers who prefer reduced motion see no animation.
 */

const glideMs = 320

/** `replace` exchanges the rows. A row is identified by the `data-id` of its card. */
export function moveRows(place: HTMLElement, replace: () => void): void {
  const from = topsOf(place)
  replace()
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const [id, { row, top }] of topsOf(place)) {
    const previousTop = from.get(id)?.top
    const frames =
      previousTop === undefined
        ? [{ opacity: 0 }, { opacity: 1 }]
        : [{ transform: `translateY(${previousTop - top}px)` }, { transform: 'none' }]
    if (previousTop !== top) row.animate(frames, { duration: glideMs, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' })
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
