/**
 * Whether a question is still being typed. Only then may its last word be half a word; a word that somebody has ended, by
 * Enter, by a space or by a rest, is meant as it stands.
 */

export type Typed = 'half' | 'whole'

/** ms without a key after which the last word counts as whole. */
const restMs = 600

/** `asked` hears of each change, and once more when a question that could go on has come to rest. */
export function listenToTyping(box: HTMLInputElement, asked: (typed: Typed) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (typed: Typed) => {
    clearTimeout(timer)
    asked(typed)
  }
  box.addEventListener('input', () => {
    const isHalf = /[\p{L}\p{N}]$/u.test(box.value)
    ask(isHalf ? 'half' : 'whole')
    if (!isHalf) return
    const text = box.value
    // A question that came from elsewhere meanwhile is whole.
    timer = setTimeout(() => box.value === text && asked('whole'), restMs)
  })
  box.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    ask('whole')
  })
}

/** What a query takes for it. */
export function prefixOf(typed: Typed): { readonly prefix?: 'last' } {
  return typed === 'half' ? { prefix: 'last' } : {}
}
