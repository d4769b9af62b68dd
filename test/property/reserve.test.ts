/**
 * Tests [L1] for `reserve`: of a common or a rare kind, like the question or far from it, with and without sessions, and in listings.
 * The way over all candidates, which `ledger: true` takes, is the oracle.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { RecallResult } from '../../src/core/model/result.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { proof } from '../../worker/retrieval/top-k/proof.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { openEngine, startOfTime, type TestEngine } from '../support/stores/open-engine.ts'

const dimensions = 16
const records = 2400
const queries = 25

interface Kinds {
  /** Of the records that have the reserved kind. */
  readonly share: number
  /** Whether their words and vectors are others. */
  readonly areFar: boolean
  readonly inSessions: boolean
}

const stores: readonly Kinds[] = [
  { share: 0.5, areFar: false, inSessions: true },
  { share: 0.25, areFar: true, inSessions: true },
  { share: 0.05, areFar: false, inSessions: true },
  { share: 0.3, areFar: true, inSessions: false },
  { share: 0.05, areFar: false, inSessions: false },
]

afterEach(() => vi.restoreAllMocks())

describe('reserved places from few candidates', () => {
  it.each(stores)('[L1] are those from all: %j', { timeout: 120_000 }, async (kinds) => {
    const holds = vi.spyOn(proof, 'holdsReserved')
    expect(await differing(kinds)).toEqual([])
    // Proofs must hold although records are left out.
    const isHeld = ([, , unseen]: Parameters<typeof proof.holdsReserved>, i: number) =>
      unseen !== null && unseen.reserved !== Number.NEGATIVE_INFINITY && holds.mock.results[i]?.value === true
    expect(holds.mock.calls.filter(isHeld).length).toBeGreaterThan(5)
  })

  it.each(stores.filter(({ areFar }) => areFar))('[L1] control: without the proof some differ: %j', async (kinds) => {
    vi.spyOn(proof, 'holdsReserved').mockReturnValue(true)
    expect((await differing(kinds)).length).toBeGreaterThan(0)
  })
})

/** The queries whose answer from few candidates is not the answer from all. */
async function differing({ share, areFar, inSessions }: Kinds): Promise<readonly string[]> {
  const random = createRandom(2911)
  const engine = await openEngine({ space: { name: 'tiny', dimensions } })
  const [centre, far] = [random.vector(dimensions), random.vector(dimensions)]
  const batch: RecordInput[] = []
  for (let i = 0; i < records; i++) {
    const isReserved = random.next() < share
    const isFar = isReserved && areFar
    const own = random.vector(dimensions)
    const copied = batch[random.below(Math.max(1, i))]
    batch.push({
      id: `r${i}`,
      body: copied !== undefined && random.below(8) === 0 ? copied.body : textOf(random, isFar ? farWords : words),
      kind: isReserved ? 'preference' : 'note',
      project: random.pick(['jay', 'wren']),
      files: random.below(15) === 0 ? [{ path: 'src/nest.ts' }] : [],
      createdAt: startOfTime - random.below(90_000_000),
      updatedAt: startOfTime - random.below(90_000_000),
      ...(inSessions ? { session: `s${Math.floor(i / 24)}`, position: i % 24 } : {}),
      ...(random.below(10) === 0 ? {} : { vectors: own.map((at, k) => 0.4 * at + 0.6 * (isFar ? far : centre)[k]!) }),
    })
  }
  await engine.call('put', { batch })
  const found: string[] = []
  for (let i = 0; i < queries; i++) {
    const query = anyQuery(random)
    if ((await answer(engine, query)) !== (await answer(engine, { ...query, ledger: true })))
      found.push(JSON.stringify(query))
  }
  return found
}

const words = 'jay acorn cache winter forest feather nest query vector token index browser storage'.split(' ')
const farWords = ['plum', 'pear', 'fig', 'storage']

function textOf(random: Random, from: readonly string[]): string {
  return Array.from({ length: 3 + random.below(10) }, () => from[Math.floor(random.next() ** 2 * from.length)]!).join(
    ' ',
  )
}

function anyQuery(random: Random): RecallQuery {
  const text = Array.from({ length: 1 + random.below(4) }, () => random.pick(words)).join(' ')
  const has = random.below(6)
  return {
    ...(has === 0 || has === 1 ? {} : { text }),
    ...(has === 0 || has === 2 ? {} : { vector: random.vector(dimensions) }),
    limit: random.pick([1, 3, 10, 30]),
    reserve: { kind: 'preference', places: random.pick([1, 3, 10, 100]) },
    ...(random.below(5) === 0 ? { scope: { project: 'jay' } } : {}),
    ...(random.below(6) === 0 ? { prefer: { project: 'wren' } } : {}),
    // A query without text and vector lists the newest records.
    ...(random.below(has === 0 ? 2 : 10) === 0 ? { files: ['src/nest.ts'] } : {}),
    ...(random.below(6) === 0 ? { collapse: random.pick(['none', 'exact'] as const) } : {}),
  }
}

/** Everything of an answer but the ledger, its digest and the time taken. */
async function answer(engine: TestEngine, query: RecallQuery): Promise<string> {
  const { ledger: _ledger, tookMs: _took, ...result }: RecallResult = await engine.call('recall', { query })
  const { ledgerDigest: _digest, ...receipt } = result.receipt
  return canonicalJson({ ...result, receipt })
}
