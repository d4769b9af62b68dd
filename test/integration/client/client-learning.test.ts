/**
 * Tests the learning methods as an app calls them: positional arguments, options last, errors as the engine threw
 * them.
 */
import { afterAll, expect, it } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'

const now = Date.UTC(2026, 5, 1)
const open: Recall[] = []

async function openFilled(options: Parameters<typeof openRecall>[0] = {}): Promise<Recall> {
  const recall = await openRecall({ name: `learning-${open.length}`, embedder: null, now: () => now, ...options })
  open.push(recall)
  await recall.put([
    { id: 'a', body: 'the dam at the lake' },
    { id: 'b', body: 'the lake in winter' },
  ])
  return recall
}

afterAll(() => Promise.all(open.map((recall) => recall.close())))

it('an answer is acknowledged by its receipt', async () => {
  const recall = await openFilled()
  const { hits, receipt } = await recall.recall('lake')
  expect(hits.map(({ record }) => record.confidence)).toEqual([0.5, 0.5])
  expect(await recall.acknowledge(receipt, { a: 'acted', b: 'used' })).toBeUndefined()
  await recall.acknowledge(receipt, { a: 'acted', b: 'used' })
  expect((await recall.recall('dam')).hits[0]?.record.confidence).toBeCloseTo(0.7, 12)
  expect(await recall.linked('a')).toEqual([{ id: 'b', weight: 0.05 }])
  const events = await recall.events(1)
  expect(events.map(({ kind, id, at }) => [kind, id, at])).toEqual([
    ['outcome', hits[0]?.id, now],
    ...(hits[0]?.id === 'a' ? [['confidence', 'a', now]] : []),
    ['outcome', hits[1]?.id, now],
    ...(hits[1]?.id === 'a' ? [['confidence', 'a', now]] : []),
  ])
})

it('each method takes its values in order and its options last', async () => {
  const recall = await openFilled()
  expect(await recall.link('a', 'b', 0.5)).toMatchObject({ weight: 0.5, durability: 'memory' })
  expect(await recall.strengthen('a', 'b')).toMatchObject({ weight: 0.55 })
  expect(await recall.weakenLinks(0.5)).toMatchObject({ weakened: 1, pruned: 0 })
  expect(await recall.linked('b', 1)).toEqual([{ id: 'a', weight: 0.275 }])
  expect(await recall.predict('a', { minutes: 10 })).toMatchObject({ durability: 'memory' })
  expect(await recall.resolvePrediction('a', { minutes: 5 })).toMatchObject({ error: 0.5, confidence: 0.5 })
  expect(await recall.predictionErrors()).toMatchObject([{ day: '2026-06-01', count: 1, mean: 0.5 }])
  expect(await recall.predictionErrors({ ids: ['b'] })).toEqual([])
  expect(await recall.proposals()).toEqual([])
  expect(await recall.expireProposals()).toBe(0)
  const signal = AbortSignal.abort()
  for (const aborted of [
    () => recall.acknowledge(['a'], {}, { signal }),
    () => recall.link('a', 'b', undefined, { signal }),
    () => recall.weakenLinks(undefined, { signal }),
    () => recall.linked('a', undefined, { signal }),
    () => recall.events(undefined, { signal }),
    () => recall.proposals(undefined, { signal }),
  ])
    await expect(aborted()).rejects.toMatchObject({ code: 'ABORTED' })
})

it('[E1] wrong values of every kind are refused, and the error names the field', async () => {
  const recall = await openFilled()
  const refusals: readonly (readonly [() => Promise<unknown>, string])[] = [
    [() => recall.acknowledge(['a'], { a: 'loved' as never }), 'outcomes.a'],
    [() => recall.acknowledge({ ids: 'a' } as never, {}), 'receipt'],
    [() => recall.link('a', 'nobody'), 'b'],
    [() => recall.linked('nobody'), 'id'],
    [() => recall.predict('a', (() => 1) as never), 'expected'],
    [() => recall.proposals('north' as never), 'scope'],
    [() => recall.events('yesterday' as never), 'since'],
    [() => recall.expireProposals(Number.NaN), 'ttlMs'],
  ]
  for (const [call, field] of refusals) await expect(call()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field })
})

it('autoLink is an option of the store', async () => {
  const recall = await openFilled({ autoLink: false })
  await recall.acknowledge(['a', 'b'], { a: 'used', b: 'used' })
  expect(await recall.linked('a')).toEqual([])
  await expect(openRecall({ autoLink: 'no' as never })).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    field: 'autoLink',
  })
})
