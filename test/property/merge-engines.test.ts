/**
 * Tests that `importFrom(merge)` merges records as core/merge does: random lives of engines whose clocks jump, which put, update,
 * forget, propose and settle contradictions, and import each other's exports. SCRUBJAY_LIVES sets the number of lives.
 */
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { createStaging } from '../../worker/export-format/staging.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { startOfTime } from '../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../support/stores/open-over.ts'
import { exported, imported } from '../support/stores/portable.ts'

const lives = Number(process.env['SCRUBJAY_LIVES'] ?? 4)
const ids = ['a', 'b', 'c', 'd']
const hour = 3_600_000

interface World {
  readonly devices: readonly OpenedOver[]
  /** Texts that some device showed when it forgot the record: no two puts have the same text. */
  readonly forgotten: Set<string>
}

async function live(seed: number): Promise<World> {
  const random = createRandom(seed)
  const devices = await Promise.all(Array.from({ length: 4 + (seed % 2) }, () => openOver()))
  const walls = devices.map(() => startOfTime + random.below(2) * hour)
  const forgotten = new Set<string>()
  for (let step = 0; step < 40; step++) {
    const i = random.below(devices.length)
    walls[i] = walls[i]! + random.pick([0, 1, 1000, hour, -hour, -87_660 * hour, 87_660 * hour])
    await takeStep(devices, i, { random, step, now: walls[i]!, forgotten })
  }
  return { devices, forgotten }
}

async function takeStep(
  devices: readonly OpenedOver[],
  i: number,
  { random, step, now, forgotten }: { random: Random; step: number; now: number; forgotten: Set<string> },
): Promise<void> {
  const device = devices[i]!
  const id = random.pick(ids)
  const dice = random.below(10)
  const [stored] = await device.call('get', { ids: [id] })
  if (dice < 4)
    await device.call(
      'put',
      { batch: [{ id, body: `My oak shelf in the hall has ${step} books now.` }], findContradictions: true },
      now,
    )
  else if (dice < 5 && stored)
    await device.call('put', { batch: [{ id, body: stored.body, tags: step % 2 ? [`${step}`] : [] }] }, now)
  else if (dice < 7) {
    if (stored) forgotten.add(`${id} ${stored.body}`)
    await device.call('forget', { ids: [id] }, now)
  } else if (dice < 8) {
    if (stored) await device.call('acknowledge', { of: [id], outcomes: { [id]: 'dismissed' } }, now)
  } else await imported(device, await exported(random.pick(devices)), 'merge', now)
}

async function exchangeAll({ devices }: World): Promise<void> {
  for (let round = 0; round < 2; round++)
    for (const to of devices)
      for (const from of devices) if (from !== to) await imported(to, await exported(from), 'merge')
}

async function folded(exports: readonly Uint8Array[]): Promise<OpenedOver> {
  const engine = await openOver()
  for (const bytes of exports) await imported(engine, bytes, 'merge')
  return engine
}

async function mergedOf(...exports: readonly Uint8Array[]): Promise<string> {
  return contentOf(await exported(await folded(exports)))
}

/** The content of an export, as text that a failure can show. */
function contentOf(bytes: Uint8Array): string {
  const staging = createStaging()
  staging.push(bytes)
  const { header, records, tombstones } = staging.end()
  return canonicalJson({ header, records: records.map(({ given }) => given), tombstones })
}

const seeds = Array.from({ length: lives }, (_, i) => 4200 + i)

test.each(seeds)('devices of life %i merge by the laws', async (seed) => {
  const world = await live(seed)
  const [a, b, c] = (await Promise.all(world.devices.slice(0, 3).map((device) => exported(device)))) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  expect(await mergedOf(a, b), 'commutative').toBe(await mergedOf(b, a))
  const [ab, bc] = [await exported(await folded([a, b])), await exported(await folded([b, c]))]
  expect(await mergedOf(ab, c), 'associative').toBe(await mergedOf(a, bc))
  expect(await mergedOf(a, a), 'idempotent').toBe(contentOf(a))
  await exchangeAll(world)
  const contents = await Promise.all(world.devices.map(async (device) => contentOf(await exported(device))))
  expect(new Set(contents).size, 'convergent').toBe(1)
  for (const device of world.devices) {
    const shown = (await device.call('get', { ids })).flatMap((record) =>
      record ? [`${record.id} ${record.body}`] : [],
    )
    expect(
      shown.filter((text) => world.forgotten.has(text)),
      'forgotten',
    ).toEqual([])
    expect(await device.call('integrityCheck', {})).toMatchObject({ ok: true })
  }
})

test('control: these lives forget records that other devices still have, and devices differ before they exchange', async () => {
  let forgotten = 0
  let differing = 0
  let contradicting = 0
  for (const seed of seeds) {
    const world = await live(seed)
    const shown = new Set<string>()
    for (const device of world.devices)
      for (const record of await device.call('get', { ids })) if (record) shown.add(`${record.id} ${record.body}`)
    forgotten += [...world.forgotten].filter((text) => shown.has(text)).length
    const contents = await Promise.all(world.devices.map(async (device) => contentOf(await exported(device))))
    differing += new Set(contents).size > 1 ? 1 : 0
    contradicting += contents.filter((content) => content.includes('"contradictions":[')).length
  }
  expect(forgotten).toBeGreaterThan(0)
  expect(differing).toBe(seeds.length)
  expect(contradicting).toBeGreaterThan(seeds.length)
})
