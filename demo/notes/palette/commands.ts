/** The commands of the palette. They press the buttons of the page, so that both do the same. */
import { partById } from '../../shared/dom.ts'
import { newHref } from '../address/route.ts'
import type { Command } from './palette-rows.ts'

/** Those that make sense now. `goHome` shows the panels of the start page. */
export function commandsNow(goHome: () => void): readonly Command[] {
  const press = (name: string, selector: string): Command[] => {
    const button = document.querySelector<HTMLElement>(selector)
    return button === null || (button instanceof HTMLButtonElement && button.disabled)
      ? []
      : [{ name, run: () => button.click() }]
  }
  const atHome = (name: string, selector: string): Command[] =>
    document.querySelector(selector) === null
      ? []
      : [
          {
            name,
            run() {
              goHome()
              const fold = document.querySelector<HTMLElement>(selector)
              if (fold?.parentElement instanceof HTMLDetailsElement) fold.parentElement.open = true
              fold?.focus()
            },
          },
        ]
  const order = (name: string, value: string): Command => ({
    name,
    run() {
      const select = partById('sort', HTMLSelectElement)
      select.value = value
      select.dispatchEvent(new Event('change'))
    },
  })
  return [
    { name: 'New note', run: () => (location.hash = newHref()) },
    { name: 'Today', run: () => (location.hash = '#today') },
    ...press('Pin or unpin this note', '#note-pin'),
    ...(partById('versions').hidden
      ? []
      : [
          {
            name: 'Earlier versions of this note',
            run() {
              partById('versions-fold', HTMLDetailsElement).open = true
              partById('versions-fold').querySelector('summary')?.focus()
            },
          },
        ]),
    ...press('Import files', '#import-files'),
    ...press('Import a folder', '#import-folder'),
    ...press('Export everything', '#export-all'),
    ...press('Export as Markdown', '#export-markdown'),
    ...press('Sync now', '#sync-now'),
    ...atHome('Set up sync', '#sync-body summary'),
    ...press('Lock now', '#lock-now'),
    ...(document.getElementById('lock-now') === null ? atHome('Set up the lock', '#lock-body summary') : []),
    order('Sort by last change', 'changed'),
    order('Sort by creation', 'created'),
    order('Sort by title', 'title'),
  ]
}
