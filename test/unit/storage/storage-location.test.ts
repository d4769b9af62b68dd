/** Tests the notes that say where stores are, in a Cache Storage of the test's own. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatNote, noteKey } from '../../../src/protocol/location-note.ts'
import { nameLocation, readLocation, writeLocation } from '../../../worker/storage/common/storage-location.ts'

let notes: Map<string, string>

beforeEach(() => {
  notes = new Map()
  const cache = {
    match: async (key: string) => (notes.has(key) ? new Response(notes.get(key)) : undefined),
    put: async (key: string, response: Response) => void notes.set(key, await response.text()),
    delete: async (key: string) => notes.delete(key),
  }
  vi.stubGlobal('caches', { open: async () => cache })
})
afterEach(() => vi.unstubAllGlobals())

test('a note is read as it was written, and a kind of null removes it', async () => {
  expect(await readLocation('a b')).toEqual({ kind: null, leftover: null, name: undefined })
  expect(await writeLocation('a b', { kind: 'opfs', leftover: 'indexeddb' })).toBe(true)
  expect(await readLocation('a b')).toEqual({ kind: 'opfs', leftover: 'indexeddb', name: 'a b' })
  await writeLocation('a b', { kind: null })
  expect(notes.size).toBe(0)
})

test('a note of a release that saved no name gets it, and keeps what else it says', async () => {
  notes.set(noteKey('old'), 'indexeddb opfs')
  await nameLocation('old')
  expect(notes.get(noteKey('old'))).toBe(formatNote({ kind: 'indexeddb', leftover: 'opfs', name: 'old' }))
  // A store without a note gets none.
  await nameLocation('none')
  expect(notes.size).toBe(1)
})

test('without Cache Storage nothing is known, and nothing is saved', async () => {
  vi.stubGlobal('caches', undefined)
  expect(await readLocation('a')).toEqual({ kind: null })
  expect(await writeLocation('a', { kind: 'opfs' })).toBe(false)
})
