/**
 * [W3] Checks that forgotten text is in no stored byte, at once: not even in the unallocated space that SQLite leaves
 * in a page when it moves cells to balance a tree. Runs over paged storage, whose every byte a test can read; browser
 * tests cover OPFS and IndexedDB.
 */
import { describe, expect, test } from 'vitest'
import { first } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { zeroUnallocated } from '../../../worker/sqlite/pages/unallocated-space.ts'
import { makeShrinkable, reclaimPages } from '../../../worker/storage/common/incremental-vacuum.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { plantAndForget } from '../../support/plant-and-forget.ts'
import { createMemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged } from '../../support/stores/open-paged.ts'

function heldIn(bytes: Iterable<Uint8Array>, needles: readonly string[]): number {
  const texts = Array.from(bytes, (part) => Buffer.from(part).toString('latin1'))
  return needles.filter((needle) => texts.some((text) => text.includes(needle))).length
}

describe('[W3] forgetting', () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8]

  test.each(seeds)('leaves no byte of 100 secrets in paged storage, before any compaction (seed %i)', async (seed) => {
    const bytes = createMemoryByteStore()
    const storage = await openPaged(bytes)
    // All at once, which merges the text index, or a few at a time.
    const { engine, needles } = await plantAndForget(storage, seed, seed % 2 === 0 ? 100 : 10)
    expect(heldIn(bytes.values.values(), needles)).toBe(0)
    expect(await engine.call('integrityCheck', {}, { now: 0 })).toMatchObject({ ok: true })
    await storage.close()
    expect(heldIn(bytes.values.values(), needles)).toBe(0)
  })

  test.each([1, 2, 3])('leaves no text in pages that were moved (seed %i)', async (seed) => {
    const bytes = createMemoryByteStore()
    const storage = await openPaged(bytes)
    const { database } = storage
    makeShrinkable(database)
    const pages = () => first(database, 'PRAGMA page_count', [], (row) => row.number(0)) ?? 0
    let returnedPages = 0
    const reclaimAll = () => {
      const before = pages()
      reclaimPages(database, { freeShare: 0, freePages: 0, slicePages: 1_000 })
      returnedPages += before - pages()
    }
    const { engine, needles } = await plantAndForget({ ...storage, reclaimPages: reclaimAll }, seed)
    expect(returnedPages).toBeGreaterThan(0)
    expect(heldIn(bytes.values.values(), needles)).toBe(0)
    expect(await engine.call('integrityCheck', {}, { now: 0 })).toMatchObject({ ok: true })
  })

  test('control: a database whose unallocated space is not zeroed still holds forgotten text', async () => {
    const sqlite3 = await initSqlite()
    let left = 0
    for (const seed of seeds) {
      const storage = await openMemory(sqlite3, 'control')
      const { needles } = await plantAndForget(storage, seed, 10)
      left += heldIn([sqlite3.capi.sqlite3_js_db_export(storage.database.pointer)], needles)
      await storage.close()
    }
    expect(left).toBeGreaterThan(0)
  })
})

describe('the unallocated space of a page', () => {
  const plain = { reserved: 0, hasPointerMaps: false }
  const full = (kind: number, header = 0) => {
    const page = new Uint8Array(512).fill(7)
    page[header] = kind
    page.set([0, 3, 1, 44], header + 3) // 3 cells, the first of them at 300
    return page
  }

  test.each([
    ['a leaf of a table', 13, 0, 8],
    ['a leaf of an index', 10, 0, 8],
    ['an inner page of a table', 5, 0, 12],
    ['an inner page of an index', 2, 0, 12],
    ['the first page', 13, 100, 8],
  ])('of %s is zeroed, and nothing else', (_name, kind, header, headerBytes) => {
    const page = full(kind, header)
    const expected = page.slice().fill(0, header + headerBytes + 6, 300)
    zeroUnallocated(page, header === 100 ? 0 : 1, plain)
    expect(page).toEqual(expected)
  })

  test.each([
    ['a page of another kind', full(0)],
    ['cells that reach beyond the content', full(13).fill(255, 3, 5)],
    ['content that begins beyond the page', full(13).fill(255, 5, 7)],
    ['an empty page', new Uint8Array(512)],
  ])('is not touched in %s', (_name, page) => {
    const before = page.slice()
    zeroUnallocated(page, 1, plain)
    expect(page).toEqual(before)
  })
})
