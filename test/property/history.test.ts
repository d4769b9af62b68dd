/**
 * [D3] Checks that two stores with the same records answer the same, whatever their histories: order of insertion,
 * batches, texts put wrong and corrected, deletions, re-insertions, patches. Texts and vectors are chosen to tie.
 */
import { describe, expect, it } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import type { RecallResult } from '../../src/core/model/result.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { sized } from '../support/data/sized.ts'
import { otherPolicies } from '../support/stores/every-policy.ts'
import { openEngine, startOfTime, type TestEngine } from '../support/stores/open-engine.ts'

const space = { name: 'eight', dimensions: 8 }
const firstSeed = 700

/**
 * Histories of a small store, and two of one with more records than a channel's depth: its cuts fall among
 * ties.
 */
const stores = [
  { count: 250, histories: sized(8) },
  { count: 1150, histories: 2 },
]

/** A record and the clock of its last write. */
interface Timed {
  readonly record: RecordInput & { readonly id: string }
  readonly at: number
}

describe.each(stores)('stores of $count records', async ({ count, histories }) => {
  const fixture = timedRecords(count)
  const plain = await openEngine({ space, metadataKeys: ['n'] })
  for (const at of new Set(fixture.map((timed) => timed.at))) {
    await plain.call('put', { batch: fixture.filter((timed) => timed.at === at).map(({ record }) => record) }, at)
  }
  await plain.call('checkFiles', { states: fileStates })
  const expected = await answersOf(plain)

  it.each(Array.from({ length: histories }, (_, i) => firstSeed + i))(
    '[D3] answer the same after history %i',
    async (seed) => {
      const other = await openEngine({ space, metadataKeys: ['n'] })
      await putByDetours(other, fixture, createRandom(seed))
      expect(await other.call('count', { scope: {} })).toBe(count)
      const answers = await answersOf(other)
      for (const [i, answer] of answers.entries()) expect(answer, JSON.stringify(questions()[i])).toBe(expected[i])
    },
  )

  it('[D3] control: there are ties, and not in the order of insertion', async () => {
    const { hits } = await plain.call('recall', { query: { text: 'jay', limit: 1000, collapse: 'none' } })
    const equals = hits.map((first) =>
      hits.filter(({ score, record }) => score === first.score && record.updatedAt === first.record.updatedAt),
    )
    const best = equals.reduce((most, group) => (group.length > most.length ? group : most))
    const tied = new Set(best.map(({ id }) => id))
    expect(tied.size).toBeGreaterThan(15)
    expect([...tied]).not.toEqual(fixture.map(({ record }) => record.id).filter((id) => tied.has(id)))
  })
})

/**
 * Canonical results except for the one thing that a history may change: the revision. The receipt's digests stay in.
 */
async function answersOf({ call }: TestEngine): Promise<string[]> {
  const answers: string[] = []
  for (const query of questions())
    for (const ledger of [false, true])
      answers.push(spell(await call('recall', { query: { ...query, ledger } }, startOfTime + 9e6)))
  return answers
}

function spell({
  tookMs: _tookMs,
  // Histories have different revisions, which the id of a receipt covers.
  receipt: { storeRevision: _revision, id: _id, ...receipt },
  ...result
}: RecallResult): string {
  return canonicalJson({ ...result, receipt })
}

function questions(): RecallQuery[] {
  const random = createRandom(firstSeed)
  return [
    { text: 'jay' },
    { text: 'jay', limit: 1000, collapse: 'none' },
    { text: 'jay acorn winter', limit: 50, explain: true },
    { text: 'src/nest.ts EggError', limit: 30 },
    { vector: random.vector(8), limit: 1000, collapse: 'none' },
    { vector: copied(), limit: 20, explain: true },
    { text: 'acorn', vector: random.vector(8), limit: 200 },
    { text: 'jay', scope: { tags: { any: ['even'] } }, vector: random.vector(8) },
    { text: 'acorn', scope: { metadata: { n: 3 } }, limit: 100 },
    { limit: 100 },
    { scope: { project: 'wren' }, limit: 1000 },
    ...otherPolicies.flatMap(([, policy]): RecallQuery[] => [
      { policy, text: 'latest jay nest', prefer: { project: 'wren' }, limit: 40, explain: true },
      { policy, text: 'acorn', vector: copied(), files: ['nest'], limit: 60, collapse: 'near' },
      { policy, scope: { tags: { any: ['even'] } }, limit: 30 },
    ]),
  ]
}

const fileStates = [
  { path: 'src/nest.ts', exists: true, mtime: startOfTime + 1 },
  { path: 'src/egg.ts', exists: false },
]

function timedRecords(count: number): Timed[] {
  const random = createRandom(firstSeed - 1)
  return Array.from({ length: count }, (_, i): Timed => {
    const words = i % 3 === 0 ? 'jay' : `jay ${random.pick(['acorn', 'winter', 'nest'])}`
    const record = {
      id: `${random.pick(['', '\u{1f426}', '\ufb01', 'z'])}r${i}`,
      body: i % 10 === 0 ? `${words} in src/nest.ts raised EggError` : words,
      project: i % 4 === 0 ? 'wren' : null,
      tags: i % 2 === 0 ? ['even'] : [],
      metadata: { n: i % 7 },
      status: i % 40 === 39 ? ('superseded' as const) : ('active' as const),
      authorityTier: i % 30 === 7 ? 'canon' : null,
      importance: 1 + (i % 3),
      reasons: i % 9 === 0 ? [{ code: 'user_pinned' as const, weight: 0.5 }] : [],
      files: i % 11 === 0 ? [{ path: i % 2 === 0 ? 'src/egg.ts' : 'src/nest.ts' }] : [],
      createdAt: startOfTime + (i % 5) * 1000,
      vectors: i % 3 === 0 ? copied() : [random.vector(8), random.vector(8)].slice(i % 2),
    }
    return { record, at: startOfTime + (i % 4) * 60_000 }
  })
}

function copied(): Float32Array {
  return createRandom(1).vector(8)
}

async function putByDetours({ call }: TestEngine, fixture: readonly Timed[], random: Random): Promise<void> {
  const early = startOfTime - 1000
  for (const { record } of random.shuffled(fixture).slice(0, fixture.length / 4)) await detour(record)
  await call('put', { batch: [{ id: 'passing', body: 'jay passing through', files: [{ path: 'src/egg.ts' }] }] }, early)
  // The final states of files are reported last; earlier ones must not show.
  await call('checkFiles', { states: [{ path: 'src/nest.ts', exists: random.below(2) === 0 }] }, early)
  await call('checkFiles', { states: fileStates.toReversed() }, early)
  const waiting = random.shuffled(fixture).sort((a, b) => a.at - b.at)
  while (waiting.length > 0) {
    const at = waiting[0]?.at ?? 0
    const batch = waiting.splice(0, Math.min(1 + random.below(120), waiting.filter((timed) => timed.at === at).length))
    const records = batch.map(({ record }) => record)
    if (random.below(3) === 0)
      await call('put', { batch: records.map((record) => ({ ...record, title: 'for now' })) }, at)
    await call('put', { batch: records }, at)
    if (random.below(3) === 0) await patchAndBack(random.pick(records), at)
  }
  await call('forget', { ids: ['passing'] })

  function detour(record: Timed['record']): Promise<unknown> {
    const dice = random.below(4)
    if (dice === 0) return call('put', { batch: [{ ...record, body: `winter ${record.id}` }] }, early)
    if (dice === 1) return call('put', { batch: [{ ...record, metadata: { n: 99 }, tags: ['even', 'odd'] }] }, early)
    // Not exactly the same: a record that is put again unchanged has been confirmed, which is learned state.
    if (dice === 2)
      return call(
        'put',
        {
          batch: [
            { ...record, vectors: [] },
            { ...record, title: 'early' },
          ],
        },
        early,
      )
    return call('put', { batch: [record] }, early).then(() => call('forget', { ids: [record.id] }, early))
  }

  async function patchAndBack({ id, project, body }: Timed['record'], at: number): Promise<void> {
    await call('patch', { id, fields: { project: 'elsewhere' } }, at)
    await call('patch', { id, fields: { project } }, at)
    expect((await call('get', { ids: [id] }))[0]?.body).toBe(body)
  }
}
