/** Tests the guards of walks over stored rows: an order of keys, a number of keys, and the shapes of a page log with right checksums. */
import { describe, expect, test } from 'vitest'
import { above } from '../../../worker/scheduling/stored-order.ts'
import { findRecords } from '../../../worker/salvage/known-records.ts'
import type { Database } from '../../../worker/sqlite/database.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { encodeFrame } from '../../../worker/storage/indexeddb/frame.ts'
import { encodeBatch, encodeHead, encodeState, logFormat } from '../../../worker/storage/indexeddb/log-format.ts'
import { openPageLog } from '../../../worker/storage/indexeddb/page-log.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { openDamagedLog } from '../../../worker/storage/recovery/open-damaged.ts'
import { createMemoryByteStore } from '../../support/stores/memory-byte-store.ts'

const damaged = expect.objectContaining({ code: 'STORE_CORRUPT', hint: expect.stringContaining('salvage') })

describe('above', () => {
  test('[R11] returns a key that follows, and refuses one that does not', () => {
    expect(above(1, 2)).toBe(2)
    expect(above('', 'a')).toBe('a')
    // By code points: an emoji comes after a ligature, although its UTF-16 units are smaller.
    expect(above('ﬁ', '😀')).toBe('😀')
    for (const [before, key] of [
      [2, 2],
      [2, 1],
      [2, Number.NaN],
      ['b', 'b'],
      ['b', 'a'],
      ['😀', 'ﬁ'],
    ] as const)
      expect(() => above<number | string>(before, key), `${before}, ${key}`).toThrow(damaged)
  })
})

describe('keys of a damaged store', () => {
  test('[R11] are not counted down from a number that the file cannot hold', async () => {
    const { database } = await openMemory(await initSqlite(), 'keys')
    database.execute(`CREATE TABLE settings (name TEXT PRIMARY KEY, value)`)
    database.execute(`INSERT INTO settings VALUES ('nextKey', ${Number.MAX_SAFE_INTEGER})`)
    const withoutLists: Database = {
      ...database,
      each(sql, bind, visit) {
        if (/records|vectors|events/.test(sql)) throw new RangeError('The page is damaged.')
        database.each(sql, bind, visit)
      },
    }
    const { ids, isComplete } = findRecords(withoutLists)
    expect(isComplete).toBe(false)
    expect(ids.size).toBeGreaterThan(100)
    expect(ids.size).toBeLessThan(10_000)
    database.close()
  })
})

describe('a page log of wrong shapes with right checksums', () => {
  const page = new Uint8Array(8192).fill(7)
  const batch = (pageCount: number, numbers = [0]) =>
    encodeBatch(1, '0'.repeat(16), { pageCount, numbers, pages: numbers.map(() => page) })
  const logOf = ({ put, checksum }: ReturnType<typeof encodeBatch>, sequence = 1) =>
    createMemoryByteStore([put, ...encodeState({ format: logFormat, sequence, chain: checksum, isErasing: false })])

  test('control: the right shape opens', async () => {
    expect((await openPageLog(logOf(batch(1)))).pages).toHaveLength(1)
  })

  test.each([
    ['a file of more pages than the log holds', () => logOf(batch(2 ** 40))],
    ['a few pages more than the log holds', () => logOf(batch(3))],
    ['a page beyond the end of its file', () => logOf(batch(1, [5]))],
    [
      'a batch without its pages',
      () =>
        logOf({
          ...batch(1),
          put: ['batch/1', encodeFrame('batch/1', { previous: '0'.repeat(16), pageCount: 1, count: 2 ** 31 }).bytes],
        }),
    ],
    ['more batches than there are', () => logOf(batch(1), 2 ** 50)],
    [
      'a state that is a list',
      () => createMemoryByteStore(['state/1', 'state/2'].map((key) => [key, encodeFrame(key, [1, 2]).bytes])),
    ],
    [
      'a generation of more pages than its chunks',
      () => {
        const log = logOf(batch(1))
        const [key, bytes] = encodeHead('a', { sequence: 1, chain: 'x', pageCount: 2 ** 32, checksums: [] })
        log.values.set(key, bytes)
        log.values.delete('batch/1')
        return log
      },
    ],
    [
      'a generation without chunks',
      () => {
        const log = logOf(batch(1))
        log.values.set('a/head', encodeFrame('a/head', { sequence: 1, chain: 'x', pageCount: 1 }).bytes)
        log.values.delete('batch/1')
        return log
      },
    ],
  ])('[R11] %s is STORE_CORRUPT, and a salvage of it ends', async (_, make) => {
    const begin = performance.now()
    await expect(openPageLog(make())).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    const salvaged = await openDamagedLog(await initSqlite(), 'wrong', make()).catch((error: unknown) => error)
    if (salvaged instanceof Error) expect(salvaged).toMatchObject({ code: 'STORE_CORRUPT' })
    else (salvaged as { close(): void }).close()
    expect(performance.now() - begin).toBeLessThan(5_000)
  })
})
