/** Random lives of devices of which some began as copies of one file [R12]: they converge, and no change is lost without a conflict. */
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenOptions, openRecall, type Recall } from '../../../src/index.ts'
import { memoryTransport, replicate, type Transport } from '../../../src/replicate/index.ts'
import { readSnapshot, writeSnapshot } from '../../../src/replicate/snapshot.ts'
import { createRandom } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import { key, nothing } from './replicated-devices.ts'

const start = Date.UTC(2026, 0, 1)
const lives = sized(6)

let folder: string
let names = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-copies-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newPath = () => join(folder, `store-${names++}.sqlite`)
const open = (path: string, now?: () => number, more: Partial<OpenOptions> = {}) =>
  openRecall({ path, embedder: null, now, ...more } as OpenOptions)
const replicated = (recall: Recall, transport: Transport) => ({
  recall,
  replication: replicate(recall, { transport, key, everyMs: null }),
})

async function contentsOf(recall: Recall): Promise<unknown> {
  const { items } = await recall.list({ limit: 1_000 })
  return items.map(({ id, body, tags }) => ({ id, body, tags })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

async function devicesIn(recall: Recall): Promise<readonly string[]> {
  const { records } = await readSnapshot(recall.exportTo())
  return [...new Set([...records.values()].map(({ block }) => block.stamp?.[2] ?? ''))].sort()
}

/** Puts `first` with the clock `ahead`, closes, copies the file, and opens both. */
async function twoCopies(clock: { now: number }, ahead: number) {
  const [one, two] = [newPath(), newPath()]
  const original = await open(one, () => clock.now + ahead)
  await original.put({ id: 'list', body: 'Bread' })
  await original.close()
  await copyFile(one, two)
  const shared = memoryTransport()
  const now = () => clock.now
  return { a: replicated(await open(one, now), shared), b: replicated(await open(two, now), shared) }
}

describe('a store that was opened from a copy of its file', () => {
  // control: with `isOwn` always true in worker/store/counters.ts both devices have one name.
  test('writes as a new device; the original, a renamed file and a store opened again do not [R12]', async () => {
    const [one, two, moved] = [newPath(), newPath(), newPath()]
    const first = await open(one)
    await first.put({ id: 'a', body: 'A jay' })
    await first.close()
    await copyFile(one, two)
    await rename(one, moved)
    const original = await open(moved)
    await original.put({ id: 'b', body: 'An owl' })
    expect(await devicesIn(original)).toHaveLength(1)
    const copy = await open(two)
    await copy.put({ id: 'b', body: 'A magpie' })
    expect(await devicesIn(copy)).toHaveLength(2)
    await copy.close()
    const again = await open(two)
    await again.put({ id: 'c', body: 'A crow' })
    expect(await devicesIn(again)).toHaveLength(2)
    await Promise.all([original.close(), again.close()])
  })

  test.each([0, 300_000, -300_000])(
    'meets the original: one text, and a conflict (%i ms ahead) [R12]',
    async (ahead) => {
      for (const between of [0, 60_000]) {
        const clock = { now: start }
        const { a, b } = await twoCopies(clock, ahead)
        await a.recall.put({ id: 'list', body: 'Bread, milk' })
        clock.now += between
        await b.recall.put({ id: 'list', body: 'Bread, eggs' })
        const reports = []
        for (let round = 0; round < 3; round++)
          for (const { replication } of [a, b]) reports.push(await replication.sync())
        expect(await contentsOf(a.recall)).toEqual(await contentsOf(b.recall))
        expect(reports.reduce((sum, { conflicts }) => sum + conflicts, 0)).toBe(1)
        expect(reports.at(-1)).toEqual(nothing)
        await Promise.all([a.recall.close(), b.recall.close()])
      }
    },
  )
})

const openMemory = () =>
  openRecall({ name: `copies-${names++}`, storage: 'memory', embedder: null, now: () => start } as OpenOptions)

describe('equal stamps with different content', () => {
  // Their exports are given the stamps of one device.
  test('are a conflict, and every device keeps the same content [R12]', async () => {
    const [a, b] = [await openMemory(), await openMemory()]
    await a.put({ id: 'list', body: 'Bread, milk', tags: ['x'] })
    await b.put({ id: 'list', body: 'Bread, milk', tags: ['y'] })
    const stamped = async (recall: Recall) => {
      const snapshot = await readSnapshot(recall.exportTo())
      const frames = snapshot.records.get('list')!
      const block = { ...frames.block, stamp: [start, 7, 'one'] as const }
      return writeSnapshot({ ...snapshot, records: new Map([['list', { ...frames, block }]]) })
    }
    const parts = [await stamped(a), await stamped(b)]
    const shared = memoryTransport()
    const devices = []
    for (const part of parts) {
      const recall = await openMemory()
      await recall.importFrom([part], { mode: 'merge' })
      devices.push(replicated(recall, shared))
    }
    const reports = []
    for (let round = 0; round < 3; round++)
      for (const { replication } of devices) reports.push(await replication.sync())
    expect(await contentsOf(devices[0]!.recall)).toEqual(await contentsOf(devices[1]!.recall))
    expect(reports.reduce((sum, { conflicts }) => sum + conflicts, 0)).toBe(1)
    expect(reports.at(-1)).toEqual(nothing)
    await Promise.all([a, b, ...devices.map(({ recall }) => recall)].map((recall) => recall.close()))
  })
})

describe('devices of which some are copies', () => {
  test(`converge, whatever their clocks (${lives} lives) [R12]`, async () => {
    for (let seed = 1; seed <= lives; seed++) {
      const random = createRandom(seed)
      const clock = { now: start }
      const shared = memoryTransport()
      const skew = () => random.pick([0, 0, 300_000, -300_000])
      const openNext = async (path: string) => {
        const ahead = skew()
        return { path, ...replicated(await open(path, () => clock.now + ahead), shared) }
      }
      const devices = [await openNext(newPath())]
      const live = async () => {
        const { recall, replication } = random.pick(devices)
        const id = `r${random.below(4)}`
        const action = random.below(10)
        clock.now += random.pick([0, 0, 1, 60_000])
        if (action < 6) await recall.put({ id, body: `text ${random.below(5)}`, tags: [`t${random.below(3)}`] })
        else if (action < 7) await recall.forget(id)
        else await replication.sync()
      }
      for (let i = 0; i < 6; i++) await live()
      const count = 1 + random.below(3)
      for (let i = 0; i < count; i++) {
        const at = random.below(devices.length)
        const { path, recall } = devices[at]!
        const copy = newPath()
        await recall.close()
        if (random.below(4) > 0) await copyFile(path, copy)
        devices[at] = await openNext(path)
        devices.push(await openNext(copy))
        for (let step = 0; step < 4; step++) await live()
      }
      for (let i = 0; i < 15; i++) await live()
      for (let round = 0; round < 3; round++) for (const { replication } of devices) await replication.sync()
      const [first, ...others] = await Promise.all(devices.map(({ recall }) => contentsOf(recall)))
      for (const other of others) expect(other, `seed ${seed}`).toEqual(first)
      for (const { replication } of devices) expect(await replication.sync(), `seed ${seed}`).toEqual(nothing)
      await Promise.all(devices.map(({ recall }) => recall.close()))
    }
  })
})
