import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/core/text/canonical.ts'
import { type CapturedFacts, replay } from '../../src/core/replay.ts'
import { openEngine } from '../support/open-engine.ts'
import { createRandom } from '../support/random.ts'

async function captured(text: string) {
  const random = createRandom(7)
  const { call } = await openEngine({ space: { name: 'test', dimensions: 8 } })
  const batch = Array.from({ length: 60 }, (_, i) => ({
    id: `r${i}`,
    body: `jay number ${i % 7} hides seed ${i}`,
    vectors: random.vector(8),
  }))
  await call('put', { batch })
  const {
    tookMs: _tookMs,
    facts,
    ...answer
  } = await call('recall', { query: { text, vector: random.vector(8), capture: true, limit: 5 } })
  return { answer, facts: structuredClone(facts) as CapturedFacts }
}

describe('replay', () => {
  it('[D1] gives the same bytes from captured facts alone', async () => {
    const { answer, facts } = await captured('which jay hides seed 3')
    expect(canonicalJson(replay(answer.receipt, facts))).toBe(canonicalJson(answer))
  })

  it('refuses facts of another recall', async () => {
    const first = await captured('which jay hides seed 3')
    const second = await captured('number 5')
    expect(() => replay(first.answer.receipt, second.facts)).toThrow(/not sel-/)
  })
})
