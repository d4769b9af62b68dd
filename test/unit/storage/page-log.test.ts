/**
 * Tests the page log against hostile bytes, one check per test: every value has its own checksum, so each value
 * inserted here is valid by itself but in the wrong place or time.
 */
import { describe, expect, test } from 'vitest'
import { type Page, type PageChanges, pageBytes } from '../../../worker/sqlite/pages/page-file.ts'
import { decodeFrame, encodeFrame } from '../../../worker/storage/indexeddb/frame.ts'
import { type LogLimits, logLimits, openPageLog, type PageLog } from '../../../worker/storage/indexeddb/page-log.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'

/** Every second batch starts a new generation. */
const shortLimits: LogLimits = { journalBytes: 1 << 30, journalShare: 0, journalBatches: 2, stepChunks: 2 }

interface Filling {
  readonly bytes: MemoryByteStore
  readonly log: PageLog
  /** The file that should be read. */
  readonly pages: Page[]
  /** Replaces one page by one that is filled with this byte. */
  put(number: number, fill: number, isErasing?: boolean): Promise<void>
}

async function openFilling(bytes = createMemoryByteStore(), limits: LogLimits = logLimits): Promise<Filling> {
  const log = await openPageLog(bytes, limits)
  const pages = [...log.pages]
  return {
    bytes,
    log,
    pages,
    async put(number, fill, isErasing = false) {
      const page = new Uint8Array(pageBytes).fill(fill)
      const before = [...pages]
      while (pages.length < number) pages.push(new Uint8Array(pageBytes))
      pages[number] = page
      const changes: PageChanges = { pageCount: pages.length, numbers: [number], pages: [page] }
      await log.append(changes, [...pages], { isErasing, isDeletion: isErasing }).catch((error: unknown) => {
        pages.splice(0, pages.length, ...before)
        throw error
      })
      await log.idle()
    },
  }
}

const fillsOf = (pages: readonly Page[]) => pages.map((page) => page[0])
const valueOf = ({ values }: MemoryByteStore, key: string) => values.get(key)!

/** A journal of three batches, and another one with the same beginning and other ends. */
async function twoHistories() {
  const one = await openFilling()
  await one.put(0, 1)
  const other = await openFilling(one.bytes.copy())
  await one.put(1, 2)
  await one.put(2, 3)
  await other.put(1, 22)
  await other.put(2, 33)
  return { one: one.bytes, other: other.bytes }
}

describe('[P1] a journal', () => {
  test('is read to its end', async () => {
    const { one, other } = await twoHistories()
    expect(fillsOf((await openPageLog(one.copy())).pages)).toEqual([1, 2, 3])
    expect(fillsOf((await openPageLog(other.copy())).pages)).toEqual([1, 22, 33])
  })

  test('with a batch of another history in the middle is STORE_CORRUPT', async () => {
    const { one, other } = await twoHistories()
    one.values.set('batch/2', valueOf(other, 'batch/2'))
    await expect(openPageLog(one)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('batch 3 of the journal does not follow the one before'),
    })
    expect(one.writes()).toBe(3)
  })

  test('with an end other than the acknowledged one is STORE_CORRUPT', async () => {
    const { one } = await twoHistories()
    // It follows the second batch and was never acknowledged.
    const page = new Uint8Array(pageBytes).fill(99)
    const last = decodeFrame<object>('batch/3', valueOf(one, 'batch/3'))
    const number = Uint8Array.of(2, 0, 0, 0)
    one.values.set('batch/3', encodeFrame('batch/3', last?.header ?? {}, [number, page]).bytes)
    await expect(openPageLog(one)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('the journal does not end where it was acknowledged'),
    })
  })

  test('with two states that name different ends is STORE_CORRUPT, whichever is right', async () => {
    for (const key of ['state/1', 'state/2']) {
      const { one, other } = await twoHistories()
      one.values.set(key, valueOf(other, key))
      await expect(openPageLog(one), key).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringContaining('it has two states'),
      })
    }
  })

  test('with an earlier state in one of two places is STORE_CORRUPT, too', async () => {
    const filling = await openFilling()
    await filling.put(0, 1)
    const earlier = valueOf(filling.bytes, 'state/2').slice()
    await filling.put(1, 2)
    filling.bytes.values.set('state/2', earlier)
    await expect(openPageLog(filling.bytes)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  test('control: with one of its two states lost it can still be read', async () => {
    for (const key of ['state/1', 'state/2']) {
      const { one } = await twoHistories()
      one.values.delete(key)
      expect(fillsOf((await openPageLog(one)).pages), key).toEqual([1, 2, 3])
    }
  })
})

describe('[P1] a generation', () => {
  /** Generations of several chunks; the newest, and an earlier version of one of its chunks. */
  async function withGenerations() {
    const filling = await openFilling(createMemoryByteStore(), shortLimits)
    for (let i = 0; i < 20; i++) await filling.put(i, i + 1)
    const before = filling.bytes.copy()
    for (let i = 0; i < 8; i++) await filling.put(i, 100 + i)
    const sequenceOf = (slot: string) =>
      decodeFrame<{ sequence: number }>(`${slot}/head`, valueOf(filling.bytes, `${slot}/head`))?.header.sequence ?? 0
    const newest = sequenceOf('a') > sequenceOf('b') ? 'a' : 'b'
    return { ...filling, before, newest, other: newest === 'a' ? 'b' : 'a' }
  }

  test('with a chunk of an earlier generation is not used: the other one is, and the log says so', async () => {
    const { bytes, before, newest, pages } = await withGenerations()
    expect(valueOf(before, `${newest}/0`)).not.toEqual(valueOf(bytes, `${newest}/0`))
    bytes.values.set(`${newest}/0`, valueOf(before, `${newest}/0`))
    const log = await openPageLog(bytes)
    expect(fillsOf(log.pages)).toEqual(fillsOf(pages))
    expect(log.degraded).toEqual([expect.stringContaining(`chunk 0 of generation ${newest} is damaged`)])
  })

  test('with such chunks in both generations is STORE_CORRUPT', async () => {
    const { bytes, before } = await withGenerations()
    for (const slot of ['a', 'b']) bytes.values.set(`${slot}/0`, valueOf(before, `${slot}/0`))
    await expect(openPageLog(bytes)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  test('with a chunk of the other generation in its place is not used', async () => {
    const { bytes, newest, other, pages } = await withGenerations()
    bytes.values.set(`${newest}/1`, valueOf(bytes, `${other}/1`))
    const log = await openPageLog(bytes)
    expect(fillsOf(log.pages)).toEqual(fillsOf(pages))
    expect(log.degraded).toHaveLength(1)
  })

  test('control: unchanged, nothing is degraded', async () => {
    const { bytes, pages } = await withGenerations()
    const log = await openPageLog(bytes)
    expect([fillsOf(log.pages), log.degraded]).toEqual([fillsOf(pages), []])
  })
})

describe('[W3] erasing', () => {
  test('stays due over later batches and openings, until it is done', async () => {
    const filling = await openFilling()
    await filling.put(0, 7)
    await filling.put(0, 1, true)
    filling.bytes.failAt(filling.bytes.writes() + 1, 'STORAGE_UNAVAILABLE')
    await expect(filling.log.erase([...filling.pages])).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    // The later batches delete nothing themselves.
    await filling.put(1, 2)
    const heir = await openPageLog(filling.bytes.copy())
    expect(heir.isErasing).toBe(true)
    await filling.put(1, 3)
    const next = await openPageLog(filling.bytes)
    expect(next.isErasing).toBe(true)
    await next.erase(next.pages)
    const last = await openPageLog(filling.bytes)
    expect([last.isErasing, fillsOf(last.pages)]).toEqual([false, [1, 3]])
    expect([...filling.bytes.values.keys()].filter((key) => key.startsWith('batch/'))).toEqual([])
  })

  test('control: where nothing was deleted none is due', async () => {
    const filling = await openFilling()
    await filling.put(0, 7)
    await filling.put(0, 1)
    expect((await openPageLog(filling.bytes)).isErasing).toBe(false)
  })
})

test('[P3] erasing restores the reserve that a deletion on a full disk has used', async () => {
  const { bytes, log, pages, put } = await openFilling()
  const reserves = () => [...bytes.values.keys()].filter((key) => key.startsWith('reserve/'))
  await put(0, 1)
  expect(reserves()).toHaveLength(1)
  bytes.limit(bytes.bytes())
  await put(1, 2, true)
  expect(reserves()).toEqual([])
  bytes.limit(Number.POSITIVE_INFINITY)
  await log.erase(pages)
  expect(reserves()).toHaveLength(1)
  expect(fillsOf((await openPageLog(bytes.copy())).pages)).toEqual([1, 2])
})
