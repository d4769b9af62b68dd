/** [P4] Checks that replaced text leaves stored values after a second of rest, over the page log of IndexedDB. */
import { expect, test, vi } from 'vitest'
import type { Engine } from '../../../worker/engine/engine.ts'
import { createEngineOver } from '../../../worker/engine/engine.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { createMemoryByteStore, type MemoryByteStore } from '../../support/stores/memory-byte-store.ts'
import { openPaged } from '../../support/stores/open-paged.ts'

const secret = 'qzxwvbnmkjhg'
const context = { now: 1 }

test('[P4] text that a put replaced is in no stored value after a second of rest, and in one before', async () => {
  const bytes = createMemoryByteStore()
  const { engine, clock } = await openWithSecret(bytes)
  await replaceSecret(engine)
  expect(found(bytes)).toBeGreaterThan(0)
  clock.pass(999)
  await engine.call('put', { batch: [{ id: 'secret', body: 'replaced again' }] }, context)
  clock.pass(999)
  await settled()
  // Each replacement restarts the second.
  expect(found(bytes)).toBeGreaterThan(0)
  clock.pass(1)
  await settled()
  expect(found(bytes)).toBe(0)
})

test('[P4] text leaves ten seconds after its replacement although other texts are replaced every half second', async () => {
  const bytes = createMemoryByteStore()
  const { engine, clock } = await openWithSecret(bytes)
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock.now())
  try {
    await engine.call('put', { batch: [{ id: 'busy', body: 'busy 0' }] }, context)
    await replaceSecret(engine)
    const lives: boolean[] = []
    for (let half = 1; half <= 22; half++) {
      clock.pass(500)
      await settled()
      lives.push(found(bytes) > 0)
      await engine.call('put', { batch: [{ id: 'busy', body: `busy ${half}` }] }, context)
    }
    // 19 halves: 9.5 s. Half 20 ends ten seconds after the replacement.
    expect(lives).toEqual(Array.from({ length: 22 }, (_, i) => i < 19))
  } finally {
    spy.mockRestore()
  }
})

test('[P4] an erasing that fails is tried again ten seconds later, without another write', async () => {
  const bytes = createMemoryByteStore()
  let fails = 2
  const failTwice = (erase: () => void | Promise<void>) => () => {
    if (fails-- > 0) throw new Error('The journal could not be emptied.')
    return erase()
  }
  const { engine, clock } = await openWithSecret(bytes, failTwice)
  await replaceSecret(engine)
  for (const [ms, isThere] of [
    [1_000, true],
    [10_000, true],
    [9_999, true],
    [1, false],
  ] as const) {
    clock.pass(ms)
    await settled()
    expect(found(bytes) > 0, `${ms} ms later`).toBe(isThere)
  }
})

test('[P4] when a page goes away, and when a store closes, it is erased at once', async () => {
  for (const end of ['erase', 'close'] as const) {
    const bytes = createMemoryByteStore()
    const { engine } = await openWithSecret(bytes)
    await replaceSecret(engine)
    if (end === 'erase') engine.erase()
    else await engine.call('close', {}, context)
    await settled()
    expect(found(bytes)).toBe(0)
  }
})

test('[P4] text left by a killed owner is erased when the store is opened, also after a disk that was full meanwhile', async () => {
  const bytes = createMemoryByteStore()
  const { engine } = await openWithSecret(bytes)
  await replaceSecret(engine)
  const whole = bytes.copy()
  await open(whole)
  await settled()
  expect(found(whole)).toBe(0)

  const full = bytes.copy()
  full.failAt(1, 'QUOTA_EXCEEDED', true)
  const { clock } = await open(full)
  expect(found(full)).toBeGreaterThan(0)
  full.failAt(Number.POSITIVE_INFINITY)
  clock.pass(1_000)
  await settled()
  expect(found(full)).toBe(0)
})

test('[P4] text of a forgotten record is erased later if its erasing failed, and listeners know of the commit', async () => {
  const bytes = createMemoryByteStore()
  let fails = true
  const failOnce = (erase: () => void | Promise<void>) => () => {
    if (!fails) return erase()
    fails = false
    throw new Error('The journal could not be emptied.')
  }
  const { engine, clock } = await openWithSecret(bytes, failOnce)
  const changed: (readonly string[])[] = []
  engine.subscribe((event) => event.type === 'changed' && changed.push(event.ids))
  await expect(engine.call('forget', { ids: ['secret'] }, context)).rejects.toThrow('could not be emptied')
  expect(changed).toEqual([['secret']])
  expect(found(bytes)).toBeGreaterThan(0)
  clock.pass(1_000)
  await settled()
  expect(found(bytes)).toBe(0)
})

test('[W3] text that retention forgets is in no stored value at once, when it is called and after a put', async () => {
  const dayMs = 86_400_000
  for (const end of ['retain', 'put'] as const) {
    const bytes = createMemoryByteStore()
    const { engine } = await open(bytes, undefined, { retention: { maxAgeDays: 1 } })
    const batch = [{ id: 'secret', body: `the key is ${secret}`, createdAt: 1, updatedAt: 1 }]
    await engine.call('put', { batch }, { now: dayMs })
    expect(found(bytes)).toBeGreaterThan(0)
    if (end === 'retain') await engine.call('retain', {}, { now: 3 * dayMs })
    else await engine.call('put', { batch: [{ id: 'new', body: 'new' }] }, { now: 3 * dayMs })
    expect(found(bytes), end).toBe(0)
    await engine.call('close', {}, { now: 3 * dayMs })
  }
})

test('[P4] control: text that was not replaced stays, and no erasing is due', async () => {
  const bytes = createMemoryByteStore()
  const { engine, clock } = await openWithSecret(bytes)
  await engine.call('put', { batch: [{ id: 'other', body: 'new' }] }, context)
  const writes = bytes.writes()
  clock.pass(60_000)
  engine.erase()
  await settled()
  expect(bytes.writes()).toBe(writes)
  expect(found(bytes)).toBeGreaterThan(0)
})

async function openWithSecret(bytes: MemoryByteStore, around: Around = (erase) => erase) {
  const opened = await open(bytes, around)
  await opened.engine.call('put', { batch: [{ id: 'secret', body: `the key is ${secret}` }] }, context)
  return opened
}

async function replaceSecret(engine: Engine): Promise<void> {
  await engine.call('put', { batch: [{ id: 'secret', body: 'replaced' }] }, context)
}

/** Replaces the way in which the storage erases its journal. */
type Around = (erase: () => void | Promise<void>) => () => void | Promise<void>

async function open(
  bytes: MemoryByteStore,
  around: Around = (erase) => erase,
  more: Partial<typeof engineOptions> = {},
) {
  const clock = createClock()
  const options = { ...engineOptions, ...more, name: 'replaced', storage: 'indexeddb' } as const
  const storage = await openPaged(bytes)
  const own = { ...storage, checkpoint: around(storage.checkpoint) }
  const engine = createEngineOver(own, options, null, undefined, undefined, { timers: clock })
  return { engine, clock }
}

/** Time that passes only when the test moves it. */
function createClock() {
  let nowMs = 0
  const waiting = new Set<{ readonly atMs: number; readonly work: () => void }>()
  return {
    now: () => nowMs,
    after(ms: number, work: () => void) {
      const timer = { atMs: nowMs + ms, work }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    pass(ms: number) {
      nowMs += ms
      const ripe = [...waiting].filter(({ atMs }) => atMs <= nowMs)
      for (const timer of ripe) {
        waiting.delete(timer)
        timer.work()
      }
    },
  }
}

/** The last part of the word: the text index may share its beginning with a neighbour. */
function found({ values }: MemoryByteStore): number {
  let count = 0
  for (const value of values.values()) count += Buffer.from(value).toString('latin1').split(secret.slice(4)).length - 1
  return count
}

/** All work that needs no timer has run. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
}
