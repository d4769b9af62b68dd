/**
 * Tests what an app needs of an open store, for wrappers and replacements of `Recall`. The store must be empty at the start of each case,
 * which closes it at the end.
 */
import type { Recall } from '../client/api/recall.ts'
import { type ContractCase, expectSame, expectThat } from './contract.ts'

export type OpenEmptyRecall = () => Promise<Recall>

export const recallContract: readonly ContractCase<OpenEmptyRecall>[] = [
  {
    name: '[W1] a record that is put twice is stored once',
    run: (open) =>
      using(open, async (recall) => {
        const record = { id: 'a', body: 'acorns under the oak', createdAt: 0 }
        expectSame((await recall.put(record)).records[0]?.outcome, 'inserted', 'the first outcome')
        expectSame((await recall.put(record)).records[0]?.outcome, 'unchanged', 'the second outcome')
        expectSame(await recall.count(), 1, 'the count')
      }),
  },
  {
    name: '[W2] a rejected record does not stop the others, and says its field',
    run: (open) =>
      using(open, async (recall) => {
        const { records } = await recall.put([
          { id: 'a', body: 'acorns' },
          { id: 'b' },
          { id: 'c', body: 'c', importance: -1 },
        ])
        expectSame(
          records.map(({ outcome }) => outcome),
          ['inserted', 'rejected', 'rejected'],
          'the outcomes',
        )
        expectSame(records[2]?.field, 'importance', 'the field of the third')
        expectSame(await recall.count(), 1, 'the count')
      }),
  },
  {
    name: '[D2] a recall changes nothing, and repeating it gives the same answer',
    run: (open) =>
      using(open, async (recall) => {
        await fill(recall)
        const { revision } = await recall.status()
        const query = { text: 'acorns and beetles', now: 1_000_000, explain: true }
        const [one, two] = [await recall.recall(query), await recall.recall(query)]
        expectSame({ ...two, tookMs: 0 }, { ...one, tookMs: 0 }, 'the second answer')
        expectSame((await recall.status()).revision, revision, 'the revision')
      }),
  },
  {
    name: '[G3] a score is the sum of its contributions',
    run: (open) =>
      using(open, async (recall) => {
        await fill(recall)
        const { hits } = await recall.recall('acorns and beetles')
        expectThat(hits.length > 0, 'nothing was found')
        for (const { id, score, contributions } of hits) {
          expectSame(
            contributions.reduce((sum, { amount }) => sum + amount, 0),
            score,
            `the sum of ${id}`,
          )
        }
      }),
  },
  {
    name: '[S4] a larger limit only appends, [S5] and the ledger has the records that are left out',
    run: (open) =>
      using(open, async (recall) => {
        await fill(recall)
        const ask = async (limit: number) =>
          recall.recall({ text: 'acorns beetles worms', limit, now: 1_000_000, ledger: true })
        const all = await ask(1000)
        for (let limit = 1; limit <= all.hits.length; limit++) {
          const { hits, ledger } = await ask(limit)
          expectSame(
            hits.map(({ id }) => id),
            all.hits.slice(0, limit).map(({ id }) => id),
            `hits at limit ${limit}`,
          )
          const lost = new Set(ledger?.map(({ id }) => id))
          expectThat(
            all.hits.slice(limit).every(({ id }) => lost.has(id)),
            `the ledger at limit ${limit} misses a record`,
          )
        }
      }),
  },
  {
    name: '[Q4] an answer has only records of the scope',
    run: (open) =>
      using(open, async (recall) => {
        await fill(recall)
        const { hits } = await recall.recall({ text: 'acorns beetles worms', scope: { tags: { any: ['odd'] } } })
        expectThat(hits.length > 0, 'nothing was found')
        expectThat(
          hits.every(({ record }) => record.tags.includes('odd')),
          'a record outside the scope was found',
        )
      }),
  },
  {
    name: '[W3] a forgotten record is gone, and verifyForgotten proves it',
    run: (open) =>
      using(open, async (recall) => {
        await fill(recall)
        expectSame((await recall.forget('r3')).forgotten, ['r3'], 'the receipt')
        expectSame((await recall.verifyForgotten('r3')).clean, true, 'the proof')
        expectSame((await recall.get('r3')) ?? null, null, 'the record')
        const { hits } = await recall.recall({ text: 'worms', limit: 1000 })
        expectThat(
          hits.every(({ id }) => id !== 'r3'),
          'it is still found',
        )
      }),
  },
  {
    name: '[E1] a bad query is a RecallError that names its field',
    run: (open) =>
      using(open, async (recall) => {
        const error = await recall.recall({ text: 'acorns', limit: 0 }).then(
          () => null,
          (reason: unknown) => reason as { readonly name?: unknown; readonly code?: unknown; readonly field?: unknown },
        )
        expectSame([error?.name, error?.code], ['RecallError', 'INVALID_ARGUMENT'], 'the error')
        expectThat(String(error?.field).endsWith('limit'), 'the error names no field')
      }),
  },
]

async function using(open: OpenEmptyRecall, work: (recall: Recall) => Promise<void>): Promise<void> {
  const recall = await open()
  try {
    expectSame(await recall.count(), 0, 'the count at the start')
    await work(recall)
  } finally {
    await recall.close()
  }
}

const words = ['acorns', 'beetles', 'worms', 'nuts', 'seeds']

async function fill(recall: Recall): Promise<void> {
  await recall.put(
    Array.from({ length: 12 }, (_, i) => ({
      id: `r${i}`,
      title: `Cache ${i}: ${words[i % words.length]}`,
      body: `The jay hid ${words[(i * 3) % words.length]} near tree ${i * 7}, and ${i} days later it came back for them.`,
      tags: i % 2 === 0 ? ['even'] : ['odd'],
      createdAt: i * 1000,
      updatedAt: i * 1000,
    })),
  )
}
