/** [P3] Tests who may use the space that OPFS files reserve behind their pages: deletions only. */
import { describe, expect, test } from 'vitest'
import type { GuardedFile } from '../../../worker/sqlite/pages/checksum-vfs.ts'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import { holdRoom, journalRoom, sparePages } from '../../../worker/storage/opfs/reserve-space.ts'

const pages = 16

/** A disk with two files, the first of 16 pages; `limit` sets how many bytes each may have from now on. */
function diskWith() {
  let most = Number.POSITIVE_INFINITY
  const fileOf = (bytes: number) => {
    let held = bytes
    const file: GuardedFile = {
      size: () => bytes,
      heldBytes: () => held,
      extend(size) {
        if (size > Math.max(held, most)) return false
        held = Math.max(held, size)
        return true
      },
      keep: () => undefined,
    }
    return file
  }
  return { main: fileOf(pages * pageBytes), journal: fileOf(0), limit: (bytes: number) => (most = bytes) }
}

const full = expect.objectContaining({ code: 'QUOTA_EXCEEDED' })

describe('[P3] where no file can grow', () => {
  test('a deletion may add pages up to the end of the reserve', () => {
    const { main, journal, limit } = diskWith()
    const room = holdRoom(main, journal)
    limit(0)
    expect(() => room.ensure(pages + sparePages, true)).not.toThrow()
    expect(() => room.ensure(pages + sparePages + 1, true)).toThrow(full)
  })

  test('any other commit leaves the reserve: it fits only if it adds no page', () => {
    const { main, journal, limit } = diskWith()
    const room = holdRoom(main, journal)
    limit(0)
    for (const count of [pages, pages - 1]) expect(() => room.ensure(count, false)).not.toThrow()
    expect(() => room.ensure(pages + 1, false)).toThrow(full)
  })
})

test('[P3] a commit that adds pages extends the main file by twice the reserve, and the journal to its size', () => {
  const { main, journal } = diskWith()
  const room = holdRoom(main, journal)
  expect(main.heldBytes()).toBe((pages + sparePages) * pageBytes)
  const count = 1_000
  room.ensure(count, false)
  expect(main.heldBytes()).toBe((count + 2 * sparePages) * pageBytes)
  expect(journal.heldBytes()).toBe(journalRoom(count * pageBytes))
})

test('[P3] a commit fails if only the journal cannot grow, unless it deletes', () => {
  const { main, journal } = diskWith()
  const room = holdRoom(main, { ...journal, extend: () => false })
  expect(() => room.ensure(pages + 1, false)).toThrow(full)
  expect(() => room.ensure(pages + 1, true)).not.toThrow()
})
