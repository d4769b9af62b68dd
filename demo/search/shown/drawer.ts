/** Opens and closes the drawer, and switches its tabs. The drawer is next to the answer on wide screens and covers it on narrow ones. */
import { partById } from '../../shared/dom.ts'

export type Tab = 'why' | 'context' | 'engine'

export interface Drawer {
  /** The tab that is seen; null while the drawer is closed. */
  visible(): Tab | null
  open(tab: Tab): void
  /** Closes it where it covers the page, so that the page behind it can be used; true if it did. */
  uncover(): boolean
}

const panels = { why: 'why', context: 'assemble', engine: 'engine' } as const
/** As in search-page.css: on narrower screens the drawer covers the page. */
const narrow = matchMedia('(max-width: 63.99rem)')
const tabs = Object.keys(panels) as readonly Tab[]

/** `shown` is called with each tab that becomes visible, so that it can be filled. */
export function createDrawer(shown: (tab: Tab) => void): Drawer {
  const element = partById('drawer')
  const opener = partById('open-drawer')
  const behind = document.querySelectorAll<HTMLElement>('.skip, .masthead, main, .footer')
  let current: Tab = 'why'
  let origin: HTMLElement = opener

  for (const tab of tabs) buttonOf(tab).addEventListener('click', () => select(tab))
  partById('close-drawer').addEventListener('click', close)
  opener.addEventListener('click', () => (element.hidden ? open(current) : close()))
  partById('store-brief').addEventListener('click', (event) => {
    event.preventDefault()
    open('engine')
    partById('store').scrollIntoView({ block: 'nearest' })
  })
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.preventDefault()
      close()
    } else if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && isTab(event.target)) {
      event.preventDefault()
      const next = (tabs.indexOf(current) + (event.key === 'ArrowRight' ? 1 : tabs.length - 1)) % tabs.length
      select(tabs[next] ?? current)
      buttonOf(current).focus()
    }
  })
  narrow.addEventListener('change', cover)
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && target.closest('.drawer, .toasts') === null) uncover()
  })
  return { visible: () => (element.hidden ? null : current), open, uncover }

  function open(tab: Tab): void {
    if (element.hidden && document.activeElement instanceof HTMLElement) origin = document.activeElement
    element.hidden = false
    partById('page').dataset['drawer'] = 'open'
    opener.setAttribute('aria-expanded', 'true')
    select(tab)
    cover()
    if (narrow.matches && !element.contains(document.activeElement)) buttonOf(tab).focus()
  }

  function close(): void {
    element.hidden = true
    cover()
    delete partById('page').dataset['drawer']
    opener.setAttribute('aria-expanded', 'false')
    const goal = origin.isConnected && origin !== document.body ? origin : opener
    goal.focus()
  }

  function uncover(): boolean {
    if (element.hidden || !narrow.matches) return false
    close()
    return true
  }

  /** What the drawer covers cannot have the focus. */
  function cover(): void {
    for (const part of behind) part.inert = !element.hidden && narrow.matches
  }

  function select(tab: Tab): void {
    current = tab
    for (const one of tabs) {
      const isChosen = one === tab
      partById(panels[one]).hidden = !isChosen
      buttonOf(one).setAttribute('aria-selected', String(isChosen))
      buttonOf(one).tabIndex = isChosen ? 0 : -1
    }
    shown(tab)
  }

  function buttonOf(tab: Tab): HTMLElement {
    return partById(`tab-${tab}`)
  }

  function isTab(target: EventTarget | null): boolean {
    return tabs.some((tab) => buttonOf(tab) === target)
  }
}
