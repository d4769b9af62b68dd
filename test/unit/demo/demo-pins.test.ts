/** Tests the order of the notes app's list, and how a pin is kept in the front matter. */
import { expect, test } from 'vitest'
import { isPinnedIn, keepPin, withPin } from '../../../demo/notes/model/front-matter.ts'
import { type NoteLine, pinTag, recordOf } from '../../../demo/notes/model/note.ts'
import { sortNotes, timeOf } from '../../../demo/notes/model/sort-notes.ts'

test('pinned notes come first, the others in the chosen order', () => {
  const lines = [line('b2', 4, 1), line('Ä', 3, 2), line('b10', 2, 3, pinTag), line('a', 1, 4), line('c', 0, 0, pinTag)]
  const titles = (order: Parameters<typeof sortNotes>[1]) =>
    sortNotes(lines, order)
      .map(({ title }) => title)
      .join()
  expect(titles('changed')).toBe('b10,c,b2,Ä,a')
  expect(titles('created')).toBe('b10,c,a,Ä,b2')
  expect(titles('title')).toBe('b10,c,a,Ä,b2')
  expect(timeOf(lines[0]!, 'created')).toBe(1)
  expect(timeOf(lines[0]!, 'title')).toBe(4)
})

test('a pin is a line of the front matter and a tag, and goes again', () => {
  const head = withPin('aliases: [Jay]', true)
  expect(head).toBe('aliases: [Jay]\npinned: true')
  expect(isPinnedIn(head)).toBe(true)
  expect(withPin(head, true)).toBe(head)
  expect(withPin(head, false)).toBe('aliases: [Jay]')
  expect(withPin('', true)).toBe('pinned: true')
  const tags = recordOf({ title: 't', body: '#own', rhythm: 'never' }, () => undefined, head).tags
  expect(tags).toEqual([pinTag, 'own'])
})

test('a file that is imported again takes the pin only if it says so', () => {
  expect(keepPin('a: b', true)).toBe('a: b\npinned: true')
  expect(keepPin('pinned: false', true)).toBe('pinned: false')
  expect(keepPin('a: b', false)).toBe('a: b')
})

function line(title: string, updatedAt: number, createdAt: number, ...tags: readonly string[]): NoteLine {
  const others = { excerpt: '', key: '', otherKeys: [], links: [], rhythm: 'never', trashedAt: null } as const
  return { id: title, title, tags, createdAt, updatedAt, ...others }
}
