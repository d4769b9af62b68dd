/** Tests what happens to a note that two devices changed apart, and the settings of the sync. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headersOf, newKey, problemOf, readKey } from '../../../demo/notes/sync/sync-settings.ts'
import { uniteLines, uniteNotes } from '../../../demo/notes/sync/unite-notes.ts'

test('keeps the lines of both, the older ones first, and what is equal once', () => {
  expect(uniteLines('a\nold\nz', 'a\nnew\nz')).toBe('a\nold\nnew\nz')
  expect(uniteLines('a\nb', 'a\nb\nc')).toBe('a\nb\nc')
  expect(uniteLines('same', 'same')).toBe('same')
  expect(uniteLines('', 'text')).toBe('\ntext')
})

test('both devices make the same note, and no line is lost', () => {
  const text = fc.array(fc.constantFrom('', 'a', 'b', 'c #x', 'd'), { maxLength: 6 }).map((lines) => lines.join('\n'))
  const record = fc.record({
    id: fc.constant('n'),
    title: fc.constantFrom('One', 'Two'),
    body: text,
    updatedAt: fc.integer({ min: 1, max: 3 }),
  })
  fc.assert(
    fc.property(record, record, (a, b) => {
      const united = uniteNotes(a, b)
      expect(uniteNotes(b, a)).toEqual(united)
      const lines = new Set((united.body ?? '').split('\n'))
      for (const line of `${a.body}\n${b.body}`.split('\n')) if (line !== '') expect(lines.has(line)).toBe(true)
    }),
    { seed: 11, numRuns: 300 },
  )
})

test('a pin of one device outlives an edit of the other', () => {
  const pinned = { id: 'n', title: 'One', updatedAt: 1, tags: ['pinned'], metadata: { frontMatter: 'pinned: true' } }
  const edited = { id: 'n', title: 'One', body: 'More.', updatedAt: 2, metadata: { frontMatter: 'a: b' } }
  for (const united of [uniteNotes(pinned, edited), uniteNotes(edited, pinned)]) {
    expect(united).toMatchObject({ body: '\nMore.', tags: ['pinned'] })
    expect(united.metadata).toEqual({ frontMatter: 'a: b\npinned: true' })
  }
})

test('a key is 32 bytes as text, and other texts are refused', () => {
  const key = newKey()
  expect(readKey(key)?.length).toBe(32)
  expect(newKey()).not.toBe(key)
  const settings = { url: 'https://a.example/dav/', user: 'é', password: 'ß', key }
  expect(problemOf(settings)).toBeNull()
  expect(problemOf({ ...settings, url: 'http://127.0.0.1:8080/' })).toBeNull()
  expect(problemOf({ ...settings, url: 'http://localhost.evil.example/' })).toMatch(/address/)
  expect(problemOf({ ...settings, key: key.slice(1) })).toMatch(/key/)
  expect(headersOf(settings)).toEqual({ Authorization: 'Basic w6k6w58=' })
  expect(headersOf({ ...settings, user: '' })).toEqual({})
})
