/**
 * Joins two indexes of one store: records with vectors of its own space, and records that only have those of the built-in embedder. A
 * question has a vector of each, one after the other. Cosines of different spaces are not compared as they are: those of the smaller part
 * are moved and stretched so that mean and deviation over its records are those of the larger part.
 */
import { noKeys, type VectorEstimates, type VectorIndex, type VectorScan } from './port.ts'
import { encodedBytes } from './quantise.ts'

export interface Joined {
  readonly name: string
  /** The index in use now. */
  readonly index: () => VectorIndex
}

/** A part of a question, and how its cosines become those of the answer. */
interface Part {
  readonly query: Float32Array
  readonly index: VectorIndex
  readonly scale: Scale
}

interface Scale {
  readonly factor: number
  readonly shift: number
}

interface Reading {
  readonly version: number
  readonly space: string
  readonly own: Part | null
  readonly standIn: Part | null
}

/** The dimensions of the two must differ: the length of a vector says which one it is for. */
export function joinIndexes(own: Joined, standIn: Joined): VectorIndex {
  let version = 0
  const readings = new WeakMap<Float32Array, Reading>()
  const { dimensions } = own.index()
  const ownLength = () => own.index().dimensions
  const standInLength = () => standIn.index().dimensions

  /** The parts that the question and the records both have. */
  const read = (question: Float32Array): Reading => {
    const known = readings.get(question)
    if (known?.version === version) return known
    const made = { version, ...parted(question) }
    readings.set(question, made)
    return made
  }
  const parted = (question: Float32Array): Omit<Reading, 'version'> => {
    const [first, second] = [own.index(), standIn.index()]
    const isJoined = question.length === ownLength() + standInLength()
    const ofOwn = isJoined ? question.subarray(0, ownLength()) : question.length === ownLength() ? question : null
    const ofOther = isJoined ? question.subarray(ownLength()) : question.length === standInLength() ? question : null
    const a = ofOwn === null || first.rows() === 0 ? null : { query: ofOwn, index: first, scale: same }
    const b = ofOther === null || second.rows() === 0 ? null : { query: ofOther, index: second, scale: same }
    if (a === null || b === null) return { space: b === null ? own.name : standIn.name, own: a, standIn: b }
    const [left, right] = [spreadOf(a), spreadOf(b)]
    return left.records >= right.records
      ? { space: own.name, own: a, standIn: { ...b, scale: scaleOf(right, left) } }
      : { space: standIn.name, own: { ...a, scale: scaleOf(left, right) }, standIn: b }
  }
  const isOfStandIn = ([code]: readonly Uint8Array[]) => code?.length === encodedBytes(standInLength())

  return {
    get kind() {
      return own.index().kind
    },
    dimensions,
    standsIn: () => standIn.index().rows() > 0,
    spaceOf: (question) => read(question).space,
    partOf(question, key) {
      const { own: first, standIn: second } = read(question)
      const part = first?.index.has(key) === true ? first : second
      if (part === null) return { query: question, cosine: (cosine) => cosine }
      return { query: part.query, cosine: (cosine) => scaled(part.scale, cosine) }
    },
    rows: () => own.index().rows() + standIn.index().rows(),
    bytes: () => own.index().bytes() + standIn.index().bytes(),
    add(key, codes) {
      version++
      ;(isOfStandIn(codes) ? standIn : own).index().add(key, codes)
    },
    remove(key) {
      version++
      own.index().remove(key)
      standIn.index().remove(key)
    },
    replace(removed, added) {
      version++
      own.index().replace(
        removed,
        added.filter(({ codes }) => !isOfStandIn(codes)),
      )
      standIn.index().replace(
        removed,
        added.filter(({ codes }) => isOfStandIn(codes)),
      )
    },
    has: (key) => own.index().has(key) || standIn.index().has(key),
    scan(question, scopeKeys, depth, way, except = noKeys) {
      const { own: first, standIn: second } = read(question)
      if (second === null && first !== null) return first.index.scan(first.query, scopeKeys, depth, way, except)
      const parts = [first, second].filter((part) => part !== null)
      return joined(
        parts.map(({ index, query, scale }) => scaledScan(scale, index.scan(query, scopeKeys, depth, 'exact', except))),
      )
    },
    estimate(question, keys) {
      const { own: first, standIn: second } = read(question)
      const estimates = new Float64Array(keys.length).fill(Number.NaN)
      const margins = new Float64Array(keys.length).fill(Number.NaN)
      for (const { index, query, scale } of [second, first].filter((part) => part !== null)) {
        const found = index.estimate(query, keys)
        for (let i = 0; i < keys.length; i++) {
          if (Number.isNaN(found.estimates[i]!)) continue
          const [low, high] = boundsOf(scale, found, i)
          estimates[i] = (low + high) / 2
          margins[i] = (high - low) / 2 + rounding
        }
      }
      return { estimates, margins }
    },
    clear() {
      version++
      own.index().clear()
      standIn.index().clear()
    },
  }
}

const same: Scale = { factor: 1, shift: 0 }

function scaled({ factor, shift }: Scale, cosine: number): number {
  return Math.max(leastCosine, cosine * factor + shift)
}

/** A cosine far below the mean must not become one that no vector has. */
const leastCosine = -1

/** More than what rounding can change in a scaled bound. */
const rounding = 1e-12

function boundsOf(scale: Scale, { estimates, margins }: VectorEstimates, i: number): readonly [number, number] {
  return [scaled(scale, estimates[i]! - margins[i]!), scaled(scale, estimates[i]! + margins[i]!)]
}

interface Spread {
  readonly records: number
  readonly mean: number
  readonly deviation: number
}

/** Over every record of the index, so that one question has one scale, whatever its scope. */
function spreadOf({ index, query }: Pick<Part, 'index' | 'query'>): Spread {
  const { matched, mean, deviation } = index.scan(query, null, 1, 'exact')
  return { records: matched, mean, deviation }
}

/**
 * Of 10 and 50, the better on stackfaq, cookbook-docs, cranfield and mtrag-chat with 2, 25, 50 and 75 % of the records covered, from the first
 * one on and spread out (docs/quality.md). Mean and deviation of cosines are alike in both spaces: .14 and .12 there, .12 and .11 here.
 */
const priorRecords = 50

/**
 * Mean to mean and deviation to deviation. A part of few records says little about its space, so `priorRecords` with the spread of the other
 * part are added to it: without any, cosines stay as they are.
 */
function scaleOf(from: Spread, to: Spread): Scale {
  const all = from.records + priorRecords
  const mean = (from.records * from.mean + priorRecords * to.mean) / all
  const squares = from.records * squareOf(from, mean) + priorRecords * squareOf(to, mean)
  const deviation = Math.sqrt(squares / all)
  const factor = deviation === 0 ? 1 : to.deviation / deviation
  return { factor, shift: to.mean - mean * factor }
}

/** Mean square of the distance from this mean. */
function squareOf({ mean, deviation }: Pick<Spread, 'mean' | 'deviation'>, from: number): number {
  return deviation * deviation + (mean - from) * (mean - from)
}

function scaledScan(scale: Scale, scan: VectorScan): VectorScan {
  const ends = (cosine: number) => (cosine === Number.NEGATIVE_INFINITY ? cosine : scaled(scale, cosine) + rounding)
  const keys = Uint32Array.from([...scan.keys, ...scan.tied])
  const raw = {
    estimates: Float64Array.from(keys, (_, i) => scan.estimates[i] ?? scan.tiedEstimate),
    margins: Float64Array.from(keys, (_, i) => scan.margins[i] ?? scan.tiedMargin),
  }
  const bounds = raw.estimates.map((_, i) => i)
  const low = bounds.map((i) => boundsOf(scale, raw, i)[0])
  const high = bounds.map((i) => boundsOf(scale, raw, i)[1])
  return {
    ...scan,
    mode: 'exact',
    keys,
    estimates: low.map((from, i) => (from + high[i]!) / 2),
    margins: low.map((from, i) => (high[i]! - from) / 2 + rounding),
    ...noneTied,
    ceiling: ends(scan.ceiling),
    mean: scan.matched === 0 ? 0 : scaled(scale, scan.mean),
    deviation: scan.deviation * scale.factor,
  }
}

const noneTied = { tied: new Uint32Array(), tiedEstimate: Number.NEGATIVE_INFINITY, tiedMargin: 0 }

/** One scan of all: its keys by estimate, then by key. */
function joined(scans: readonly VectorScan[]): VectorScan {
  const entries = scans.flatMap(({ keys, estimates, margins }) =>
    Array.from(keys, (key, i) => ({ key, estimate: estimates[i]!, margin: margins[i]! })),
  )
  entries.sort((a, b) => b.estimate - a.estimate || a.key - b.key)
  const matched = scans.reduce((sum, scan) => sum + scan.matched, 0)
  const mean = matched === 0 ? 0 : scans.reduce((sum, scan) => sum + scan.matched * scan.mean, 0) / matched
  const squares = scans.reduce((sum, scan) => sum + scan.matched * squareOf(scan, mean), 0)
  return {
    mode: 'exact',
    keys: Uint32Array.from(entries, ({ key }) => key),
    estimates: Float64Array.from(entries, ({ estimate }) => estimate),
    margins: Float64Array.from(entries, ({ margin }) => margin),
    ...noneTied,
    ceiling: Math.max(Number.NEGATIVE_INFINITY, ...scans.map(({ ceiling }) => ceiling)),
    scanned: scans.reduce((sum, { scanned }) => sum + scanned, 0),
    matched,
    mean,
    deviation: matched === 0 ? 0 : Math.sqrt(squares / matched),
  }
}
