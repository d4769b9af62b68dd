/**
 * Runs the contract of an opened store against the inline engine and against broken wrappers, and random input against
 * the inline engine.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTelemetry, withTelemetry } from '../../src/devtools/index.ts'
import { openRecall, type Recall, RecallError } from '../../src/index.ts'
import { arbitraries, recallContract, runContract } from '../../src/testing/index.ts'

let opened = 0
const open = () => openRecall({ name: `contract-${(opened += 1)}`, runtime: 'inline' })

describe('the inline engine', () => runContract(test, recallContract, open))
describe('withTelemetry', () =>
  runContract(test, recallContract, async () => withTelemetry(await open(), createTelemetry())))

describe('control: the contract refuses', () => {
  test.each<[string, string, (recall: Recall) => Partial<Recall>]>([
    [
      'scores that do not add up',
      '[G3]',
      (recall) => ({
        recall: async (query) => {
          const result = await recall.recall(query)
          return { ...result, hits: result.hits.map((hit) => ({ ...hit, score: hit.score + 1 })) }
        },
      }),
    ],
    ['hits turned around', '[S4]', (recall) => ({ recall: async (query) => turned(await recall.recall(query)) })],
    ['a scope left out', '[Q4]', (recall) => ({ recall: (query) => recall.recall((query as { text: string }).text) })],
    [
      'records kept',
      '[W3]',
      (recall) => ({ forget: async () => ({ ...(await recall.forget([])), forgotten: ['r3'] }) }),
    ],
  ])('%s', async (_name, law, broken) => {
    const held = recallContract.find(({ name }) => name.includes(law))
    await expect(
      held?.run(async () => {
        const recall = await open()
        return { ...recall, ...broken(recall) }
      }),
    ).rejects.toThrow()
  })
})

test('[E1] random records and queries are answered, or refused by a RecallError', async () => {
  const { record, query, vector } = arbitraries(fc)
  const recall = await open()
  const tally = { stored: 0, rejected: 0, answered: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 4 }), query, async (records, asked) => {
      for (const { outcome } of (await recall.put(records)).records)
        tally[outcome === 'rejected' ? 'rejected' : 'stored']++
      try {
        const { hits } = await recall.recall(asked)
        expect(hits.length).toBeLessThanOrEqual(asked.limit ?? 10)
        tally.answered += 1
      } catch (error) {
        expect(error).toBeInstanceOf(RecallError)
      }
    }),
    { seed: 20261122, numRuns: 150 },
  )
  expect(tally.stored).toBeGreaterThan(5 * tally.rejected)
  expect(tally.answered).toBeGreaterThan(140)
  expect(fc.sample(vector(3), { seed: 1, numRuns: 20 }).every(({ length }) => length === 3)).toBe(true)
  await recall.close()
})

function turned(result: Awaited<ReturnType<Recall['recall']>>) {
  return { ...result, hits: result.hits.toReversed() }
}
