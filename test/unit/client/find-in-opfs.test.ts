/** Tests what a page finds in OPFS, over folders of the test's own. Real browsers: test/browser/storage/stores.browser.test.ts. */
import { afterEach, expect, test, vi } from 'vitest'
import { findInOpfs } from '../../../src/client/listing/opfs.ts'
import { createdMark, lockFileName, poolDirectory, rootDirectory } from '../../../src/protocol/store-directory.ts'

/** A tree of folders; a leaf is the content of a file. */
interface Tree {
  readonly [name: string]: Tree | readonly number[]
}

function folderOf(name: string, tree: Tree): object {
  const handleOf = (key: string) => {
    const entry = tree[key]
    if (entry === undefined) throw new DOMException('no such entry', 'NotFoundError')
    if (!Array.isArray(entry)) return folderOf(key, entry as Tree)
    return { kind: 'file', name: key, getFile: async () => new Blob([Uint8Array.from(entry)]) }
  }
  return {
    kind: 'directory',
    name,
    getDirectoryHandle: async (key: string) => handleOf(key),
    getFileHandle: async (key: string) => handleOf(key),
    async *values() {
      for (const key of Object.keys(tree)) yield handleOf(key)
    },
  }
}

const useOrigin = (getDirectory: () => Promise<object>) => vi.stubGlobal('navigator', { storage: { getDirectory } })

afterEach(() => vi.unstubAllGlobals())

test('an origin without a folder of stores has none', async () => {
  useOrigin(async () => folderOf('', { others: {} }))
  expect(await findInOpfs()).toEqual(new Map())
})

test('each store has its size, and whether it was created and is empty', async () => {
  const store = { [lockFileName]: [createdMark, 0, 0], [poolDirectory]: { files: { one: [1, 2, 3, 4] } } }
  const begun = { [lockFileName]: [createdMark + 1], [poolDirectory]: {} }
  useOrigin(async () => folderOf('', { [rootDirectory]: { store, begun, file: [1] } }))
  expect(await findInOpfs()).toEqual(
    new Map([
      ['store', { isCreated: true, isEmpty: false, isLocked: false, bytes: 7 }],
      ['begun', { isCreated: false, isEmpty: true, isLocked: false, bytes: 1 }],
    ]),
  )
})

test('[E1] where OPFS is missing nothing is known, and a folder that cannot be read is an error', async () => {
  useOrigin(async () => {
    throw new DOMException('not in private windows', 'SecurityError')
  })
  expect(await findInOpfs()).toBeNull()
  useOrigin(async () => ({
    getDirectoryHandle: async () => {
      throw new DOMException('the disk is gone', 'InvalidStateError')
    },
  }))
  await expect(findInOpfs()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
})
