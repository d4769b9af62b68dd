/** Handles keys: `/`, Ctrl+K and ⌘K go to the search box, arrows move between box and hits, Escape clears the box. */

/** `cleared` is called after Escape emptied the box, `reveal` before a key moves the focus to the box, which may be out of sight. */
export function listenToKeys(query: HTMLInputElement, cleared: () => void, reveal: () => void): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || isDialogOpen()) return
    const { target } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && !event.shiftKey && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      goToBox()
    }
    if (isCommand) return
    if (event.key === '/' && !isTyping(target)) {
      event.preventDefault()
      goToBox()
    } else if (event.key === 'Escape') {
      if (isTyping(target) && target !== query) return
      event.preventDefault()
      query.value = ''
      query.focus()
      cleared()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const from = positionOf(target, query)
      if (from === null) return
      event.preventDefault()
      moveFocus(from, event.key === 'ArrowDown' ? 1 : -1, query)
    }
  })

  function goToBox(): void {
    reveal()
    query.select()
    query.focus()
  }
}

/** −1 in the box, the index of a focused hit, else null: elsewhere the arrow keys keep their usual meaning. */
function positionOf(target: EventTarget | null, query: HTMLInputElement): number | null {
  if (target === query) return -1
  const index = hits().findIndex((hit) => hit === target)
  return index < 0 ? null : index
}

function moveFocus(from: number, step: 1 | -1, query: HTMLInputElement): void {
  const next = from + step
  const goal = next < 0 ? query : hits()[next]
  goal?.focus()
  goal?.scrollIntoView({ block: 'nearest' })
}

function hits(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.hit')].filter((hit) => hit.checkVisibility?.() ?? true)
}

/** Calls `press` for this key, without Ctrl, ⌘ or Alt, unless the user is typing. */
export function listenToKey(key: string, press: () => void): void {
  document.addEventListener('keydown', (event) => {
    const { target, ctrlKey, metaKey, altKey } = event
    if (event.key !== key || event.defaultPrevented || ctrlKey || metaKey || altKey || isDialogOpen()) return
    // A letter chooses an option of a list, too.
    if (isTyping(target) || target instanceof HTMLSelectElement) return
    event.preventDefault()
    press()
  })
}

/** A dialog has its own keys. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function isTyping(target: EventTarget | null): boolean {
  // A radio button is an input, too, but takes no text.
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'radio')
}
