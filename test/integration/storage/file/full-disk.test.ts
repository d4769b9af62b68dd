/**
 * [P3] Tests a full disk under a store in a file: over a disk in memory that counts blocks as file systems do, and over a small tmpfs where
 * this process may mount one. Whatever the space and the way records were stored, records can be forgotten and the store can be compacted.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openRecall } from '../../../../src/index.ts'
import type { EngineOptions } from '../../../../src/protocol/engine-options.ts'
import { createEngineOver, type Engine } from '../../../../worker/engine/engine.ts'
import { initSqlite } from '../../../../worker/sqlite/init-sqlite.ts'
import type { Disk } from '../../../../worker/storage/file/disk.ts'
import { createFilling } from '../../../../worker/storage/common/filling.ts'
import { openFile } from '../../../../worker/storage/file/file.ts'
import { engineOptions } from '../../../support/stores/engine-options.ts'
import { fill, idsOf, recordOf } from '../../../support/stores/fill-disk.ts'
import { createLimitedDisk } from '../../../support/stores/limited-disk.ts'

const options: EngineOptions = { ...engineOptions, name: 'full', storage: 'file' }
const context = { now: Date.UTC(2026, 0, 1) }
const path = '/full.sqlite'

async function openFull(disk: Disk): Promise<Engine> {
  const storage = await openFile(await initSqlite(), disk, path)
  const engine = createEngineOver(storage, options, null)
  await engine.secure()
  return engine
}

async function exported(engine: Engine): Promise<number> {
  let bytes = 0
  for (let part = 0, isLast = false; !isLast; part++) {
    const answer = await engine.call('exportPart', { export: 'full', part }, context)
    bytes += answer.bytes.length
    isLast = answer.isLast
  }
  await engine.call('endExport', { export: 'full' }, context)
  return bytes
}

describe.each([
  ['replaces blocks in place', false],
  ['copies blocks that it replaces', true],
] as const)('a full disk that %s', (_name, copyOnWrite) => {
  test.each([
    [4_500_000, 3],
    [9_000_000, 25],
  ])(
    '[P3] %i bytes filled by puts of %i: reads, exports, forgets, compacts, closes, opens, then stores again',
    async (space, perPut) => {
      const disk = createLimitedDisk({ copyOnWrite })
      disk.limit(space)
      const engine = await openFull(disk)
      const ids = await fill(engine, perPut)
      expect(ids.length).toBeGreaterThan(5)
      // Another program takes the rest.
      disk.limit(disk.bytes())
      expect(await idsOf(engine)).toEqual(ids.toSorted())
      expect((await engine.call('recall', { query: { text: 'canary1x' } }, context)).hits[0]?.id).toBe('r1')
      expect(await exported(engine)).toBeGreaterThan(50_000)
      const forget = async (gone: readonly string[]) => {
        const receipt = await engine.call('forget', { ids: [...gone] }, context)
        expect(receipt.forgotten).toHaveLength(gone.length)
        for (const id of gone) expect(disk.holds(`canary${id.slice(1)}x`), id).toBe(false)
      }
      await forget(ids.slice(0, 1))
      await forget(ids.slice(1, 4))
      expect(await idsOf(engine)).toEqual(ids.slice(4).toSorted())
      await engine.call('compact', {}, context)
      expect((await engine.call('integrityCheck', {}, context)).problems).toEqual([])
      await engine.call('close', {}, context)
      expect(disk.names()).toEqual([path])

      const again = await openFull(disk)
      expect(await idsOf(again)).toEqual(ids.slice(4).toSorted())
      const { forgotten } = await again.call('forget', { ids: ids.slice(4) }, context)
      expect(forgotten).toHaveLength(ids.length - 4)
      expect(disk.holds('canary')).toBe(false)
      await again.call('compact', {}, context)
      disk.limit(space)
      await again.call('put', { batch: [recordOf(0), recordOf(1)] }, context)
      expect(await idsOf(again)).toEqual(['r0', 'r1'])
      expect((await again.call('integrityCheck', {}, context)).problems).toEqual([])
      await again.call('close', {}, context)
    },
    240_000,
  )

  test('[P3] a put that does not fit changes nothing, and a deletion leaves room for a smaller one', async () => {
    const disk = createLimitedDisk({ copyOnWrite })
    disk.limit(5_000_000)
    const engine = await openFull(disk)
    const ids = await fill(engine, 3)
    const before = await exported(engine)
    const batch = Array.from({ length: 40 }, (_, i) => recordOf(1_000 + i))
    await expect(engine.call('put', { batch }, context)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await exported(engine)).toBe(before)
    // The half: what is reserved for deletions grows with the store.
    const half = Math.ceil(ids.length / 2)
    await engine.call('forget', { ids: ids.slice(0, half) }, context)
    await engine.call('put', { batch: [recordOf(2_000)] }, context)
    expect(await idsOf(engine)).toEqual([...ids.slice(half), 'r2000'].toSorted())
    await engine.call('close', {}, context)
  })
})

test.each([5_000_000, 5_500_000, 6_000_000])(
  '[P3] twenty records forgotten on a full disk of %i bytes leave room for a put',
  async (space) => {
    const disk = createLimitedDisk()
    disk.limit(space)
    const engine = await openFull(disk)
    const ids = await fill(engine, 3)
    await engine.call('forget', { ids: ids.slice(0, 20) }, context)
    await engine.call('put', { batch: [recordOf(2_000)] }, context)
    expect(await idsOf(engine)).toEqual([...ids.slice(20), 'r2000'].toSorted())
    await engine.call('close', {}, context)
  },
  240_000,
)

test('control: a store without a reserve cannot be emptied', async () => {
  const disk = createLimitedDisk()
  const start = createFilling(64)
  /** Leaves out what the reserve writes. */
  const withoutReserve: Disk = {
    ...disk,
    open(opened, create) {
      const file = disk.open(opened, create)
      const isFilling = (source: Uint8Array) => source.subarray(0, start.length).every((byte, i) => byte === start[i])
      return { ...file, write: (source, offset) => (isFilling(source) ? undefined : file.write(source, offset)) }
    },
  }
  disk.limit(4_500_000)
  const engine = await openFull(withoutReserve)
  const ids = await fill(engine, 1)
  disk.limit(disk.bytes())
  await expect(engine.call('forget', { ids: ids.slice(0, 3) }, context)).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
  })
})

/** The path of an empty file system of this size; null where this process may not mount one. */
function mountSmall(megabytes: number): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
}

describe('a file system without free space', () => {
  const folder = mountSmall(6)

  afterAll(() => {
    if (folder === null) return
    // Lazily: a test that failed may have left the store open.
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })

  test.skipIf(folder === null)(
    '[P3] a store in a file reads, exports, forgets, closes, opens and compacts, then stores again',
    async () => {
      const file = join(folder!, 'memory.sqlite')
      const ballast = join(folder!, 'ballast')
      let recall = await openRecall({ path: file, embedder: null })
      const stored: string[] = []
      const put = async (from: number, count: number) => {
        const records = Array.from({ length: count }, (_, i) => recordOf(from + i))
        await recall.put(records, { atomic: true })
        stored.push(...records.map(({ id }) => id))
      }
      const filled = (async () => {
        for (let number = 0; ; number += 8) await put(number, 8)
      })()
      await expect(filled).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
      expect(stored.length).toBeGreaterThan(20)
      expect(() => fillUp(ballast)).toThrow(/ENOSPC/)

      expect(await recall.count()).toBe(stored.length)
      expect((await recall.recall({ text: 'canary1x' })).hits[0]?.id).toBe('r1')
      expect((await recall.forget('r0')).forgotten).toEqual(['r0'])
      expect(readFileSync(file).includes('canary0x')).toBe(false)
      await recall.close()
      expect(readdirSync(folder!).sort()).toEqual(['ballast', 'memory.sqlite'])

      recall = await openRecall({ path: file, embedder: null })
      expect(await recall.count()).toBe(stored.length - 1)
      expect((await recall.forget(stored.slice(1, 10))).forgotten).toHaveLength(9)
      await recall.compact()
      expect((await recall.integrityCheck()).problems).toEqual([])
      let bytes = 0
      for await (const part of recall.exportTo()) bytes += part.length
      expect(bytes).toBeGreaterThan(50_000)
      await recall.forget({ project: 'full' })
      rmSync(ballast)
      await put(0, 1)
      expect(await recall.count()).toBe(1)
      await recall.close()
    },
    240_000,
  )
})

/** Writes until not a byte is left. */
function fillUp(path: string): void {
  for (let part = 1 << 16; ; ) {
    try {
      writeFileSync(path, new Uint8Array(part), { flag: 'a' })
    } catch (error) {
      if (part === 1) throw error
      part = Math.ceil(part / 16)
    }
  }
}
