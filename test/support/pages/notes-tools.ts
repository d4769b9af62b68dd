/**
 * Helpers for tests of the notes app: short functions for source that runs in its page, and waits whose errors name
 * what was awaited.
 */
import { vi } from 'vitest'
import type { Page } from '../browsers/browsers.ts'

const tools = `
  const one = (selector) => document.querySelector(selector)
  const all = (selector) => [...document.querySelectorAll(selector)]
  const text = (selector) => one(selector)?.textContent
  const isSeen = (selector) => one(selector)?.checkVisibility() ?? false
  const titles = () => all('#hits .hit').map((link) => link.textContent)
  const fill = (selector, text) => {
    one(selector).value = text
    one(selector).dispatchEvent(new Event('input', { bubbles: true }))
  }
  const go = (hash) => { location.hash = hash }
  const openNote = (title) => {
    const link = all('#hits .hit').find((link) => link.textContent === title)
    link?.click()
    return link !== undefined
  }
  const saved = () => one('#save-state').dataset.state === 'saved'
  const pick = (...files) => {
    const data = new DataTransfer()
    for (const file of files) data.items.add(file)
    one('#import-files').files = data.files
    one('#import-files').dispatchEvent(new Event('change', { bubbles: true }))
  }
  const toast = (name) => one('.toast:last-child [data-toast=' + name + ']')
  const canDeleteNow = () => toast('now')?.getAttribute('aria-disabled') === null
  const due = () => all('#surfaced .packed-title a').map((link) => link.textContent)
`

export interface NotesPage {
  /** Runs statements. */
  run(source: string, ...args: readonly unknown[]): Promise<unknown>
  read<T>(expression: string): Promise<T>
  /** Until the expression is true there. */
  until(condition: string): Promise<void>
  /** Until the app shows its notes. */
  ready(): Promise<void>
  /** Clicks a note in the list, once the list shows it. */
  open(title: string): Promise<void>
  /** Writes a new note and waits until it is stored. */
  write(title: string, body: string): Promise<void>
}

export function notesPage(page: Page): NotesPage {
  const run = (source: string, ...args: readonly unknown[]) =>
    page.evaluate(`${tools}; ${source}; return null`, ...args)
  const read = <T>(expression: string) => page.evaluate<T>(`${tools}; return (${expression})`)
  // `expect.poll` does not work in hooks.
  const until = (condition: string) =>
    vi.waitFor(
      async () => {
        if (await read<boolean>(`Boolean(${condition})`).catch(() => false)) return
        throw new Error(
          `Never: ${condition}\n${await read('[text(".import-summary"), document.body.innerText.slice(0, 800)].join("\\n")').catch(String)}`,
        )
      },
      { timeout: 60_000, interval: 100 },
    )
  return {
    run,
    read,
    until,
    ready: () => until('/^\\S+ notes? · /.test(text("#store-brief")) && all("#hits .hit").length > 0'),
    open: (title) => until(`openNote(${JSON.stringify(title)})`),
    async write(title, body) {
      await run('go("#new/")')
      await until('isSeen("#editor") && text("#save-state") === "Nothing to save yet"')
      await run('fill("#note-title", args[0]); fill("#note-body", args[1])', title, body)
      await until('saved()')
    },
  }
}
