/** Tests that a list keeps the rows that it has. */
import { Window } from 'happy-dom'
import { expect, test } from 'vitest'
import { showRows } from '../../../demo/notes/list/show-rows.ts'

test('rows that are in the list already are neither removed nor made again', () => {
  const { document } = new Window()
  const list = document.createElement('ol') as unknown as HTMLElement
  const rows = ['a', 'b', 'c', 'd'].map((id) => {
    const row = document.createElement('li') as unknown as HTMLElement
    row.textContent = id
    return row
  })
  const moved: unknown[] = []
  const insert = list.insertBefore.bind(list)
  list.insertBefore = ((row: HTMLElement, next: Node | null) => {
    moved.push(row.textContent)
    return insert(row, next)
  }) as typeof list.insertBefore
  const show = (...places: number[]) =>
    showRows(
      list,
      places.map((place) => rows[place]!),
    )
  show(0, 1)
  show(0, 1, 2)
  show(3, 0, 2)
  expect(moved).toEqual(['a', 'b', 'c', 'd'])
  expect(list.textContent).toBe('dac')
  // Only the row that went to another place is moved.
  show(0, 1, 2, 3)
  moved.length = 0
  show(1, 2, 3, 0)
  expect(moved).toEqual(['a'])
  expect(list.textContent).toBe('bcda')
})
