import { describe, expect, it } from 'vitest'
import { type CapturedFacts, replay } from '../../../src/core/replay.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { createRandom } from '../../support/data/random.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

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
  it('[E1] refuses facts of an older version that lack facts needed now', async () => {
    const { call } = await openEngine()
    await call('put', { batch: [{ id: 'a', body: 'jay' }] })
    const { receipt, facts } = await call('recall', { query: { text: 'jay', policy: 'ctxsift', capture: true } })
    const { newest: _newest, ...candidates } = (facts as CapturedFacts).facts.candidates
    const older = { ...(facts as CapturedFacts), facts: { ...(facts as CapturedFacts).facts, candidates } }
    expect(() => replay(receipt, older as unknown as CapturedFacts)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', field: 'facts' }),
    )
  })

  it('[E1] refuses facts of an older version that lack the sessions their policy needs', async () => {
    const { call } = await openEngine()
    await call('put', {
      batch: [1, 2].map((position) => ({ id: `a${position}`, body: 'jay', session: 's', position })),
    })
    const { receipt, facts: captured } = await call('recall', { query: { text: 'jay', capture: true } })
    const { plan, facts } = captured as CapturedFacts
    expect(replay(receipt, { plan, facts }).hits.length).toBe(1)
    const { sessions: _sessions, ...candidates } = facts.candidates
    const older = { plan, facts: { ...facts, candidates } } as unknown as CapturedFacts
    expect(() => replay(receipt, older)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        field: 'facts',
        message: expect.stringContaining('sessions'),
      }),
    )
  })

  it('[D1] gives the same bytes from captured facts alone', async () => {
    const { answer, facts } = await captured('which jay hides seed 3')
    expect(canonicalJson(replay(answer.receipt, facts))).toBe(canonicalJson(answer))
  })

  describe.each(everyPolicy)('of a recall under %s', async (_name, policy) => {
    const random = createRandom(9)
    const { call } = await openEngine({ space: { name: 'test', dimensions: 8 } })
    const batch = Array.from({ length: 60 }, (_, i) => ({
      id: `r${i}`,
      body: `jay ${i % 7} hides seed ${i % 20} in src/nest.ts`,
      project: i % 3 === 0 ? 'wren' : null,
      importance: 1 + (i % 3),
      reasons: i % 5 === 0 ? [{ code: 'user_pinned' }] : [],
      files: i % 4 === 0 ? [{ path: 'src/egg.ts' }] : [],
      vectors: i % 6 === 0 ? [] : random.vector(8),
    }))
    await call('put', { batch })
    await call('checkFiles', { states: [{ path: 'src/egg.ts', exists: false }] })

    it.each([
      { text: 'which jay hides seed 3', vector: random.vector(8), prefer: { project: 'wren' } },
      { text: 'latest jay', files: ['egg.ts'], collapse: 'near' as const, explain: true },
      { vector: random.vector(8), minEvidence: 'strong' as const },
      {},
    ])('[D1] gives the same bytes: %j', async (query) => {
      const {
        tookMs: _tookMs,
        facts,
        ...answer
      } = await call('recall', { query: { ...query, policy, limit: 5, capture: true } })
      const kept = structuredClone(facts) as CapturedFacts
      expect(canonicalJson(replay(answer.receipt, kept))).toBe(canonicalJson(answer))
      // Control: the same facts under another policy are another recall, even where the answer is the same.
      const version = kept.plan.policy.version + 1
      const other = { ...kept, plan: { ...kept.plan, policy: { ...kept.plan.policy, version } } }
      expect(() => replay(answer.receipt, other)).toThrow(/policy that the receipt names/)
    })
  })

  it('[D1] gives the same bytes, whatever was read last', async () => {
    const vectors = Array.from({ length: 4 }, (_, i) => createRandom(i).vector(8))
    for (let seed = 0; seed < 12; seed++) {
      const random = createRandom(seed)
      const { call } = await openEngine({ space: { name: 'test', dimensions: 8 } })
      // Cosines so close to each other that ranking also reads records that are not selected.
      const batch = Array.from({ length: 80 }, (_, i) => ({
        id: `r${i}`,
        body: `${random.pick(['jay acorn', 'jay winter', 'jay in src/nest.ts'])} ${random.below(80)}`,
        vectors: random.pick([random.pick(vectors), random.vector(8)]),
      }))
      await call('put', { batch })
      for (const limit of [1, 5, 20]) {
        const query = { text: 'winter src/nest.ts', vector: random.vector(8), capture: true, explain: true, limit }
        const { tookMs: _tookMs, facts, ...answer } = await call('recall', { query })
        expect(canonicalJson(replay(answer.receipt, structuredClone(facts) as CapturedFacts))).toBe(
          canonicalJson(answer),
        )
      }
    }
  })

  it('refuses facts of another recall', async () => {
    const first = await captured('which jay hides seed 3')
    const second = await captured('number 5')
    expect(() => replay(first.answer.receipt, second.facts)).toThrow(/but give sel-/)
  })
})
