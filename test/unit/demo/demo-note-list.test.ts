/** Tests that the notes' list shows its first rows at once, the others later, and never rows of an earlier answer. */
import { Window } from 'happy-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNoteList } from '../../../demo/notes/list/note-list.ts'
import type { Listed } from '../../../demo/notes/list/note-row.ts'

let list: HTMLElement

beforeEach(() => {
  vi.useFakeTimers()
  const window = new Window()
  vi.stubGlobal('document', window.document)
  vi.stubGlobal('HTMLElement', window.HTMLElement)
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16))
  list = window.document.createElement('ol') as unknown as HTMLElement
  window.document.body.append(list as never)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the first rows come at once, those in view with the next frame, the others after a pause', () => {
  createNoteList(list).show(lines(0, 40))
  expect(list.children).toHaveLength(8)
  vi.advanceTimersByTime(20)
  expect(list.children).toHaveLength(16)
  vi.advanceTimersByTime(150)
  expect(list.children).toHaveLength(16)
  vi.runAllTimers()
  expect(titles()).toEqual(names(0, 40))
})

test('rows of an earlier answer are neither added later nor kept', () => {
  const shown = createNoteList(list)
  shown.show(lines(0, 40))
  shown.show(lines(50, 60))
  vi.runAllTimers()
  expect(titles()).toEqual(names(50, 60))
})

test('a row stays the same element while answers change, and keeps the focus where it moves', () => {
  const shown = createNoteList(list)
  shown.show(lines(0, 3))
  const row = list.children[2]!
  shown.focus(2)
  shown.show([...lines(2, 3), ...lines(0, 2)])
  expect(list.children[0]).toBe(row)
  expect(document.activeElement).toBe(row.querySelector('.hit'))
})

test('the open note is marked, also in rows that come later', () => {
  const shown = createNoteList(list)
  shown.mark('note 30')
  shown.show(lines(0, 40))
  expect(list.querySelector('.current')).toBeNull()
  vi.runAllTimers()
  expect(list.querySelector('.current .hit')?.getAttribute('aria-current')).toBe('page')
  shown.mark(null)
  expect(list.querySelector('.current')).toBeNull()
})

function titles(): readonly (string | null)[] {
  return [...list.querySelectorAll('.hit')].map(({ textContent }) => textContent)
}

function names(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, at) => `note ${from + at}`)
}

function lines(from: number, to: number): readonly Listed[] {
  return names(from, to).map((name) => ({
    line: {
      id: name,
      title: name,
      excerpt: 'A beginning.',
      tags: ['plan'],
      key: name,
      otherKeys: [],
      links: [],
      rhythm: 'never',
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_000_000,
      trashedAt: null,
    },
    at: 1_700_000_000_000,
  }))
}
