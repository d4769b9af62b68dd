/**
 * The search: `/` or Ctrl+K opens it, arrows move through the sections, Enter opens one, Escape closes. Results are links, so
 * they open in new tabs as usual.
 */
import { announce, hidden, make, partById } from '../../../demo/shared/dom.ts'
import { listenToTyping, type Typed } from '../../../demo/shared/typing.ts'
import { resultList, verdict } from './results.ts'
import { siteStore } from './site-store.ts'

const examples = ['how do I install it', 'does it work offline', 'is my data encrypted', 'use it with react']
const reasonsKey = 'scrubjay-site-reasons'

export function setUpSearch(): void {
  const button = partById('open-search')
  let dialog: HTMLDialogElement | undefined
  const open = () => {
    dialog ??= makeDialog()
    if (!dialog.open) dialog.showModal()
    dialog.querySelector('input')?.select()
    void siteStore().catch(() => {})
  }
  button.addEventListener('click', open)
  // The engine loads while the hand is on its way.
  button.addEventListener('pointerenter', () => void siteStore().catch(() => {}), { once: true })
  window.addEventListener('keydown', (event) => {
    const isCtrlK = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    const isSlash = event.key === '/' && !isTyping(event.target)
    if (!isCtrlK && !isSlash) return
    event.preventDefault()
    if (isCtrlK && dialog?.open) dialog.close()
    else open()
  })
}

function makeDialog(): HTMLDialogElement {
  const input = make('input', {
    type: 'search',
    id: 'search-text',
    placeholder: 'Search these pages',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    enterkeyhint: 'search',
    'aria-label': 'Search these pages',
    'aria-controls': 'search-results',
  })
  const state = make('p', { class: 'search-state', id: 'search-state' })
  const results = make('div', { id: 'search-results' })
  const reasons = make('input', { type: 'checkbox', id: 'search-reasons' })
  reasons.checked = isRemembered()
  const close = make('button', { type: 'button', class: 'small', click: () => dialog.close() }, 'Close')
  const form = make('form', { role: 'search' }, input)
  const dialog = make(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    make('div', { class: 'search-head' }, form, close),
    make('div', { class: 'search-body' }, state, results),
    make(
      'div',
      { class: 'search-foot' },
      make('label', {}, reasons, ' Show reasons'),
      make(
        'p',
        { class: 'keys', 'aria-hidden': 'true' },
        make('kbd', {}, '↑'),
        make('kbd', {}, '↓'),
        ' move ',
        make('kbd', {}, 'Enter'),
        ' open ',
        make('kbd', {}, 'Esc'),
        ' close',
      ),
    ),
  )
  document.body.append(dialog)

  let running: AbortController | undefined
  const ask = async (typed: Typed) => {
    running?.abort()
    const mine = new AbortController()
    running = mine
    const text = input.value.trim()
    if (text === '') return showExamples()
    if (results.childElementCount === 0) state.textContent = 'Searching …'
    try {
      const store = await siteStore()
      const result = await store.ask(text, typed, mine.signal)
      if (running !== mine) return
      state.replaceChildren(...verdict(result))
      results.replaceChildren(resultList(result))
      announce(state.textContent ?? '')
    } catch (error) {
      if (running !== mine) return
      results.replaceChildren()
      state.textContent = `The search does not work here. ${error instanceof Error ? error.message : String(error)}`
    }
  }
  const showExamples = () => {
    state.replaceChildren('Ask as you would ask a person:')
    const choose = (text: string) => {
      input.value = text
      input.focus()
      void ask('whole')
    }
    results.replaceChildren(
      make(
        'ul',
        { class: 'examples' },
        ...examples.map((text) => make('li', {}, make('button', { type: 'button', click: () => choose(text) }, text))),
      ),
    )
  }

  listenToTyping(input, (typed) => void ask(typed))
  form.addEventListener('submit', () => results.querySelector('a')?.click())
  const showReasons = () => results.classList.toggle('with-reasons', reasons.checked)
  reasons.addEventListener('change', () => {
    localStorage.setItem(reasonsKey, String(reasons.checked))
    showReasons()
  })
  // A press outside the dialog closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  dialog.addEventListener('keydown', (event) => {
    moveFocus(event, input, results)
    // In a search box that holds text, browsers let the key clear the text instead.
    if (event.key === 'Escape') dialog.close()
  })
  // A link to a heading of this page leaves the page loaded.
  results.addEventListener('click', (event) => (event.target as Element).closest('a') && dialog.close())
  showReasons()
  showExamples()
  dialog.append(hidden('End of the search'))
  return dialog
}

/** From the box to the first link and on; a letter returns to the box. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, results: HTMLElement): void {
  const links = [...results.querySelectorAll<HTMLElement>('a, .examples button')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const isInList = at !== -1
  if (event.key === 'ArrowDown' && (isInList || document.activeElement === input)) links[at + 1]?.focus()
  else if (event.key === 'ArrowUp' && isInList) (links[at - 1] ?? input).focus()
  else if (isInList && event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey)
    return input.focus()
  else return
  event.preventDefault()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

function isRemembered(): boolean {
  return localStorage.getItem(reasonsKey) === 'true'
}
