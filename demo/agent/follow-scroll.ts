/**
 * Keeps the newest of the conversation in sight while it grows, unless the reader has scrolled up to read; whoever scrolls
 * back to the end is taken along again.
 */
export interface FollowScroll {
  /** Goes to the end and stays there. */
  toEnd(): void
}

/** Pixels from the end that still count as the end. */
const slack = 48

export function followScroll(scroller: HTMLElement, content: HTMLElement): FollowScroll {
  let isAtEnd = true
  let top = 0
  scroller.addEventListener('scroll', () => {
    const isNear = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < slack
    // Only a reader scrolls up. Focus that comes to a button further down is no reason to stay behind.
    isAtEnd = isNear || (isAtEnd && scroller.scrollTop >= top)
    top = scroller.scrollTop
  })
  const observer = new ResizeObserver(() => {
    if (isAtEnd) toEnd()
  })
  // The content grows, and the place for it shrinks when the message box does.
  observer.observe(content)
  observer.observe(scroller)
  return { toEnd }

  function toEnd(): void {
    isAtEnd = true
    scroller.scrollTop = scroller.scrollHeight
  }
}
