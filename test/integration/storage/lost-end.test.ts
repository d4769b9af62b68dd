/** Tests a journal whose end was lost to damage: SQLite sees a store that ends earlier, and this is reported once. */
import { expect, test } from 'vitest'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { takeLockFile } from '../../../worker/storage/opfs/lock-file.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createFakeOpfs } from '../../torture/t3/fake-opfs.ts'

async function openStorage(latest: number) {
  let noted = latest
  const acknowledged = { latest: () => noted, note: (revision: number) => void (noted = revision) }
  return { storage: { ...(await openMemory(await initSqlite(), 'ends')), acknowledged }, noted: () => noted }
}

test('[P1] a store that ends before its acknowledged end is STORE_CORRUPT, and opens without it at the second attempt', async () => {
  const { storage, noted } = await openStorage(3)
  const open = () => createEngineOver(storage, engineOptions, null)
  expect(open).toThrow(
    expect.objectContaining({ code: 'STORE_CORRUPT', message: expect.stringContaining('last 3 changes') }),
  )
  const engine = open()
  expect(noted()).toBe(0)
  await engine.call('put', { batch: [{ id: 'a', body: 'a jay' }] }, { now: 0 })
  expect(noted()).toBe(1)
  await engine.call('strengthen', { a: 'a', b: 'a' }, { now: 0 }).catch(() => undefined)
  await engine.call('put', { batch: [{ id: 'b', body: 'an oak' }] }, { now: 0 })
  expect(noted()).toBe(engine.revision())
})

test('control: a store that reaches its acknowledged end, or goes further, opens', async () => {
  const { storage } = await openStorage(0)
  await createEngineOver(storage, engineOptions, null).call('put', { batch: [{ body: 'a jay' }] }, { now: 0 })
  expect(() => createEngineOver(storage, engineOptions, null)).not.toThrow()
})

test('the note survives a kill, is ignored when damaged, and is deleted with its store', async () => {
  const disk = createFakeOpfs()
  const take = async () => takeLockFile(await disk.getDirectory())
  const first = await take()
  expect([first.wasCreated, first.noted()]).toEqual([false, 0])
  first.markCreated()
  first.note(41)
  first.note(42)
  disk.kill()
  const second = await take()
  expect([second.wasCreated, second.noted()]).toEqual([true, 42])
  disk.kill()
  for (let bit = 0; bit < 128; bit++) {
    const damaged = disk.copy()
    damaged.edit((_path, bytes) => {
      bytes[8 + (bit >> 3)] = bytes[8 + (bit >> 3)]! ^ (1 << (bit & 7))
      return bytes
    })
    expect((await takeLockFile(await damaged.getDirectory())).noted()).toBe(0)
  }
  const third = await take()
  third.markAbsent()
  third.release()
  const fourth = await take()
  fourth.markCreated()
  expect(fourth.noted()).toBe(0)
})
