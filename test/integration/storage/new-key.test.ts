/**
 * `compact({ newKey: true })` over a file and IndexedDB whose power fails at any call: the store always opens with its locks and has every record [K2],
 * and afterwards nothing of it opens with the old key [K4].
 */
import { expect, test } from 'vitest'
import type { OpeningLock } from '../../../src/core/model/lock.ts'
import { createEngineOver, type Engine } from '../../../worker/engine/engine.ts'
import { holdLocks } from '../../../worker/engine/hold-locks.ts'
import { openKeys } from '../../../worker/lock/locks.ts'
import type { HeldKeys } from '../../../worker/lock/port.ts'
import type { Seal } from '../../../worker/sqlite/pages/seal.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { createKeyring } from '../../../worker/storage/common/keyring.ts'
import type { OpenStorage } from '../../../worker/storage/common/port.ts'
import { openFile } from '../../../worker/storage/file/file.ts'
import { keyAreaBytes, readKeyArea } from '../../../worker/storage/file/key-area.ts'
import { lockedDisk } from '../../../worker/storage/file/locked-disk.ts'
import { createUnlocker } from '../../../worker/storage/file/unlock-file.ts'
import { unlockBytes } from '../../../worker/storage/indexeddb/encrypted-bytes.ts'
import { sized } from '../../support/data/sized.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged, shortLimits } from '../../support/stores/open-paged.ts'
import { createFakeOpfs, type FakeOpfs } from '../../torture/t3/fake-opfs.ts'
import { createRandom } from '../../torture/t3/random.ts'
import { context, options } from './paged/paged-store.ts'

const [lock, second]: readonly [OpeningLock, OpeningLock] = [3, 5].map((factor) => ({
  key: Uint8Array.from({ length: 32 }, (_, i) => (factor * i + 1) % 256),
})) as never
const path = 'store.sqlite'
const bodyOf = (i: number) => `quetzal ${i} `.repeat(60)
const count = 30

interface Opened {
  readonly engine: Engine
  readonly storage: OpenStorage
}

async function opened(storage: OpenStorage): Promise<Opened> {
  const engine = createEngineOver(storage, options, null)
  await engine.secure()
  return { storage, engine: holdLocks(engine, () => undefined, 'test') }
}

async function openInFile(disk: FakeOpfs, given = lock): Promise<Opened> {
  const files = disk.files()
  const keys = (await createUnlocker(files, path, createKeyring(copyOf(given), path)).open())!
  return opened(await openFile(await initSqlite(), lockedDisk(files, path, keys.seal), path, { keys }))
}

async function openInValues(bytes: MemoryByteStore, given = lock): Promise<Opened & { readonly keys: HeldKeys }> {
  const keyring = createKeyring(copyOf(given), 'test')
  const request = { name: 'test', keyring, copied: undefined, wasCreated: true }
  const { bytes: values, keys } = await unlockBytes(bytes, await bytes.keys(), request)
  return { ...(await opened({ ...(await openPaged(values, shortLimits)), keys })), keys }
}

const copyOf = (given: OpeningLock) => ({ ...given, ...('key' in given && { key: given.key.slice() }), addedMs: 0 })

/** A store with records and two locks. */
async function fill({ engine, storage }: Opened): Promise<void> {
  const batch = Array.from({ length: count }, (_, i) => ({ id: `r${i}`, body: bodyOf(i) }))
  await engine.call('put', { batch }, context)
  const added = await storage.keys!.wrap(copyOf(second))
  await engine.call('storedLocks', { add: added.text }, context)
}

async function checkRecords({ engine }: Opened): Promise<void> {
  const { items } = await engine.call('list', { filter: { limit: 100 } }, context)
  expect(items.map(({ id, body }) => `${id} ${body}`).toSorted()).toEqual(
    Array.from({ length: count }, (_, i) => `r${i} ${bodyOf(i)}`).toSorted(),
  )
}

const renew = ({ engine }: Opened) => engine.call('compact', { newKey: true }, context)
const close = ({ engine }: Opened) => engine.call('close', {}, context)

async function sealOf(record: Uint8Array): Promise<Seal> {
  const unlocked = await openKeys(record, copyOf(lock))
  if (typeof unlocked === 'string') throw new Error(unlocked)
  return unlocked.keys.seal
}

test('[K2] [K4] a file: the power fails at any call while the store gets a new key', async () => {
  const base = createFakeOpfs()
  const first = await openInFile(base)
  await fill(first)
  await close(first)
  const whole = base.copy()
  const store = await openInFile(whole)
  const before = whole.changes()
  await renew(store)
  const calls = whole.changes() - before
  await close(store)
  expect(calls).toBeGreaterThan(10)
  const random = createRandom(43)
  let cut = 0
  const trials = sized(3)
  for (let trial = 0; trial < trials; trial++) {
    const disk = base.copy()
    await attempt(async () => {
      const store = await openInFile(disk)
      disk.armCrash(1 + Math.floor(((trial + 0.5) * calls) / trials), trial % 3 === 1 ? 'flush' : 'any')
      try {
        await renew(store)
      } finally {
        await close(store)
      }
    })
    if (disk.hasCrashed()) cut += 1
    disk.losePower(trial % 2 === 0 ? 'sector' : 'prefix', random)
    // Either lock opens it, and the next call completes it.
    const again = await openInFile(disk, trial % 2 === 0 ? lock : second)
    await checkRecords(again)
    await renew(again)
    await checkRecords(again)
    await close(again)
    const last = await openInFile(disk, trial % 2 === 0 ? second : lock)
    expect(last.storage.keys?.isRenewing).toBe(false)
    await checkRecords(last)
    await close(last)
    disk.wipe()
  }
  expect(cut).toBeGreaterThan(trials / 2)
})

test('[K2] [K4] IndexedDB: the tab is killed at any write while the store gets a new key', async () => {
  const base = createMemoryByteStore()
  const first = await openInValues(base)
  await fill(first)
  await close(first)
  const whole = base.copy()
  const store = await openInValues(whole)
  const before = whole.writes()
  await renew(store)
  const writes = whole.writes() - before
  await close(store)
  expect(writes).toBeGreaterThan(5)
  const trials = sized(3)
  for (let trial = 0; trial < trials; trial++) {
    let bytes = base.copy()
    const killed = await openInValues(bytes)
    bytes.dieAt(bytes.writes() + 1 + Math.floor(((trial + 0.5) * writes) / trials), trial % 2 === 0)
    await Promise.race([until(() => bytes.hasDied()), renew(killed)])
    expect(bytes.hasDied()).toBe(true)
    bytes = bytes.copy()
    const again = await openInValues(bytes, trial % 2 === 0 ? lock : second)
    await checkRecords(again)
    await renew(again)
    await close(again)
    const last = await openInValues(bytes, trial % 2 === 0 ? second : lock)
    expect(last.keys.isRenewing).toBe(false)
    await checkRecords(last)
    await close(last)
  }
})

test('[K4] IndexedDB: no value opens with the old key; control: before, all do', async () => {
  const bytes = createMemoryByteStore()
  const store = await openInValues(bytes)
  await fill(store)
  const old = await sealOf(store.keys.record())
  const readable = (seal: Seal) =>
    [...bytes.values].filter(([key, value]) => {
      const name = new TextEncoder().encode(key)
      const unit = new Uint8Array(name.length + value.length)
      unit.set(name)
      unit.set(value, name.length)
      return value.length > 40 && seal.open(unit, { kind: 'value', number: 1 }, name.length)
    }).length
  expect(readable(old)).toBeGreaterThan(3)
  await renew(store)
  expect(readable(old)).toBe(0)
  await close(store)
  expect(readable(old)).toBe(0)
  await checkRecords(await openInValues(bytes))
})

test('[K4] a file: no page, frame or revision opens with the old key; control: before, all do', async () => {
  const disk = createFakeOpfs()
  const store = await openInFile(disk)
  await fill(store)
  store.storage.checkpoint()
  const bytesOf = () => {
    const found = new Map<string, Uint8Array>()
    disk.edit((name, bytes) => {
      found.set(name, bytes)
      return null
    })
    return found
  }
  const old = await sealOf((await readRecord(disk)).record)
  /** Numbers of pages of the file that the seal opens. */
  const readable = (seal: Seal) => {
    const file = [...bytesOf()].find(([name]) => name.endsWith(path))![1]
    let pages = 0
    for (let at = keyAreaBytes; at + 8192 <= file.length; at += 8192) {
      const number = (at - keyAreaBytes) / 8192
      if (seal.open(file.slice(at, at + 8192), { kind: 'page', number }, number === 0 ? 108 : 0)) pages += 1
    }
    return pages
  }
  const pages = readable(old)
  expect(pages).toBeGreaterThan(20)
  await renew(store)
  expect(readable(old)).toBe(0)
  const renewed = await sealOf((await readRecord(disk)).record)
  expect(readable(renewed)).toBeGreaterThan(20)
  await close(store)
  for (const [name, bytes] of bytesOf()) if (name.endsWith('-wal')) expect(bytes.every((byte) => byte === 0)).toBe(true)
})

async function readRecord(disk: FakeOpfs) {
  const area = readKeyArea(disk.files(), path)
  if (area === null || typeof area === 'string') throw new Error('no locks')
  return area
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {}
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve))
}
