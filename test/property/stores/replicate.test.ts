/**
 * Random lives of three devices that share a store of blobs which loses answers after the write, fails, and answers with old
 * blobs: at the end all hold the same records, no round changes anything, nothing forgotten is back, and no blob has plain text.
 */
import { describe, expect, test } from 'vitest'
import { foldReports } from '../../../src/core/merge/fold-reports.ts'
import { type PortableDeviceReports, reportsFrom } from '../../../src/core/merge/portable-reports.ts'
import { startClock } from '../../../src/core/merge/stamp.ts'
import { memoryTransport, type StoredBlob, type Transport } from '../../../src/replicate/index.ts'
import { createSeal } from '../../../src/replicate/seal.ts'
import { readSnapshot } from '../../../src/replicate/snapshot.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import { contentOf, type Device, key, nothing, openDevice } from './replicated-devices.ts'

const lives = sized(8)
const firstSeed = Number(process.env['SCRUBJAY_SEED'] ?? 1)
const canary = 'canaryword'

/** Fails, loses the answer of a write, or answers with what was there before. */
function badTransport(random: Random) {
  const good = memoryTransport()
  const old = new Map<string, StoredBlob>()
  let isBad = true
  const transport: Transport = {
    list: () => good.list(),
    async get(name) {
      if (isBad && random.below(20) === 0) throw new Error('no network')
      if (isBad && random.below(10) === 0 && old.has(name)) return old.get(name)!
      return good.get(name)
    },
    async put(name, bytes, ifMatch) {
      if (isBad && random.below(20) === 0) throw new Error('no network')
      const before = good.blobs.get(name)
      const etag = await good.put(name, bytes, ifMatch)
      if (before !== undefined && etag !== null) old.set(name, before)
      if (isBad && random.below(10) === 0) throw new Error('the answer was lost')
      return etag
    },
  }
  return { transport, blobs: good.blobs, heal: () => void (isBad = false) }
}

async function live(random: Random, { recall }: Device, told: Told): Promise<void> {
  const id = `r${random.below(12)}`
  const action = random.below(10)
  if (action < 5) {
    await recall.put({ id, title: `${canary} ${random.below(1000)}`, body: `text ${random.below(1000)}` })
  } else if (action < 7) {
    if (!told.forgets) return
    await recall.forget(id)
    told.outcomes.delete(id)
  } else if (action < 9) {
    const [a, b] = [`r${random.below(12)}`, `r${random.below(12)}`]
    if (a !== b && (await recall.get([a, b])).every((record) => record !== undefined)) await recall.link(a, b)
  } else if ((await recall.get(id)) !== undefined) {
    const outcome = random.pick(['acted', 'dismissed', 'contradicted'] as const)
    await recall.acknowledge([id], { [id]: outcome })
    if (outcome !== 'dismissed') told.outcomes.set(id, (told.outcomes.get(id) ?? 0) + 1)
  }
}

interface Told {
  /** False: nothing is forgotten, so that every outcome must arrive. */
  readonly forgets: boolean
  /** By record: the number of signals since it was last put again or forgotten anywhere. */
  readonly outcomes: Map<string, number>
}

/** Signals for and against a record, from its reports in an export. */
async function signalsOf(recall: Device['recall'], id: string): Promise<number> {
  const { records } = await readSnapshot(recall.exportTo())
  const { reports = [] } = records.get(id)!.block as { readonly reports?: readonly PortableDeviceReports[] }
  const { confidence } = foldReports(reportsFrom(reports), { amplitudes: [], changed: startClock('') })
  return confidence.evidence
}

describe('replicate', () => {
  test(`devices converge and become quiet (${lives} lives)`, async () => {
    for (let seed = firstSeed; seed < firstSeed + lives; seed++) {
      const random = createRandom(seed)
      const told: Told = { forgets: seed % 2 === 0, outcomes: new Map() }
      const { transport, blobs, heal } = badTransport(random)
      const devices = await Promise.all([0, 1, 2].map(() => openDevice(transport)))
      for (let step = 0; step < 40; step++) {
        const device = devices[random.below(3)]!
        if (random.below(3) > 0) await live(random, device, told)
        else await device.replication.sync().catch(() => undefined)
        // A page that is loaded again knows no blob.
        if (random.below(15) === 0) {
          await device.replication.stop()
          device.replication = device.start()
        }
      }
      heal()
      for (let round = 0; round < 3; round++) for (const { replication } of devices) await replication.sync()
      const [first, ...others] = await Promise.all(devices.map(contentOf))
      for (const other of others) expect(other, `seed ${seed}`).toBe(first)
      for (const { replication } of devices)
        expect(await replication.sync(), `seed ${seed}`).toEqual({
          pulled: 0,
          pushed: 0,
          inserted: 0,
          updated: 0,
          forgotten: 0,
          conflicts: 0,
        })
      for (const { bytes } of blobs.values()) expect(new TextDecoder().decode(bytes)).not.toContain(canary)
      if (!told.forgets)
        for (const { recall } of devices)
          for (const [id, count] of told.outcomes)
            expect(await signalsOf(recall, id), `outcomes of ${id}, seed ${seed}`).toBe(count)
      await Promise.all(devices.map(({ recall }) => recall.close()))
    }
  })

  test('what was forgotten stays forgotten, and leaves the blobs', async () => {
    const shared = memoryTransport()
    const [a, b] = [await openDevice(shared), await openDevice(shared)]
    await a.recall.put([
      { id: 'kept', body: 'A jay' },
      { id: 'secret', body: 'x'.repeat(50_000) },
    ])
    await a.replication.sync()
    expect(await b.replication.sync()).toMatchObject({ inserted: 2, pushed: 0 })
    const size = () => [...shared.blobs.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
    const before = size()
    await b.recall.forget('secret')
    expect(await b.replication.sync()).toMatchObject({ pushed: 1 })
    expect(size()).toBeLessThan(before - 49_000)
    expect(await a.replication.sync()).toMatchObject({ forgotten: 1, pushed: 0 })
    expect(await a.recall.get('secret')).toBeUndefined()
    expect(await a.recall.verifyForgotten('secret')).toMatchObject({ clean: true })
  })

  test('links and states of files are exchanged, also between records that did not change', async () => {
    const shared = memoryTransport()
    const [a, b] = [await openDevice(shared), await openDevice(shared)]
    await a.recall.put(['x', 'y', 'z'].map((id) => ({ id, body: `A jay ${id}`, files: [{ path: 'src/jay.ts' }] })))
    await a.replication.sync()
    await b.replication.sync()
    await a.recall.checkFiles([{ path: 'src/owl.ts', exists: true }])
    expect(await a.replication.sync()).toMatchObject({ pushed: 1 })
    await a.recall.checkFiles([{ path: 'src/owl.ts', exists: false }])
    expect(await a.replication.sync()).toMatchObject({ pushed: 1 })
    await b.replication.sync()
    await a.recall.link('x', 'z')
    await b.recall.link('y', 'z')
    await a.recall.checkFiles([{ path: 'src/jay.ts', exists: false }])
    await a.replication.sync()
    await b.replication.sync()
    await a.replication.sync()
    for (const { recall } of [a, b])
      expect((await recall.linked('z')).map(({ id }) => id).sort(), 'links').toEqual(['x', 'y'])
    const staleness = async ({ recall }: Device) =>
      (await recall.recall({ text: 'jay', explain: true })).hits.map(({ freshness }) => freshness)
    expect(await staleness(b)).toEqual(await staleness(a))
    expect(await b.replication.sync()).toEqual(nothing)
  })

  test('what devices learned of a record is united, also while its text changes', async () => {
    const shared = memoryTransport()
    const [a, b] = [await openDevice(shared), await openDevice(shared)]
    await a.recall.put({ id: 'x', body: 'A jay' })
    await a.replication.sync()
    await b.replication.sync()
    for (let i = 0; i < 5; i++) await b.recall.acknowledge(['x'], { x: 'contradicted' })
    for (let i = 0; i < 3; i++) await a.recall.acknowledge(['x'], { x: 'acted' })
    await a.recall.patch('x', { title: 'Changed' })
    await a.recall.predict('x', 'it flies')
    await a.replication.sync()
    expect(await b.replication.sync()).toMatchObject({ updated: 1, pushed: 1 })
    expect(await a.replication.sync()).toMatchObject({ updated: 0, pushed: 0, pulled: 1 })
    for (const { recall } of [a, b]) expect(await signalsOf(recall, 'x')).toBe(8)
    expect(await b.recall.get('x')).toEqual(await a.recall.get('x'))
    await expect(b.recall.resolvePrediction('x', 'it flies')).resolves.toMatchObject({ error: 0 })
    expect([await a.replication.sync(), await b.replication.sync()]).toMatchObject([nothing, { pushed: 1 }])
    await a.replication.sync()
    await expect(a.recall.resolvePrediction('x', 'it flies')).rejects.toMatchObject({ field: 'id' })
  })

  test('the path of a file whose state was removed leaves the blobs', async () => {
    const shared = memoryTransport()
    const [a, b] = [await openDevice(shared), await openDevice(shared)]
    await a.recall.checkFiles([{ path: `src/${canary}.ts`, exists: true }])
    await a.replication.sync()
    await b.replication.sync()
    await b.recall.checkFiles([{ path: `src/${canary}.ts`, exists: null }])
    await b.replication.sync()
    await a.replication.sync()
    const seal = await createSeal(key)
    for (const [name, { bytes }] of shared.blobs)
      expect((await readSnapshot([await seal.open(name, bytes)])).files.size).toBe(0)
    for (const { recall } of [a, b]) expect((await readSnapshot(recall.exportTo())).files.size).toBe(0)
  })
})
