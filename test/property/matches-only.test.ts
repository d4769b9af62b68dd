/**
 * Tests [L1] for queries that ask for matches alone, with a vector: their ranks by cosine are among what words and times find. The way over all
 * candidates, which `ledger: true` takes, is the oracle.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { RecallResult } from '../../src/core/model/result.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { proof } from '../../worker/retrieval/top-k/proof.ts'
import { createRandom } from '../support/data/random.ts'
import { openEngine, startOfTime } from '../support/stores/open-engine.ts'

const dimensions = 16
const records = 2400
const queries = 30
const words = 'jay acorn cache winter forest feather nest query vector token index browser storage'.split(' ')

afterEach(() => vi.restoreAllMocks())

describe('matches alone, with a vector', () => {
  it.each([false, true])('[L1] are those from all, sessions: %s', { timeout: 120_000 }, async (inSessions) => {
    const holds = vi.spyOn(proof, 'holds')
    expect(await differing(inSessions)).toEqual([])
    const isHeld = ([, , unseen]: Parameters<typeof proof.holds>, i: number) =>
      unseen !== null && holds.mock.results[i]?.value === true
    expect(holds.mock.calls.filter(isHeld).length).toBeGreaterThan(5)
  })

  it('[L1] control: without the proof some differ', { timeout: 120_000 }, async () => {
    vi.spyOn(proof, 'holds').mockReturnValue(true)
    expect((await differing(false)).length).toBeGreaterThan(0)
  })
})

/** The queries whose answer from few candidates is not the answer from all. */
async function differing(inSessions: boolean): Promise<readonly string[]> {
  const random = createRandom(1129)
  const { call } = await openEngine({ space: { name: 'tiny', dimensions } })
  const text = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.pick(words)).join(' ')
  const batch = Array.from(
    { length: records },
    (_, i): RecordInput => ({
      id: `r${i}`,
      body: text(8),
      createdAt: startOfTime - random.below(9) * 86_400_000,
      ...(random.below(12) === 0 ? {} : { vectors: [random.vector(dimensions)] }),
      ...(inSessions ? { session: `s${i % 80}`, position: Math.floor(i / 80) } : {}),
    }),
  )
  await call('put', { batch })
  const different: string[] = []
  for (let i = 0; i < queries; i++) {
    const query: RecallQuery = {
      text: text(4) + (i % 5 === 0 ? ' yesterday' : ''),
      vector: random.vector(dimensions),
      matching: 'only',
      limit: random.pick([1, 3, 10, 40]),
    }
    const [fast, complete] = [
      await call('recall', { query }),
      await call('recall', { query: { ...query, ledger: true } }),
    ]
    if (spell(fast) !== spell(complete)) different.push(`${i}: ${query.text}`)
  }
  return different
}

function spell({ hits, evidence }: RecallResult): string {
  return canonicalJson({ hits, evidence })
}
