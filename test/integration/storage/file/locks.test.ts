/** The locks of a store in a file: adding, removing and listing them, in every process and whatever ends it; locking it now, and when no one uses it [K3]. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { GivenLock, LockInput, OpeningLock } from '../../../../src/core/model/lock.ts'
import { openRecall, type Recall, type RecallError } from '../../../../src/index.ts'
import { openInline } from '../../../../worker/inline.ts'
import { nodeDisk } from '../../../../worker/node/node-disk.ts'
import { keyAreaBytes, readKeyArea } from '../../../../worker/storage/file/key-area.ts'
import { engineOptions } from '../../../support/stores/engine-options.ts'
import { call, folder, path, put } from './folder.ts'

const keyOf = (factor: number) => Uint8Array.from({ length: 32 }, (_, i) => (factor * i + 1) % 256)
const [first, second, third]: readonly OpeningLock[] = [
  { key: keyOf(5) },
  { key: keyOf(7) },
  { key: keyOf(9) },
] as const
const open = (lock: OpeningLock | undefined = first, at = path) =>
  openRecall({ path: at, embedder: null, lock: lock as LockInput })
/** Its own sockets, as if it were in a process of its own. */
const openProcess = (lock: OpeningLock, addedMs = 1) =>
  openInline({ ...engineOptions, name: path, storage: 'file', lock: { ...copyOf(lock), addedMs } }, { kind: 'none' })
/** The engine wipes what it was given. */
const copyOf = (lock: OpeningLock) => ('key' in lock ? { ...lock, key: lock.key.slice() } : lock)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: RecallError) => error.code ?? String(error),
  )

async function withRecall<T>(lock: OpeningLock, work: (recall: Recall) => Promise<T>, at = path): Promise<T> {
  const recall = await open(lock, at)
  try {
    return await work(recall)
  } finally {
    await recall.close()
  }
}

test('[K3] locks are added, listed without keys, and removed; the last one stays; each opens the store', async () => {
  await withRecall(first!, async ({ keys, put: store }) => {
    await store({ id: 'a', body: 'acorn' })
    const [own] = await keys.list()
    expect(own).toEqual({ id: expect.any(String), kind: 'key', added: expect.any(Number), isOwn: true })
    const added = await keys.add(second!)
    expect(added).toMatchObject({ kind: 'key', isOwn: false })
    expect(await keys.list()).toEqual([own, added])
    await expect(keys.remove('none')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' })
    await expect(keys.remove(7 as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' })
    const invalid: RecallError = (await keys
      .add({ key: keyOf(5).slice(1) })
      .catch((error: RecallError) => error)) as never
    expect(invalid).toMatchObject({ code: 'INVALID_CONFIG', field: 'lock.key' })
    await expect(keys.add({ passkey: {} })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'lock.passkey' })
    await keys.remove(own!.id)
    await expect(keys.remove(added.id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' })
    expect(await keys.list()).toEqual([added])
    // Here it stays open, and both who come later and this page know the new lock.
    await withRecall(second!, async (again) => expect(await again.count()).toBe(1))
  })
  expect(await codeOf(open(first))).toBe('WRONG_KEY')
  expect(await withRecall(second!, ({ get }) => get('a'))).toMatchObject({ body: 'acorn' })
})

test('[K3] a follower changes the locks of the owner, whose takeover needs no removed lock', async () => {
  const leader = await openProcess(first!)
  await put(leader, 'a')
  const follower = await openProcess(first!)
  const lock: GivenLock = { passphrase: 'seven jays in the old oak', addedMs: 5 }
  const { locks, added } = await call(follower, 'locks', { add: lock })
  expect(locks).toMatchObject([{ isOwn: true }, { id: added, kind: 'passphrase', added: 5, isOwn: false }])
  await call(leader, 'locks', { remove: locks[0]!.id })
  expect((await call(follower, 'locks')).locks).toMatchObject([{ id: added, isOwn: false }])
  await call(leader, 'close')
  // It leads now.
  await put(follower, 'b')
  expect((await call(follower, 'status')).role).toBe('leader')
  await call(follower, 'close')
  expect(await codeOf(open(first))).toBe('WRONG_KEY')
  expect(await withRecall({ passphrase: lock.passphrase }, ({ count }) => count())).toBe(2)
})

test('[K3] a kill while the locks change leaves the old ones or the new ones; control: half a copy of both is damage', async () => {
  const sizeOfFile = await withRecall(first!, async ({ put: store }) => {
    await store({ id: 'a', body: 'acorn' })
    return readFileSync(path).length
  })
  const before = readFileSync(path)
  await withRecall(first!, ({ keys }) => keys.add(second!))
  const after = readFileSync(path)
  expect(after.length).toBeGreaterThanOrEqual(Math.min(sizeOfFile, keyAreaBytes))
  const outcomes = new Set<string>()
  // The first copy is written, then the second one.
  for (let written = 0; written <= keyAreaBytes; written += 2048) {
    const at = join(folder, `killed-${written}.sqlite`)
    writeFileSync(at, Buffer.concat([after.subarray(0, written), before.subarray(written)]))
    expect(await withRecall(first!, ({ count }) => count(), at)).toBe(1)
    const outcome = await codeOf(withRecall(second!, ({ count }) => count(), at))
    expect(outcome).toMatch(/^(?:done|WRONG_KEY)$/)
    outcomes.add(outcome)
    const area = readKeyArea(nodeDisk, at)
    expect(area).toMatchObject({ isEven: true })
  }
  expect(outcomes.size).toBe(2)
  const torn = Buffer.from(after)
  for (const at of [100, keyAreaBytes / 2 + 100]) torn[at]! ^= 1
  writeFileSync(path, torn)
  expect(await codeOf(open(first))).toBe('STORE_CORRUPT')
})

test('[K3] after lockNow every process gets LOCKED, the keys are gone from memory, and the next one opens it', async () => {
  const given = { key: keyOf(5) }
  const recall = await open(given)
  await recall.put({ id: 'a', body: 'acorn' })
  const events: unknown[] = []
  recall.subscribe((event) => event.type === 'closed' && events.push(event))
  const lock: GivenLock = { key: keyOf(5), addedMs: 1 }
  const follower = await openInline({ ...engineOptions, name: path, storage: 'file', lock }, { kind: 'none' })
  const waiting = openProcess(first!)
  await call(follower, 'lockNow')
  expect(lock.key).toEqual(new Uint8Array(32))
  // The caller's own bytes are its own.
  expect(given.key).toEqual(keyOf(5))
  await expect(call(follower, 'count', { scope: {} })).rejects.toMatchObject({ code: 'LOCKED' })
  await expect.poll(() => events).toEqual([{ type: 'closed', isLocked: true }])
  for (const work of [recall.count(), recall.put({ id: 'b', body: 'b' }), recall.keys.list(), recall.lockNow()])
    await expect(work).rejects.toMatchObject({ code: 'LOCKED' })
  // It asked before: it may have opened the store, or been locked with the others.
  const late = await waiting.catch((error: RecallError) => error.code)
  if (typeof late === 'string') expect(late).toBe('LOCKED')
  else await call(late, 'close').catch(() => undefined)
  const again = await open()
  expect(await again.count()).toBe(1)
  await again.lockNow()
  await expect(again.count()).rejects.toMatchObject({ code: 'LOCKED' })
  expect(await withRecall(first!, ({ count }) => count())).toBe(1)
})

test('[K3] a store that no one uses for `idleMs` locks itself, and any process keeps it open', async () => {
  for (const idleMs of [0, 999, Number.NaN, 2 ** 31, '5000'])
    await expect(open({ ...first!, idleMs } as OpeningLock)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'lock.idleMs',
    })
  const user = await openProcess(first!)
  const recall = await open({ ...first!, idleMs: 1_000 })
  let isLocked = false
  recall.subscribe((event) => (isLocked ||= event.type === 'closed' && event.isLocked === true))
  for (let i = 0; i < 6; i++) {
    await wait(250)
    await put(user, `r${i}`)
  }
  expect(isLocked).toBe(false)
  await expect.poll(() => isLocked, { timeout: 10_000 }).toBe(true)
  await expect(recall.count()).rejects.toMatchObject({ code: 'LOCKED' })
  await expect(call(user, 'count', { scope: {} })).rejects.toMatchObject({ code: 'LOCKED' })
})

test('[K3] a recovery code is shown once, is typed in any form, and a wrong letter names its group', async () => {
  const made = await withRecall(first!, ({ keys }) => keys.add({ recoveryCode: true }))
  expect(made).toMatchObject({
    kind: 'recoveryCode',
    recoveryCode: expect.stringMatching(/^(?:[0-9A-Z]{5}-){6}[0-9A-Z]{5}$/),
  })
  const { recoveryCode } = made
  expect(readFileSync(path).includes(recoveryCode)).toBe(false)
  const typed = ` ${recoveryCode.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}\n`
  await withRecall({ recoveryCode: typed }, async ({ keys }) => {
    expect((await keys.list()).map(({ kind, isOwn }) => [kind, isOwn])).toEqual([
      ['key', false],
      ['recoveryCode', true],
    ])
  })
  const changed = recoveryCode.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A'))
  const error: RecallError = (await open({ recoveryCode: changed }).catch((thrown: RecallError) => thrown)) as never
  expect(error).toMatchObject({ code: 'INVALID_CONFIG', field: 'lock.recoveryCode' })
  expect(error.message).toContain('group 7')
  expect(JSON.stringify(error.toDetails())).not.toContain(changed.slice(0, 5))
  await expect(open({ recoveryCode: recoveryCode.slice(6) })).rejects.toMatchObject({ field: 'lock.recoveryCode' })
  const copy = join(folder, 'other.sqlite')
  await withRecall(third!, ({ put: store }) => store({ id: 'a', body: 'a' }), copy)
  await expect(open({ recoveryCode }, copy)).rejects.toMatchObject({ code: 'WRONG_KEY' })
})

test('[K3] a store without locks has none to change', async () => {
  const recall = await openRecall({ path, embedder: null })
  const { keys, lockNow } = recall
  for (const work of [() => keys.list(), () => keys.add(first as LockInput), () => keys.remove('a'), () => lockNow()])
    await expect(work()).rejects.toMatchObject({ code: 'INVALID_CONFIG', hint: expect.stringMatching(/./) })
  expect(await recall.count()).toBe(0)
  await recall.close()
  const memory = await openRecall({ name: 'keys in memory', storage: 'memory', embedder: null })
  await expect(memory.keys.list()).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
  await memory.close()
})

test('[K3] a removed lock still opens an earlier copy', async () => {
  const copy = join(folder, 'copy.sqlite')
  await withRecall(first!, async ({ keys, put: store }) => {
    await store({ id: 'a', body: 'acorn' })
    await keys.add(second!)
  })
  copyFileSync(path, copy)
  await withRecall(second!, async ({ keys }) => keys.remove((await keys.list())[0]!.id))
  expect(await codeOf(open(first))).toBe('WRONG_KEY')
  expect(await withRecall(first!, ({ count }) => count(), copy)).toBe(1)
})

test('[K4] after `compact({ newKey: true })` the same locks open the store, in every process; a removed lock and an older head of the file do not', async () => {
  const { recoveryCode } = await withRecall(first!, async ({ keys, put: store }) => {
    await store({ id: 'a', body: 'acorn' })
    await keys.add(second!)
    return keys.add({ recoveryCode: true })
  })
  const old = readFileSync(path)
  const withOldHead = () => {
    const at = join(folder, 'mixed.sqlite')
    writeFileSync(at, Buffer.concat([old.subarray(0, keyAreaBytes), readFileSync(path).subarray(keyAreaBytes)]))
    return codeOf(withRecall(second!, ({ get }) => get('a'), at))
  }
  await withRecall(first!, async ({ keys, put: store }) => {
    await keys.remove((await keys.list())[1]!.id)
    await store({ id: 'b', body: 'beech' })
  })
  // Control: without a new key, someone with an old copy reads on.
  expect(await withOldHead()).toBe('done')
  const leader = await openProcess(first!)
  const follower = await openProcess({ recoveryCode })
  const { locks: before } = await call(follower, 'locks')
  const work = call(follower, 'compact', { newKey: true })
  await put(leader, 'c')
  expect(await work).toMatchObject({ bytesAfter: expect.any(Number) })
  await call(leader, 'compact', { newKey: true })
  expect((await call(follower, 'locks')).locks).toEqual(before)
  const { added } = await call(follower, 'locks', { add: { ...copyOf(third!), addedMs: 7 } })
  expect((await call(leader, 'locks')).locks.map(({ id }) => id)).toEqual([...before.map(({ id }) => id), added])
  await call(leader, 'close')
  await put(follower, 'd')
  await call(follower, 'close')
  expect(await withOldHead()).toBe('STORE_CORRUPT')
  expect(await codeOf(open(second))).toBe('WRONG_KEY')
  for (const lock of [first!, third!, { recoveryCode }]) expect(await withRecall(lock, ({ count }) => count())).toBe(4)
})

test('[K4] a new key is refused where there are no locks, and an option of another kind', async () => {
  const recall = await openRecall({ path, embedder: null })
  await expect(recall.compact({ newKey: true })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
  await recall.compact({ newKey: false })
  await recall.close()
  const at = join(folder, 'locked.sqlite')
  await withRecall(
    first!,
    ({ compact }) =>
      expect(compact({ newKey: 'yes' as never })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'newKey' }),
    at,
  )
})
