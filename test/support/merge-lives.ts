/**
 * Random lives of several devices for the laws of merging: each device is a small store over the functions of `core/merge`, its wall
 * clock jumps, and it pulls from others now and then. The same steps run on the oracle (oracles/merge-history.ts).
 */
import fc from 'fast-check'
import { foldReports } from '../../src/core/merge/fold-reports.ts'
import { addWeight, newLink, setWeight, weightOf } from '../../src/core/merge/links.ts'
import { isTombstone, putVersion } from '../../src/core/merge/lives.ts'
import type { LiveRecord, RecordState } from '../../src/core/merge/merge-records.ts'
import { emptyStore, linkName, mergeKnown, mergeStores, type StoreState } from '../../src/core/merge/merge-stores.ts'
import { setRegister } from '../../src/core/merge/registers.ts'
import { addReport, isReported } from '../../src/core/merge/reports.ts'
import { clockAfter, nextStamp, type Stamp, startClock } from '../../src/core/merge/stamp.ts'
import { tombstoneMark } from '../../src/core/merge/tombstone-mark.ts'
import type { Outcome } from '../../src/core/model/learned.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { contentFor, noTexts, type Texts, textsAfter, textsOf } from './merge-texts.ts'
import { History } from './oracles/merge-history.ts'

export type State = StoreState
export type Merge = (mine: State, theirs: State) => State

export const merge: Merge = (mine, theirs) => mergeStores(mine, theirs).state

/** The amplitude of the cycle that every record has. */
const amplitudes = [2]

export class Device {
  readonly name: string
  readonly #merge: Merge
  readonly #mostReports: number | undefined
  #state: State = emptyStore()
  #clock: Stamp

  constructor(name: string, using: Merge, mostReports?: number) {
    this.name = name
    this.#merge = using
    this.#mostReports = mostReports
    this.#clock = startClock(name)
  }

  get state(): State {
    return this.#state
  }

  /** Replaces some of the fields, as `patch` does. A new record has no others. */
  put(id: string, given: string | Partial<Texts>, wall: number): void {
    const known = this.#known(id)
    const before = known === undefined || isTombstone(known) ? noTexts : textsOf(known.version.content)
    const content = contentFor({ ...before, ...(typeof given === 'string' ? { body: given } : given) })
    const { life, version } = putVersion(known, { content, nowMs: wall }, () => this.#take(wall))
    const kept = known === undefined || isTombstone(known) ? { reports: [], registers: [] } : known
    this.#setRecord(id, { life, version, reports: kept.reports, registers: kept.registers })
    const tombstones = new Map(this.#state.tombstones)
    tombstones.delete(tombstoneMark(id))
    this.#state = { ...this.#state, tombstones }
  }

  forget(id: string, wall: number): void {
    const record = this.#state.records.get(id)
    if (record === undefined) return
    const records = new Map(this.#state.records)
    records.delete(id)
    const stamp = this.#take(wall)
    const tombstones = new Map(this.#state.tombstones).set(tombstoneMark(id), { life: record.life, stamp })
    const links = new Map([...this.#state.links].filter(([name]) => !(JSON.parse(name) as string[]).includes(id)))
    this.#state = { ...this.#state, records, tombstones, links }
  }

  report(id: string, outcome: Outcome, receipt: string | null, wall: number): void {
    const record = this.#state.records.get(id)
    const mark = receipt === null ? null : `${receipt} ${outcome}`
    if (record === undefined || (mark !== null && isReported(record.reports, mark))) return
    const effect = { kind: 'outcome', outcome, atMs: wall, hasOpenPrediction: false, rule: 'bounded' } as const
    const reports = addReport(record.reports, { stamp: this.#take(wall), mark, effect }, this.#mostReports)
    this.#setRecord(id, { ...record, reports })
  }

  predict(id: string, value: number, wall: number): void {
    const record = this.#state.records.get(id)
    if (record === undefined) return
    const register = { name: 'prediction', stamp: this.#take(wall), value }
    this.#setRecord(id, { ...record, registers: setRegister(record.registers, register) })
  }

  seeFile(path: string, value: number, wall: number): void {
    const files = setRegister(this.#state.files, { name: path, stamp: this.#take(wall), value })
    this.#state = { ...this.#state, files }
  }

  /** Strengthens the link by `change`, or sets it to 0.5 or a half of itself. */
  link(a: string, b: string, change: 'strengthen' | 'set' | 'weaken', wall: number): void {
    const [smaller, greater] = [a, b].sort() as [string, string]
    const lives = [this.#state.records.get(smaller)?.life, this.#state.records.get(greater)?.life] as const
    if (a === b || lives[0] === undefined || lives[1] === undefined) return
    const name = linkName(a, b)
    const link = this.#state.links.get(name) ?? newLink([lives[0], lives[1]])
    const stamp = this.#take(wall)
    const next =
      change === 'strengthen'
        ? addWeight(link, 0.05, stamp)
        : setWeight(link, change === 'set' ? 0.5 : weightOf(link) / 2, stamp)
    this.#state = { ...this.#state, links: new Map(this.#state.links).set(name, next) }
  }

  pull(theirs: State): void {
    this.#state = this.#merge(this.#state, theirs)
    this.#clock = theirs.known.reduce(clockAfter, this.#clock)
  }

  #known(id: string): RecordState | undefined {
    return this.#state.records.get(id) ?? this.#state.tombstones.get(tombstoneMark(id))
  }

  #setRecord(id: string, record: LiveRecord): void {
    this.#state = { ...this.#state, records: new Map(this.#state.records).set(id, record) }
  }

  #take(wall: number): Stamp {
    this.#clock = nextStamp(this.#clock, wall)
    this.#state = { ...this.#state, known: mergeKnown(this.#state.known, [this.#clock]) }
    return this.#clock
  }
}

export const outcomes = ['acted', 'used', 'dismissed', 'contradicted'] as const
const kinds = [
  'put',
  'title',
  'tag',
  'order',
  'forget',
  'report',
  'predict',
  'file',
  'strengthen',
  'set',
  'weaken',
  'pull',
] as const

export interface Step {
  readonly kind: (typeof kinds)[number]
  readonly device: number
  readonly other: number
  readonly record: number
  readonly value: number
  /** By how much the wall clock of the device moves before the step, ms. */
  readonly jump: number
}

export interface Life {
  readonly devices: number
  readonly steps: readonly Step[]
}

const hour = 3_600_000
const weights: Readonly<Record<Step['kind'], number>> = {
  put: 6,
  title: 4,
  tag: 5,
  order: 1,
  forget: 2,
  report: 6,
  predict: 1,
  file: 1,
  strengthen: 2,
  set: 1,
  weaken: 1,
  pull: 5,
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(...kinds.map((kind) => ({ arbitrary: fc.constant(kind), weight: weights[kind] }))),
  device: fc.nat(7),
  other: fc.nat(7),
  record: fc.nat(3),
  value: fc.nat(4),
  // Clocks run, stop, jump by hours, or by ten years.
  jump: fc.oneof(
    { arbitrary: fc.constantFrom(0, 0.5, 1, 1000), weight: 10 },
    { arbitrary: fc.constantFrom(-hour, hour, -30 * hour), weight: 2 },
    { arbitrary: fc.constantFrom(-87_660 * hour, 87_660 * hour), weight: 1 },
  ),
})

/** 4 to 8 devices. */
export const anyLife: fc.Arbitrary<Life> = fc.record({
  devices: fc.integer({ min: 4, max: 8 }),
  steps: fc.array(step, { minLength: 10, maxLength: 70, size: 'max' }),
})

export interface Lived {
  readonly devices: readonly Device[]
  readonly history: History
}

export interface Rules {
  readonly using?: Merge
  /** Reports that a device lists of one record. */
  readonly mostReports?: number
  /** False: each outcome is reported without a receipt, so that it counts whenever it is reported. */
  readonly receipts?: boolean
}

/** Runs the steps on devices and on the oracle. */
export function live(
  { devices: count, steps }: Life,
  { using = merge, mostReports, receipts = true }: Rules = {},
): Lived {
  const devices = Array.from({ length: count }, (_, i) => new Device(`device ${i}`, using, mostReports))
  const history = new History()
  const walls = devices.map((_, i) => startOfLives + (i % 3) * hour)
  for (const { kind, device: i, other, record, value, jump } of steps) {
    const at = i % count
    const device = devices[at]!
    const wall = (walls[at] = walls[at]! + jump)
    const id = `r${record}`
    if (kind === 'put' || kind === 'title' || kind === 'tag' || kind === 'order') {
      const texts = textsAfter(kind, value, shownBy(device, id))
      device.put(id, texts, wall)
      history.put(device.name, id, texts, wall)
    } else if (kind === 'forget') {
      device.forget(id, wall)
      history.forget(device.name, id, wall)
    } else if (kind === 'report') {
      const outcome = outcomes[value % outcomes.length]!
      const receipt = receipts && other < 6 ? `receipt ${other % 3}` : null
      device.report(id, outcome, receipt, wall)
      history.report(device.name, id, outcome, receipt, wall)
    } else if (kind === 'pull') pull({ devices, history }, at, other % count)
    else {
      const before = device.state.known
      if (kind === 'predict') device.predict(id, value, wall)
      else if (kind === 'file') device.seeFile(`file ${value}`, value, wall)
      else device.link(id, `r${value % 4}`, kind, wall)
      if (device.state.known !== before) history.other(device.name, wall)
    }
  }
  return { devices, history }
}

export const startOfLives = Date.UTC(2026, 0, 1)

export function pull({ devices, history }: Lived, to: number, from: number): void {
  if (to === from) return
  const [taker, giver] = [devices[to]!, devices[from]!]
  taker.pull(giver.state)
  history.pull(taker.name, giver.name)
}

/** Each device pulls from each, twice: afterwards every change has reached every device. */
export function exchangeAll(lived: Lived): void {
  for (let round = 0; round < 2; round++)
    for (const to of lived.devices.keys()) for (const from of lived.devices.keys()) pull(lived, to, from)
}

/** The canonical content of a state. */
export function bytesOf({ records, tombstones, links, files, known }: State): string {
  const entries = <V>(map: ReadonlyMap<string, V>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const plain = [...records].map(([id, { version, ...record }]) => {
    const { rest, named } = version.fields
    return [id, { ...record, version: { ...version, fields: { rest, named: entries(named) } } }] as const
  })
  return canonicalJson({
    records: plain.sort(([a], [b]) => (a < b ? -1 : 1)),
    tombstones: entries(tombstones),
    links: entries(links),
    files,
    known,
  })
}

/** What a store shows of its content: texts, learned state, weights of links. */
export function answersOf({ records, links }: State): string {
  const shown = [...records].map(([id, { life, version, reports }]) => ({
    id,
    life,
    ...textsOf(version.content),
    confirmedAt: version.confirmedAt,
    learned: foldReports(reports, { amplitudes, changed: version.stamp }),
  }))
  const weights = [...links].map(([name, link]) => [name, weightOf(link)])
  return canonicalJson([
    shown.sort((a, b) => (a.id < b.id ? -1 : 1)),
    weights.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  ])
}

/** What a device shows of a record, in the form of the oracle. */
export function shownBy({ state }: Device, id: string) {
  const record = state.records.get(id)
  if (record === undefined) return null
  const { life, version, reports } = record
  const learned = foldReports(reports, { amplitudes, changed: version.stamp })
  return { life, ...textsOf(version.content), confirmedAt: version.confirmedAt, learned }
}
