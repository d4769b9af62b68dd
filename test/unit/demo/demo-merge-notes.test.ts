/** Merges two texts of one note that were made from the same text: no addition of either may be lost. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSameNote, mergeLines, mergeNotes } from '../../../demo/notes/merge-notes.ts'
import type { NoteText } from '../../../demo/notes/model/note.ts'

describe('lines', () => {
  test.each([
    ['only mine changed', 'a\nb', 'a\nB', 'a\nb', 'a\nB'],
    ['only theirs changed', 'a\nb', 'a\nb', 'A\nb', 'A\nb'],
    ['both made the same change', 'a\nb', 'a\nc', 'a\nc', 'a\nc'],
    ['one above, one below', 'a\nb\nc', 'new\na\nb\nc', 'a\nb\nc\nlast', 'new\na\nb\nc\nlast'],
    ['the same, the other way round', 'a\nb\nc', 'a\nb\nc\nlast', 'new\na\nb\nc', 'new\na\nb\nc\nlast'],
    ['a line went while another came', 'a\nb\nc', 'b\nc', 'a\nb\nc\nd', 'b\nc\nd'],
    ['lines side by side', 'a\nb', 'A\nb', 'a\nB', 'A\nB'],
    ['both added at the end', 'a', 'a\nmine', 'a\ntheirs', 'a\ntheirs\nmine'],
    ['both wrote on the empty last line', 'a\n', 'a\nmine', 'a\ntheirs', 'a\ntheirs\nmine'],
    ['both began an empty note', '', 'mine', 'theirs', 'theirs\nmine'],
  ])('are merged: %s', (_, base, mine, theirs, merged) => {
    expect(mergeLines(base, mine, theirs)).toBe(merged)
  })

  test.each([
    ['both changed one line', 'a\nb', 'a\nb1', 'a\nb2'],
    ['one deleted what the other changed', 'a\nb\nc', 'a\nc', 'a\nB\nc'],
    ['the stretches overlap', 'a\nb\nc\nd', 'a\nX\nY\nd', 'a\nb\nZ\nd'],
  ])('are kept apart: %s', (_, base, mine, theirs) => {
    expect(mergeLines(base, mine, theirs)).toBeNull()
  })

  const text = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { maxLength: 6 }).map((lines) => lines.join('\n'))

  test('lines that either side added are all in the merge, or the two texts are kept apart', () => {
    const added = (base: string, now: string) => {
      const had = base.split('\n')
      return now.split('\n').filter((line) => line.trim() !== '' && !had.includes(line))
    }
    const marked = (mark: string) => text.map((lines) => lines.replaceAll('c', mark))
    let merges = 0
    fc.assert(
      fc.property(text, marked('mine'), marked('theirs'), (base, mine, theirs) => {
        const merged = mergeLines(base, mine, theirs)
        if (merged === null) return
        merges++
        expect(merged.split('\n')).toEqual(expect.arrayContaining([...added(base, mine), ...added(base, theirs)]))
      }),
      { numRuns: 3000, seed: 16 },
    )
    expect(merges).toBeGreaterThan(500)
  })

  test('lines that only one side changed are merged as that side has them', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeLines(base, changed, base)).toBe(changed)
        expect(mergeLines(base, base, changed)).toBe(changed)
      }),
    )
  })
})

describe('notes', () => {
  const base: NoteText = { title: 'Bread', body: 'Flour', rhythm: 'month' }

  test('take the title from one side, the text from the other and the later rhythm', () => {
    const mine = { ...base, title: 'Rye bread', rhythm: 'week' as const }
    expect(mergeNotes(base, mine, { ...base, body: 'Flour\nSalt', rhythm: 'never' })).toEqual({
      title: 'Rye bread',
      body: 'Flour\nSalt',
      rhythm: 'week',
    })
  })

  test('with two new titles are kept apart', () => {
    expect(mergeNotes(base, { ...base, title: 'A' }, { ...base, title: 'B' })).toBeNull()
  })

  test('are the same when a store would hold the same', () => {
    expect(isSameNote(base, { ...base, title: ' Bread ' })).toBe(true)
    expect(isSameNote({ ...base, body: ' \n' }, { ...base, body: '' })).toBe(true)
    expect(isSameNote(base, { ...base, body: 'flour' })).toBe(false)
  })
})
