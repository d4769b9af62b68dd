/** Locked stores in IndexedDB, over a byte store in memory: nothing readable is written [K1], whatever ends or damages them [K2]. */
import { expect, test } from 'vitest'
import { RecallError } from '../../../../src/core/model/errors.ts'
import type { OpeningLock } from '../../../../src/core/model/lock.ts'
import { createEngineOver } from '../../../../worker/engine/engine.ts'
import { createKeyring } from '../../../../worker/storage/common/keyring.ts'
import { unlockBytes } from '../../../../worker/storage/indexeddb/encrypted-bytes.ts'
import { createRandom } from '../../../support/data/random.ts'
import { sized } from '../../../support/data/sized.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../../support/stores/open-paged.ts'
import { context, options } from './paged-store.ts'

const lock: OpeningLock = { key: Uint8Array.from({ length: 32 }, (_, i) => 5 * i + 1) }

/** `given` null: without a lock. */
async function unlocked(bytes: MemoryByteStore, given: OpeningLock | null = lock) {
  if (given === null) return bytes
  const request = {
    name: 'test',
    keyring: createKeyring({ ...given, addedMs: 0 }, 'test'),
    copied: undefined,
    wasCreated: true,
  }
  return (await unlockBytes(bytes, await bytes.keys(), request)).bytes
}

async function open(bytes: MemoryByteStore, given: OpeningLock | null = lock) {
  const storage = await openPaged(await unlocked(bytes, given), shortLimits)
  const engine = createEngineOver(storage, options, null)
  await engine.secure()
  return { engine, storage }
}

const bodyOf = (i: number) =>
  `quetzal${String.fromCharCode(97 + (i % 26))} ${'bcdefghi'.slice(i % 5)} number ${i}`.repeat(9)

function isReadable({ values }: MemoryByteStore): boolean {
  return [...values].some(([key, bytes]) => {
    const text = Buffer.from(bytes)
    return [key, text.toString('latin1'), text.toString('utf16le')].some((part) => /quetzal[a-z]/i.test(part))
  })
}

test('[K1] [K2] an owner that dies at any write leaves every acknowledged record, and nothing readable; control: an open store', async () => {
  const random = createRandom(43)
  let looks = 0
  for (let trial = 0; trial < sized(16); trial++) {
    let bytes = createMemoryByteStore()
    const acknowledged = new Set<number>()
    let next = 0
    for (let life = 0; life < 3; life++) {
      bytes.dieAt(bytes.writes() + 1 + random.below(14), random.below(2) === 0)
      await Promise.race([until(() => bytes.hasDied()), write(bytes)])
      looks += 1
      expect(isReadable(bytes), `trial ${trial}`).toBe(false)
      bytes = bytes.copy()
    }
    const { engine, storage } = await open(bytes)
    const { items } = await engine.call('list', { filter: { limit: 1000 } }, context)
    const found = new Map(items.map((record) => [record.id, record.body]))
    for (const i of acknowledged) expect(found.get(`r${i}`), `trial ${trial}`).toBe(bodyOf(i))
    await storage.close()

    async function write(own: MemoryByteStore): Promise<void> {
      const { engine } = await open(own)
      for (let left = 4; left > 0; left--) {
        const i = next++
        await engine.call('put', { batch: [{ id: `r${i}`, body: bodyOf(i) }] }, context)
        acknowledged.add(i)
      }
      await engine.call('close', {}, context)
    }
  }
  expect(looks).toBeGreaterThan(10)
  const plain = createMemoryByteStore()
  const { engine } = await open(plain, null)
  await engine.call('put', { batch: [{ id: 'a', body: bodyOf(1) }] }, context)
  expect(isReadable(plain)).toBe(true)
})

test('[K2] changed, exchanged and older values are STORE_CORRUPT or harmless: never another record, never WRONG_KEY', async () => {
  const bytes = createMemoryByteStore()
  const { engine } = await open(bytes)
  for (let i = 0; i < 14; i++) await engine.call('put', { batch: [{ id: `r${i}`, body: bodyOf(i) }] }, context)
  const before = bytes.copy()
  await engine.call('put', { batch: [{ id: 'r14', body: bodyOf(14) }] }, context)
  await engine.call('close', {}, context)
  const random = createRandom(7)
  const keys = [...bytes.values.keys()].filter((key) => !key.startsWith('reserve/'))
  const counts = { same: 0, corrupt: 0 }
  for (let trial = 0; trial < sized(60); trial++) {
    const copy = bytes.copy()
    for (let wounds = 1 + (trial % 4); wounds > 0; wounds--) {
      const key = random.pick(keys)
      const value = copy.values.get(key)!
      const how = random.below(5)
      if (how === 0) copy.values.set(key, copy.values.get(random.pick(keys))!.slice())
      else if (how === 1 && before.values.has(key)) copy.values.set(key, before.values.get(key)!.slice())
      else value[random.below(value.length)]! ^= 1 << random.below(8)
    }
    try {
      const opened = await open(copy)
      const { items } = await opened.engine.call('list', { filter: { limit: 100 } }, context)
      const found = items.map((record) => `${record.id} ${record.body}`).toSorted()
      expect(found, `trial ${trial}`).toEqual(Array.from({ length: 15 }, (_, i) => `r${i} ${bodyOf(i)}`).toSorted())
      counts.same += 1
      await opened.storage.close()
    } catch (error) {
      if (!(error instanceof RecallError)) throw error
      expect(error.code, `trial ${trial}`).toBe('STORE_CORRUPT')
      counts.corrupt += 1
    }
  }
  expect(Math.min(counts.same, counts.corrupt)).toBeGreaterThan(3)
})

test('a store opens with its lock alone, and a refused lock changes nothing', async () => {
  const bytes = createMemoryByteStore()
  await (await open(bytes)).engine.call('close', {}, context)
  const before = [...bytes.values].map(([key, value]) => [key, Buffer.from(value).toString('hex')])
  await expect(open(bytes, { key: new Uint8Array(32).fill(7) })).rejects.toMatchObject({ code: 'WRONG_KEY' })
  expect([...bytes.values].map(([key, value]) => [key, Buffer.from(value).toString('hex')])).toEqual(before)
  for (const key of ['locks/1', 'locks/2']) bytes.values.delete(key)
  await expect(open(bytes)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  const plain = createMemoryByteStore()
  await (await open(plain, null)).engine.call('close', {}, context)
  await expect(open(plain)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'lock' })
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve))
}
