/**
 * [P3] Tests a full disk under a store in IndexedDB, with the quota of a browser: it may refuse a write, but never a
 * removal. Whatever the quota, the way records were stored, and whether there are generations, records can be
 * forgotten and the store can be compacted.
 */
import { describe, expect, test } from 'vitest'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import type { ByteStore } from '../../../worker/storage/common/byte-store.ts'
import type { LogLimits } from '../../../worker/storage/indexeddb/page-log.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { fill, idsOf, recordOf } from '../../support/stores/fill-disk.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged } from '../../support/stores/open-paged.ts'

const options: EngineOptions = { ...engineOptions, name: 'full', storage: 'indexeddb', runtime: 'worker' }
const context = { now: Date.UTC(2026, 0, 1) }

/** A journal that only grows, and one that becomes a generation after a few puts. */
const journalOnly: LogLimits = { journalBytes: 64 << 20, journalShare: 0, journalBatches: 10_000, stepChunks: 64 }
const generations: LogLimits = { journalBytes: 1 << 20, journalShare: 0, journalBatches: 40, stepChunks: 16 }

async function openFull(bytes: ByteStore, limits: LogLimits, changed: Partial<EngineOptions> = {}): Promise<Engine> {
  const storage = await openPaged(bytes, limits)
  const engine = createEngineOver(storage, { ...options, ...changed }, null)
  await engine.secure()
  return engine
}

function holds(bytes: MemoryByteStore, text: string): boolean {
  return [...bytes.values.values()].some((value) => Buffer.from(value.buffer).includes(text))
}

describe.each([
  ['a journal alone', journalOnly, [3_100_000, 4_300_000]],
  // While the third put writes the first generation, journal and generation exist: 3.62 MB with an almost empty store.
  ['generations', generations, [3_700_000, 5_200_000]],
] as const)('a full disk, with %s', (_name, limits, quotas) => {
  test.each(quotas.flatMap((quota) => [1, 7].map((perPut) => [quota, perPut] as const)))(
    '[P3] %i bytes filled by puts of %i: forgets, compacts, reads, closes, opens, then stores again',
    async (quota, perPut) => {
      const bytes = createMemoryByteStore()
      bytes.limit(quota)
      const engine = await openFull(bytes, limits)
      const ids = await fill(engine, perPut)
      expect(ids.length).toBeGreaterThan(5)
      expect(await idsOf(engine)).toEqual(ids.toSorted())
      const forget = async (gone: readonly string[]) => {
        const receipt = await engine.call('forget', { ids: [...gone] }, context)
        expect(receipt.forgotten).toHaveLength(gone.length)
        for (const id of gone) expect(holds(bytes, `canary${id.slice(1)}x`), id).toBe(false)
      }
      await forget(ids.slice(0, 1))
      await forget(ids.slice(1, 4))
      expect(await idsOf(engine)).toEqual(ids.slice(4).toSorted())
      await engine.call('compact', {}, context)
      expect((await engine.call('integrityCheck', {}, context)).problems).toEqual([])
      await engine.call('close', {}, context)
      const again = await openFull(bytes.copy(), limits)
      expect(await idsOf(again)).toEqual(ids.slice(4).toSorted())
      expect((await again.call('integrityCheck', {}, context)).problems).toEqual([])
      await again.call('close', {}, context)
      bytes.limit(Number.POSITIVE_INFINITY)
      const free = await openFull(bytes, limits)
      bytes.limit(quota)
      const { forgotten } = await free.call('forget', { ids: ids.slice(4) }, context)
      expect(forgotten).toHaveLength(ids.length - 4)
      await free.call('compact', {}, context)
      await free.call('put', { batch: [recordOf(0), recordOf(1), recordOf(2)] }, context)
      expect(await idsOf(free)).toEqual(['r0', 'r1', 'r2'])
      expect(bytes.bytes()).toBeLessThanOrEqual(quota)
    },
    60_000,
  )

  test('[P3] [P1] killed at any write of a forget on a full disk: every other record is there', async () => {
    const full = createMemoryByteStore()
    full.limit(quotas[1])
    const ids = await fill(await openFull(full, limits), 3)
    const kill = async (at: number) => {
      const bytes = full.copy()
      bytes.limit(quotas[1])
      const engine = await openFull(bytes, limits)
      const first = bytes.writes()
      bytes.dieAt(first + at, at % 2 === 0)
      const done = engine.call('forget', { ids: ids.slice(0, 2) }, context)
      done.catch(() => undefined)
      while (!bytes.hasDied() && (await Promise.race([done.then(() => true), pause()])) !== true);
      if (!bytes.hasDied()) return false
      const heir = await openFull(bytes.copy(), limits)
      const left = await idsOf(heir)
      expect([ids.length, ids.length - 2]).toContain(left.length)
      expect(left).toEqual(expect.arrayContaining(ids.slice(2)))
      expect((await heir.call('integrityCheck', {}, context)).problems).toEqual([])
      return true
    }
    let kills = 0
    for (let at = 1; await kill(at); at += 5) kills++
    expect(kills).toBeGreaterThan(1)
  }, 120_000)
})

test('[P3] without a free byte a store with an embedding space opens, closes and forgets all records', async () => {
  const bytes = createMemoryByteStore()
  bytes.limit(3_100_000)
  const withSpace = { space: { name: 'test@1', dimensions: 4 } }
  const engine = await openFull(bytes, journalOnly, withSpace)
  const ids = await fill(engine, 7)
  await engine.call('close', {}, context)
  bytes.limit(bytes.bytes())
  const again = await openFull(bytes, journalOnly, withSpace)
  expect(await idsOf(again)).toEqual(ids.toSorted())
  const { forgotten } = await again.call('forget', { ids }, context)
  expect(forgotten).toHaveLength(ids.length)
  expect(holds(bytes, 'canary')).toBe(false)
})

const pause = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 5))

test('control: a store without a reserve cannot be emptied', async () => {
  const bytes = createMemoryByteStore()
  const withoutReserve: ByteStore = {
    ...bytes,
    write: (puts, removes) =>
      bytes.write(
        puts.filter(([key]) => !key.startsWith('reserve/')),
        removes,
      ),
  }
  bytes.limit(3_100_000)
  const engine = await openFull(withoutReserve, journalOnly)
  const ids = await fill(engine, 1)
  await expect(engine.call('forget', { ids: ids.slice(0, 3) }, context)).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
  })
})
