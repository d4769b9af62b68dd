/**
 * Shows notes as rows. The first rows come at once, those in view with the next frames, the others when no newer notes come for a
 * moment, so that a key never waits for rows that no one sees. A row belongs to a note and is used again by later answers.
 */
import { createNoteRow, type Listed, type NoteRow } from './note-row.ts'
import { showRows } from './show-rows.ts'

export interface NoteList {
  /** `isWhole`: builds all rows at once, for a caller that moves the focus to one of them. */
  show(listed: readonly Listed[], isWhole?: boolean): void
  /** Marks the open note; null: none. */
  mark(id: string | null): void
  first(): HTMLElement | null
  focus(place: number): void
}

/** Rows of the first frame, and of each later one. */
const perStep = 8
/** Rows that a screen shows at once. */
const inView = 16
/** ms after which the rows out of view are made: longer than the time between two keys of a fast writer. */
const pauseMs = 200

export function createNoteList(list: HTMLElement): NoteList {
  let rows = new Map<string, NoteRow>()
  let shown: readonly NoteRow[] = []
  let openId: string | null = null
  let turn = 0

  return {
    show(listed, isWhole = false) {
      const mine = ++turn
      const before = rows
      rows = new Map()
      const step = (from: number, to: number) => {
        for (const one of listed.slice(from, to)) {
          const id = idOf(one)
          const row = before.get(id) ?? createNoteRow(id)
          row.update(one)
          row.mark(id === openId)
          rows.set(id, row)
        }
        // Rows of earlier answers that are updated later stay where they belong, so that the page does not become shorter.
        for (const one of listed.slice(to)) {
          const row = before.get(idOf(one))
          if (row !== undefined) rows.set(idOf(one), row)
        }
        place(listed.flatMap((one) => rows.get(idOf(one)) ?? []))
      }
      const later = (from: number) => {
        if (from >= listed.length) return
        afterFrame(from === inView ? pauseMs : 0, () => {
          if (mine !== turn) return
          step(from, from + perStep)
          later(from + perStep)
        })
      }
      const atOnce = isWhole ? listed.length : perStep
      step(0, atOnce)
      later(atOnce)
    },
    mark(id) {
      openId = id
      for (const [one, row] of rows) row.mark(one === id)
    },
    first: () => shown[0]?.link ?? null,
    focus: (at) => shown[at]?.link.focus(),
  }

  /** Keeps the focus while rows move. */
  function place(next: readonly NoteRow[]): void {
    const { activeElement } = document
    const focused = activeElement instanceof HTMLElement && list.contains(activeElement) ? activeElement : null
    shown = next
    showRows(
      list,
      next.map(({ element }) => element),
    )
    if (focused !== null && focused.isConnected && document.activeElement !== focused) focused.focus()
  }
}

/** Frames stop while a page is hidden; then nothing is lost if rows come later. */
function afterFrame(ms: number, run: () => void): void {
  requestAnimationFrame(() => setTimeout(run, ms))
}

function idOf(listed: Listed): string {
  return 'hit' in listed ? listed.hit.id : listed.line.id
}
