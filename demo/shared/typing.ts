/**
 * Detects whether a question is still being typed. Only then may its last word be incomplete. Enter, a space or a pause
 * completes the word.
 */

export type Typed = 'half' | 'whole'

/** ms without a key press after which the last word counts as complete. */
const pauseMs = 600

/** Calls `ask` at each change, and again after a pause if the last word was incomplete. */
export function listenToTyping(box: HTMLInputElement, ask: (typed: Typed) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const askNow = (typed: Typed) => {
    clearTimeout(timer)
    ask(typed)
  }
  box.addEventListener('input', () => {
    const isHalf = /[\p{L}\p{N}]$/u.test(box.value)
    askNow(isHalf ? 'half' : 'whole')
    if (!isHalf) return
    const text = box.value
    // If a program has replaced the text meanwhile, it has asked already.
    timer = setTimeout(() => box.value === text && ask('whole'), pauseMs)
  })
  box.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    askNow('whole')
  })
}

/** The query option for it. */
export function prefixOf(typed: Typed): { readonly prefix?: 'last' } {
  return typed === 'half' ? { prefix: 'last' } : {}
}
