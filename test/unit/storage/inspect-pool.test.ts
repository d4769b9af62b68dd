/** Tests the check of the files of a pool before the VFS opens them: damage must not look like a new, empty store. */
import { describe, expect, test } from 'vitest'
import { pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import { inspectPool } from '../../../worker/storage/opfs/inspect-pool.ts'

const headBytes = 4096
const path = '/store.sqlite'
const text = (value: string) => [...new TextEncoder().encode(value)]

/** A file of the pool as an old release wrote it, without a checksum of its header: a path and the data. */
function fileOf(name: string, data: readonly number[], flags = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headBytes + data.length)
  bytes.set(text(name))
  new DataView(bytes.buffer).setUint32(512, flags)
  bytes.set(data, headBytes)
  return bytes
}

/** The folder of a store whose pool has these files. */
function folderWith(files: readonly Uint8Array<ArrayBuffer>[]): FileSystemDirectoryHandle {
  const opaque = {
    async *values() {
      for (const file of files) yield { kind: 'file', getFile: async () => new Blob([file]) }
    },
  }
  const pool = { getDirectoryHandle: async () => opaque }
  return { getDirectoryHandle: async () => pool } as unknown as FileSystemDirectoryHandle
}

const inspect = (files: readonly Uint8Array<ArrayBuffer>[], wasCreated = true) =>
  inspectPool(folderWith(files), 'pool', path, wasCreated)

const database = fileOf(path, [...text('SQLite format 3\0'), 1, 2, 3])
/** A first page. Byte 20 of the header has the number of bytes at its end that seals take; `end`: what they hold. */
const roomy = (end: number) => {
  const page = new Uint8Array(pageBytes).fill(7)
  page.set([...text('SQLite format 3\0'), 1, 2, 3, 4, 40])
  return fileOf(path, [...page.fill(end, -40)])
}
const sealed = roomy(9)
const free = fileOf('', [])
const journal = fileOf(`${path}-wal`, [7, 7])

describe('the pool of a store that was created', () => {
  test('passes with a database, whatever other files it has', async () => {
    await expect(inspect([free, journal, database])).resolves.toEqual({ isEmpty: false, isSealed: false })
  })

  test('is recognised as encrypted', async () => {
    await expect(inspect([sealed])).resolves.toEqual({ isEmpty: false, isSealed: true })
  })

  test('is not taken for encrypted if it was decrypted: the room for seals is empty', async () => {
    await expect(inspect([roomy(0)])).resolves.toEqual({ isEmpty: false, isSealed: false })
  })

  test.each([
    ['an empty database', fileOf(path, []), 'empty'],
    ['another file in its place', fileOf(path, text('PNG of some kind')), 'does not begin like'],
    ['a database under another name', fileOf('/other', text('SQLite format 3\0')), 'damaged header'],
    // The checksum that the flag promises is missing in part.
    ['a damaged header', Uint8Array.from(fileOf(path, [], 0x80).fill(1, 516, 518)), 'damaged header'],
  ])('[E1] is refused with %s', async (_name, file, problem) => {
    await expect(inspect([free, file])).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining(problem),
    })
  })

  test('[E1] is refused without a database', async () => {
    await expect(inspect([free, journal])).rejects.toMatchObject({ code: 'DATA_MISSING' })
  })
})

test('control: the pool of a store whose creation was interrupted passes without a database, or with an empty one', async () => {
  await expect(inspect([free], false)).resolves.toEqual({ isEmpty: true, isSealed: false })
  await expect(inspect([fileOf(path, [])], false)).resolves.toEqual({ isEmpty: true, isSealed: false })
})
