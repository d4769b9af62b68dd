/** Tests which rows the palette of the notes app has, and in which order. */
import { expect, test } from 'vitest'
import type { NoteLine } from '../../../demo/notes/model/note.ts'
import { nameOf, paletteRows, selectedPlace } from '../../../demo/notes/palette/palette-rows.ts'

const commands = ['New note', 'Export as Markdown', 'Sort by title'].map((name) => ({ name, run: () => undefined }))
const lines = ['Bread', 'My new bike', 'New York', 'Export'].map(lineOf)

test('without a text: the first notes of the list, then all commands', () => {
  expect(rows('')).toEqual([
    'Bread',
    'My new bike',
    'New York',
    'Export',
    '>New note',
    '>Export as Markdown',
    '>Sort by title',
  ])
})

test('a note of that name, commands, notes that begin with the text, that hold it, that the store found; last a new note', () => {
  expect(rows('new', lineOf('Fresh'))).toEqual(['>New note', 'New York', 'My new bike', 'Fresh', '+new'])
  expect(rows(' export ')).toEqual(['Export', '>Export as Markdown'])
  expect(rows('mark exp')).toEqual(['>Export as Markdown', '+mark exp'])
})

test('no note is there twice', () => {
  expect(rows('bread', lines[0]!)).toEqual(['Bread'])
})

test('a row that the person moved to stays selected while notes are found; otherwise the first one is', () => {
  const before = paletteRows('fresh', commands, lines, [])
  const after = paletteRows('fresh', commands, lines, ['Fresh bread', 'Fresh air'].map(lineOf))
  expect(before.map(nameOf)).toEqual(['create'])
  expect(after.map(nameOf)).toEqual(['note Fresh bread', 'note Fresh air', 'create'])
  expect(selectedPlace(after, 'create', false)).toBe(2)
  expect(selectedPlace(after, 'note Fresh air', true)).toBe(1)
  expect(selectedPlace(after, null, false)).toBe(0)
  expect(selectedPlace(after, 'command New note', false)).toBe(0)
})

test('a new note is selected by itself only when no more rows will come', () => {
  const alone = paletteRows('fresh', commands, lines, [])
  expect(selectedPlace(alone, null, false)).toBe(-1)
  expect(selectedPlace(alone, null, true)).toBe(0)
})

function rows(text: string, ...found: readonly NoteLine[]): readonly string[] {
  return paletteRows(text, commands, lines, found).map((row) =>
    row.kind === 'note' ? row.line.title : row.kind === 'command' ? `>${row.command.name}` : `+${row.title}`,
  )
}

function lineOf(title: string): NoteLine {
  const others = { excerpt: '', tags: [], otherKeys: [], links: [], rhythm: 'never', trashedAt: null } as const
  return { id: title, title, key: title.toLowerCase(), createdAt: 0, updatedAt: 0, ...others }
}
