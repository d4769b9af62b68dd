/**
 * T7 for stored bytes: stores at rest, closed or killed, in which something is flipped, cut, overwritten or moved.
 * Opened again, every request answers as before, or with STORE_CORRUPT: no other record, no empty store.
 */
import { RecallError } from '../../../src/core/model/errors.ts'
import type { Engine } from '../../../worker/engine/engine.ts'
import { openGraphEnvelope, writeGraphEnvelope } from '../../../worker/vector/hnsw/graph-envelope.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { digestOf, honest, mutated } from './hurt-bytes.ts'

/** A kind of stored bytes: its name, and a function that opens a mutant of it. */
export interface Target {
  readonly title: string
  /** Puts the mutant of this seed in place and opens the store. Null: the mutation changed nothing. */
  open(random: Random): Promise<Engine | null>
  /** Whether the digest of a mutant's answers is that of the original store. */
  isRight(digest: string): boolean
  /** The content of the mutant that was opened last, after its engine was ended. Null: no content is expected. */
  salvage: ((engine: Engine | null) => Promise<readonly string[] | Salvaged>) | null
  end(engine: Engine | null): Promise<void>
}

/** What came out of one store. */
export interface Salvaged {
  readonly records: number
  readonly stood: number
}

export interface StoredCounts {
  right: number
  corrupt: number
  unchanged: number
  /** Of the refused ones: records that came out, records that had been in, and stores that gave nothing, or all. */
  readonly salvaged: { records: number; stood: number; none: number; all: number }
  /** Each with its seed. */
  readonly wrong: string[]
}

const slowestMs = 5_000

const noCounts = (): StoredCounts => ({
  right: 0,
  corrupt: 0,
  unchanged: 0,
  salvaged: { records: 0, stood: 0, none: 0, all: 0 },
  wrong: [],
})

export async function runTarget(target: Target, from: number, count: number): Promise<StoredCounts> {
  const counts = noCounts()
  for (let seed = from; seed < from + count; seed++) {
    const startedMs = performance.now()
    let salvagingMs = 0
    let engine: Engine | null = null
    try {
      engine = await target.open(createRandom(seed))
      if (engine === null) counts.unchanged += 1
      else if (target.isRight(await digestOf(engine))) counts.right += 1
      else counts.wrong.push(`seed ${seed}: other answers`)
    } catch (error) {
      if (error instanceof RecallError && honest.includes(error.code)) {
        counts.corrupt += 1
        const refusedMs = performance.now()
        await salvage(target, engine, seed, counts)
        salvagingMs = performance.now() - refusedMs
      } else
        counts.wrong.push(`seed ${seed}: ${error instanceof RecallError ? error.code : 'not typed'}: ${String(error)}`)
    }
    await target.end(engine)
    const tookMs = performance.now() - startedMs - salvagingMs
    if (tookMs > slowestMs) counts.wrong.push(`seed ${seed}: took ${Math.round(tookMs)} ms`)
  }
  return counts
}

async function salvage(target: Target, engine: Engine | null, seed: number, counts: StoredCounts): Promise<void> {
  if (target.salvage === null) return
  try {
    const found = await target.salvage(engine)
    if ('length' in found) counts.wrong.push(...found.map((problem) => `seed ${seed}: salvaged: ${problem}`))
    else {
      counts.salvaged.records += found.records
      counts.salvaged.stood += found.stood
      if (found.records === 0) counts.salvaged.none += 1
      if (found.records === found.stood) counts.salvaged.all += 1
    }
  } catch (error) {
    counts.wrong.push(`seed ${seed}: salvaged: ${String(error)}`)
  }
}

/**
 * Graphs with a checksum: reading one back gives the saved graph, or nothing. Never throws. Wrong: mutants that were
 * accepted.
 */
export function runGraphMutants(from: number, count: number): StoredCounts {
  const counts = noCounts()
  const origin = { space: 'eight', dimensions: 8, revision: 7 }
  const graph = new Uint8Array(3_000).map((_, i) => (i * 31) & 255)
  const sealed = writeGraphEnvelope(origin, { keys: Uint32Array.from({ length: 50 }, (_, i) => i + 1), dead: 0, graph })
  for (let seed = from; seed < from + count; seed++) {
    const changed = mutated(Uint8Array.from(sealed), createRandom(seed), 0)
    if (changed === null) counts.unchanged += 1
    else {
      try {
        if (openGraphEnvelope(changed, origin) === null) counts.corrupt += 1
        else counts.wrong.push(`seed ${seed}: a damaged graph was believed`)
      } catch (error) {
        counts.wrong.push(`seed ${seed}: ${String(error)}`)
      }
    }
  }
  return counts
}
