/**
 * Keeps the end of the conversation in view while it grows, unless the reader has scrolled up. Scrolling back to the end
 * resumes this.
 */
export interface FollowScroll {
  /** Scrolls to the end and stays there. */
  toEnd(): void
}

/** Pixels from the end that still count as the end. */
const slack = 48

export function followScroll(scroller: HTMLElement, content: HTMLElement): FollowScroll {
  let isAtEnd = true
  /** What the reader has opened, until the reader scrolls: its beginning stays in view while it is filled. */
  let opened: HTMLElement | null = null
  let top = 0
  let height = scroller.scrollHeight
  scroller.addEventListener('scroll', () => {
    // The content may have grown after the reader had reached its end, in the same frame.
    const end = Math.min(height, scroller.scrollHeight)
    const isNear = end - scroller.scrollTop - scroller.clientHeight < slack
    // Only a reader scrolls up. Moving the focus to a button may scroll down without reaching the end.
    isAtEnd = opened === null && (isNear || (isAtEnd && scroller.scrollTop >= top))
    top = scroller.scrollTop
    height = scroller.scrollHeight
  })
  const observer = new ResizeObserver(() => {
    height = scroller.scrollHeight
    if (opened !== null) showBeginning(opened)
    else if (isAtEnd) toEnd()
  })
  // The content grows; the scroller changes its height with the message box.
  observer.observe(content)
  observer.observe(scroller)
  for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    scroller.addEventListener(event, () => (opened = null), { passive: true })
  // What a reader opens is read from its beginning.
  content.addEventListener('click', ({ target }) => {
    const summary = target instanceof Element ? target.closest('summary') : null
    const fold = summary?.parentElement
    if (!(fold instanceof HTMLDetailsElement) || fold.open) return
    opened = fold
    fold.addEventListener('toggle', () => showBeginning(fold), { once: true })
  })
  return { toEnd }

  function showBeginning(fold: HTMLElement): void {
    const view = scroller.getBoundingClientRect()
    const part = fold.getBoundingClientRect()
    // On a narrow screen a part of the conversation may be out of the window.
    const fromTop = part.top - Math.max(view.top, 0)
    const hidden = part.bottom - Math.min(view.bottom, innerHeight)
    if (fromTop < 0) scroller.scrollTop += fromTop
    else if (hidden > 0) scroller.scrollTop += Math.min(fromTop, hidden + 8)
    height = scroller.scrollHeight
    isAtEnd = false
  }

  function toEnd(): void {
    isAtEnd = true
    opened = null
    scroller.scrollTop = scroller.scrollHeight
  }
}
