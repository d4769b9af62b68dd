/**
 * [V1] Checks a staged policy, which ranks only the nearest records: those outside its scan have no estimate. The
 * answer must equal that of a scan of all records.
 */
import { describe, expect, it } from 'vitest'
import type { StagedPolicy } from '../../../src/core/model/policy.ts'
import { policies } from '../../../src/core/policies/policies.ts'
import type { CapturedFacts } from '../../../src/core/replay.ts'
import { createRandom } from '../../support/data/random.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const dimensions = 16
const count = 2600
const words = ['jay', 'oak', 'acorn', 'cache', 'winter', 'snow', 'nest', 'wing']

/** More than twice as many records as the depth of the policy, so that its scan cuts; one in nine has no vector. */
async function openMany(seed: number) {
  const random = createRandom(seed)
  const vector = () => Float32Array.from({ length: dimensions }, () => random.below(2001) / 1000 - 1)
  const { call } = await openEngine({ space: { name: 'test', dimensions } })
  await call('put', {
    batch: Array.from({ length: count }, (_, i) => ({
      id: `r${i}`,
      body: Array.from({ length: 4 }, () => random.pick(words)).join(' '),
      ...(i % 9 === 0 ? {} : { vectors: vector() }),
    })),
  })
  return { call, vector }
}

const cut: StagedPolicy = { ...(policies.ctxsift as StagedPolicy), name: 'ctxsift' }
const whole: StagedPolicy = { ...cut, depths: { ...cut.depths, vector: count } }

describe('[V1] a staged answer', () => {
  it.each([1, 2, 3])('is the same whether the scan leaves records out or not, seed %i', async (seed) => {
    const { call, vector } = await openMany(seed)
    for (let i = 0; i < 6; i++) {
      const query = { text: `${words[i]} ${words[(i * 3) % 8]}`, vector: vector(), limit: 50, capture: true }
      const few = await call('recall', { query: { ...query, policy: cut } })
      const all = await call('recall', { query: { ...query, policy: whole } })
      expect(few.hits.length).toBeGreaterThan(0)
      const ranked = ({ hits }: typeof few) =>
        hits.map(({ id, score, contributions }) => ({ id, score, contributions }))
      expect(ranked(few)).toEqual(ranked(all))
      expect(few.evidence).toEqual(all.evidence)
      // Records without an estimate have the bound of all that were left out; control: there are none where nothing is
      // left out.
      const bounded = ({ facts }: typeof few) =>
        (facts as CapturedFacts).facts.candidates.cosineLow.filter((low) => low === -2).length
      expect([bounded(few) > 0, bounded(all)]).toEqual([true, 0])
    }
  })
})
