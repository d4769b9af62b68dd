/**
 * Tests that `importFrom(merge)` merges stores as core/merge does: random lives of engines whose clocks jump, which put, update,
 * forget, tell outcomes, link, predict, push proposals, report files, and import each other's exports.
 */
import { afterEach, expect, test } from 'vitest'
import { outcomes } from '../../../src/core/learning/outcomes.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createStaging } from '../../../worker/export-format/staging.ts'
import { first } from '../../../worker/sqlite/database.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'

const lives = sized(16)
const opened: OpenedOver[] = []

async function open(): Promise<OpenedOver> {
  const device = await openOver()
  opened.push(device)
  return device
}

/** Frees the memory of the stores: all are in one module of SQLite. */
async function closeAll(): Promise<void> {
  for (const device of opened.splice(0)) await device.call('close', {})
}

afterEach(closeAll)

const ids = ['a', 'b', 'c', 'd']
const hour = 3_600_000

interface World {
  readonly devices: readonly OpenedOver[]
  /** Number of signals that outcomes gave: by id and life. */
  readonly said: Map<string, number>
  /** Texts that some device showed when it forgot the record: no two puts have the same text. */
  readonly forgotten: Set<string>
}

async function live(seed: number): Promise<World> {
  const random = createRandom(seed)
  const devices = await Promise.all(Array.from({ length: 4 + (seed % 2) }, open))
  const walls = devices.map(() => startOfTime + random.below(2) * hour)
  const forgotten = new Set<string>()
  const said = new Map<string, number>()
  for (let step = 0; step < 60; step++) {
    const i = random.below(devices.length)
    walls[i] = walls[i]! + random.pick([0, 1, 1000, hour, -hour, -87_660 * hour, 87_660 * hour])
    await takeStep(devices, i, { random, step, now: walls[i]!, forgotten, said })
  }
  return { devices, forgotten, said }
}

async function takeStep(
  devices: readonly OpenedOver[],
  i: number,
  { random, step, now, forgotten, said }: Step,
): Promise<void> {
  const device = devices[i]!
  const id = random.pick(ids)
  const dice = random.below(20)
  const [stored] = await device.call('get', { ids: [id] })
  if (dice < 5) {
    const cycles = step % 3 === 0 ? [{ periodSeconds: 86_400, amplitude: 2, phaseSeconds: step }] : []
    const confidence = step % 5 === 0 ? 0.75 : null
    const record = { id, body: `My oak shelf in the hall has ${step} books now.`, pressureRate: 5, cycles, confidence }
    await device.call('put', { batch: [record], findContradictions: true }, now)
  } else if (dice < 6 && stored)
    await device.call('put', { batch: [{ id, body: stored.body, tags: step % 2 ? [`${step}`] : [] }] }, now)
  else if (dice < 8) {
    if (stored) forgotten.add(`${id} ${stored.body}`)
    await device.call('forget', { ids: [id] }, now)
  } else if (dice < 13) await learn(device, id, stored !== undefined, { random, step, now, forgotten, said })
  else if (dice < 14)
    await device.call(
      'checkFiles',
      { states: [{ path: `src/${random.below(2)}.ts`, ...fileState(random, step) }] },
      now,
    )
  else await imported(device, await exported(random.pick(devices)), 'merge', now)
}

interface Step {
  readonly random: Random
  readonly step: number
  readonly now: number
  readonly forgotten: Set<string>
  readonly said: Map<string, number>
}

function fileState(random: Random, step: number) {
  return random.below(3) === 0 ? { exists: null } : { exists: step % 2 === 0, mtime: step }
}

/** One of the ways in which a device learns something. */
async function learn(
  device: OpenedOver,
  id: string,
  isStored: boolean,
  { random, step, now, said }: Step,
): Promise<void> {
  const other = random.pick(ids)
  const isPair = other !== id && isStored && (await device.call('get', { ids: [other] }))[0] !== undefined
  const kind = random.below(8)
  if (kind < 3) {
    if (!isStored) return
    const outcome = random.pick(['acted', 'used', 'dismissed', 'contradicted'] as const)
    await device.call('acknowledge', { of: [id], outcomes: { [id]: outcome } }, now)
    const life = `${id} ${lifeOf(device, id)}`
    // Only these are a signal for or against the record.
    said.set(life, (said.get(life) ?? 0) + (outcomes[outcome].signal === null ? 0 : 1))
  } else if (kind === 3) {
    if (isPair) await device.call('strengthen', { a: id, b: other }, now)
  } else if (kind === 4) {
    if (isPair) await device.call('link', { a: id, b: other, weight: 0.1 + (step % 9) / 10 }, now)
    else await device.call('weakenLinks', { factor: step % 4 === 0 ? 0.001 : 0.5 }, now)
  } else if (kind === 5) {
    if (isStored) await device.call('predict', { id, expected: { value: step } }, now)
  } else if (kind === 6) {
    // The record may have no open prediction.
    if (isStored) await device.call('resolvePrediction', { id, actual: { value: 1 } }, now).catch(() => undefined)
  } else if (step % 4 === 0) await device.call('expireProposals', { ttlMs: 0 }, now)
  else {
    // Without a text nothing is pulled, so that due records are pushed.
    const query = step % 3 === 0 ? { text: 'oak', suppress: true, maxItems: 1 } : { surfacingThreshold: 0.1 }
    await device.call('assemble', { query: { ...query, commitEffects: true } }, now + 48 * hour)
  }
}

function lifeOf({ database }: OpenedOver, id: string): number | undefined {
  return first(database, `SELECT life FROM records WHERE id = ?`, [id], (row) => row.number(0))
}

async function exchangeAll({ devices }: World): Promise<void> {
  for (let round = 0; round < 2; round++)
    for (const to of devices)
      for (const from of devices) if (from !== to) await imported(to, await exported(from), 'merge')
}

async function folded(exports: readonly Uint8Array[]): Promise<OpenedOver> {
  const engine = await open()
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
  const { header, records, tombstones, files } = staging.end()
  return canonicalJson({ header, records: records.map(({ given }) => given), tombstones, files })
}

const seeds = Array.from({ length: lives }, (_, i) => 4200 + i)

test.each(seeds)('[R1] [R2] [R3] [R4] [R5] [R6] devices of life %i merge by the laws', async (seed) => {
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
    expect(await device.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
    // Every signal that was said in the last life of a record counts, and no signal counts twice.
    for (const id of ids) {
      const signals = first(device.database, signalsSql, [id], (row) => row.number(0)) ?? 0
      const given = world.said.get(`${id} ${lifeOf(device, id)}`) ?? 0
      expect(signals, `signals of ${id}`).toBeGreaterThanOrEqual(given)
    }
  }
  const [expected, ...answers] = await Promise.all(world.devices.map(answersOf))
  for (const answer of answers) expect(answer, 'R6: equal exports, equal answers').toEqual(expected)
})

const signalsSql = `SELECT evidence FROM records JOIN learned USING (key) WHERE id = ?`

/** What a device answers under each policy; and what it shows of links, predictions, proposals and files. */
async function answersOf({ call }: OpenedOver): Promise<readonly string[]> {
  const at = startOfTime + 365 * 24 * hour
  const answers: string[] = []
  for (const [, policy] of everyPolicy) {
    const query = { text: 'oak shelf books', limit: 10, policy, ledger: true }
    const { tookMs: _took, receipt, ...result } = await call('recall', { query }, at)
    answers.push(canonicalJson({ ...result, digest: receipt.digest }))
  }
  for (const id of ids) answers.push(canonicalJson(await call('linked', { id }).catch(() => null)))
  answers.push(canonicalJson(await call('predictionErrors', {})))
  answers.push(canonicalJson(await call('proposals', {}, -1e15)))
  return answers
}

test('control: these lives forget records that other devices still have, and devices differ before they exchange', async () => {
  let forgotten = 0
  let differing = 0
  let contradicting = 0
  let answering = 0
  let signals = 0
  const kinds = ['reports', 'links', 'predictions', 'proposals', 'files']
  const kindsSeen = new Set<string>()
  for (const seed of seeds) {
    const world = await live(seed)
    const shown = new Set<string>()
    for (const device of world.devices)
      for (const record of await device.call('get', { ids })) if (record) shown.add(`${record.id} ${record.body}`)
    forgotten += [...world.forgotten].filter((text) => shown.has(text)).length
    const contents = await Promise.all(world.devices.map(async (device) => contentOf(await exported(device))))
    differing += new Set(contents).size > 1 ? 1 : 0
    contradicting += contents.filter((content) => content.includes('"contradictions":[')).length
    for (const kind of kinds) if (contents.some((content) => content.includes(`"${kind}":[{`))) kindsSeen.add(kind)
    const [expected, ...others] = await Promise.all(world.devices.map(answersOf))
    signals += [...world.said.values()].reduce((sum, count) => sum + count, 0)
    answering += others.some((answer) => canonicalJson(answer) !== canonicalJson(expected)) ? 1 : 0
    await closeAll()
  }
  expect([...kindsSeen].sort()).toEqual([...kinds].sort())
  expect(answering).toBe(seeds.length)
  expect(signals).toBeGreaterThan(seeds.length)
  expect(forgotten).toBeGreaterThan(0)
  expect(differing).toBe(seeds.length)
  expect(contradicting).toBeGreaterThan(seeds.length)
})
