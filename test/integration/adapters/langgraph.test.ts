/** Compares `RecallStore` with LangGraph's own `InMemoryStore`, operation by operation, on random histories; then what only it can do. */
import {
  AsyncBatchedStore,
  type BaseStore,
  InMemoryStore,
  InvalidNamespaceError,
  type Operation,
} from '@langchain/langgraph-checkpoint'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRecall, type Recall } from '../../../src/index.ts'
import { RecallStore } from '../../../src/langgraph/index.ts'
import { createRandom } from '../../support/data/random.ts'

let recall: Recall
let clock: number
beforeEach(async () => {
  clock = Date.UTC(2026, 0, 1)
  // Each call is later than the one before, so that the order of items is that of their first writes.
  recall = await openRecall({ name: 'langgraph', embedder: null, now: () => clock++ })
})
afterEach(() => recall.close())

/** Without what may differ: the times, and the order of several namespaces in a search. */
function plain(items: readonly { namespace: string[]; key: string; value: unknown }[]) {
  return items
    .map(({ namespace, key, value }) => ({ namespace, key, value }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

describe('parity with InMemoryStore', () => {
  const random = createRandom(11)
  const namespaces = [
    ['users', 'ada'],
    ['users', 'ada', 'notes'],
    ['users', 'bob'],
    ['docs'],
    ['usersx', 'ada'],
    ['langgraphs'],
  ]
  const filters = [
    undefined,
    { color: 'red' },
    { size: { $gte: 3, $lt: 8 } },
    { size: { $ne: 2 } },
    { color: { $in: ['red', 'blue'] } },
    { color: { $nin: ['red'] } },
    { missing: 1 },
    { nested: { $eq: 1, other: 2 } },
  ]

  async function both<T>(
    ours: BaseStore,
    theirs: BaseStore,
    run: (store: BaseStore) => Promise<T>,
    normal: (value: T) => unknown = (value) => value,
  ) {
    const expected = normal(await run(theirs))
    expect(normal(await run(ours))).toEqual(expected)
    return expected
  }

  test('random histories of writes, deletions, searches, pages and namespaces are equal', async () => {
    const ours = new RecallStore(recall)
    const theirs = new InMemoryStore()
    let found = 0
    for (let step = 0; step < 220; step++) {
      const namespace = random.pick(namespaces)
      const key = `k${random.below(6)}`
      const kind = random.below(10)
      if (kind < 4) {
        const value = {
          color: random.pick(['red', 'blue', 'green']),
          size: random.below(10),
          list: [1, { deep: 'text' }],
          empty: null,
        }
        await both(ours, theirs, (store) => store.put(namespace, key, value))
      } else if (kind === 4) await both(ours, theirs, (store) => store.delete(namespace, key))
      else if (kind === 5)
        await both(
          ours,
          theirs,
          (store) => store.get(namespace, key),
          (item) => item && plain([item]),
        )
      else if (kind < 8) {
        const prefix = namespace.slice(0, random.below(3))
        const filter = random.pick(filters)
        const items = await both(
          ours,
          theirs,
          (store) => store.search(prefix, { limit: 100, ...(filter === undefined ? {} : { filter }) }),
          plain,
        )
        found += (items as unknown[]).length
      } else if (kind === 8) {
        // One namespace: the order is defined, so pages are equal, too.
        const page = { limit: 1 + random.below(3), offset: random.below(3) }
        await both(
          ours,
          theirs,
          (store) => store.search(['docs'], page),
          (items) => items.map((item) => plain([item])),
        )
      } else {
        const more = random.pick([
          {},
          { prefix: ['users'] },
          { suffix: ['ada'] },
          { prefix: ['*', 'ada'] },
          { maxDepth: 1 },
        ])
        // InMemoryStore keeps namespaces whose last item was deleted.
        const isLive = async (one: string[]) =>
          (await theirs.search(one, { limit: 100 })).some(
            (item) => 'maxDepth' in more || item.namespace.length === one.length,
          )
        const listed = await theirs.listNamespaces(more)
        const live = await Promise.all(listed.map(async (one) => [one, await isLive(one)] as const))
        const expected = live.flatMap(([one, is]) => (is ? [one] : []))
        expect(await ours.listNamespaces(more)).toEqual(expected)
      }
    }
    expect(found).toBeGreaterThan(100)
  })

  test('a batch reads before it writes, and the last write of a key counts', async () => {
    const operations: Operation[] = [
      { namespace: ['a'], key: 'x', value: { v: 1 } },
      { namespace: ['a'], key: 'x' },
      { namespace: ['a'], key: 'x', value: { v: 2 } },
      { namespacePrefix: ['a'] },
      { namespace: ['a'], key: 'y', value: null },
    ]
    const run = async (store: BaseStore) => {
      const [first, read, , searched] = await store.batch(operations)
      return [first, read, searched, plain([(await store.get(['a'], 'x'))!])]
    }
    const theirs = await run(new InMemoryStore())
    expect(await run(new RecallStore(recall))).toEqual(theirs)
  })

  test.each([[[]], [['a.b']], [['a:b']], [['']], [['langgraph']], [['nul\0']]])(
    'the namespace %j is refused by put as there',
    async (namespace) => {
      for (const store of [new InMemoryStore(), new RecallStore(recall)])
        await expect(store.put(namespace, 'k', { v: 1 })).rejects.toThrow(InvalidNamespaceError)
      expect(await recall.count()).toBe(0)
    },
  )
})

describe('RecallStore', () => {
  test('search with a query ranks items by it, fills up with the others, and filters first', async () => {
    const store = new RecallStore(recall)
    await store.put(['docs'], 'oak', { text: 'Jays hide acorns under the oak', year: 2025 })
    await store.put(['docs'], 'deploy', { text: 'The deploy key rotates on Mondays', year: 2026 })
    await store.put(['docs'], 'hidden', { text: 'The deploy key is secret', year: 2026 }, false)
    const found = await store.search(['docs'], { query: 'when does the deploy key rotate' })
    expect(found.map(({ key, score }) => [key, score === undefined])).toEqual([
      ['deploy', false],
      ['oak', true],
      ['hidden', true],
    ])
    expect(found[0]!.score).toBeGreaterThan(0.1)
    const filtered = await store.search(['docs'], { query: 'deploy key', filter: { year: 2025 }, limit: 1 })
    expect(filtered.map(({ key }) => key)).toEqual(['oak'])
  })

  test('keeps the time of the first write, and dates of updates', async () => {
    const store = new RecallStore(recall)
    await store.put(['a'], 'k', { v: 1 })
    const first = (await store.get(['a'], 'k'))!
    await store.put(['a'], 'k', { v: 2 })
    const second = (await store.get(['a'], 'k'))!
    expect(second.createdAt).toEqual(first.createdAt)
    expect(second.updatedAt.getTime()).toBeGreaterThan(first.updatedAt.getTime())
  })

  test('works behind AsyncBatchedStore, keeps large values, and leaves other records alone', async () => {
    await recall.put({ id: 'other', body: 'Not an item of LangGraph' })
    const store = new AsyncBatchedStore(new RecallStore(recall, { fields: ['title', 'parts[*]'] }))
    store.start()
    const value = { title: 'Big', parts: ['one', 'two'], rest: 'x'.repeat(9000) }
    await Promise.all([store.put(['big'], 'k', value), store.put(['big'], 'l', { title: 'Small' })])
    expect((await store.get(['big'], 'k'))?.value).toEqual(value)
    expect((await store.search([], { query: 'two' }))[0]?.key).toBe('k')
    expect(await store.search([])).toHaveLength(2)
    await store.stop()
    const huge = { text: 'word '.repeat(10_000) }
    const plainStore = new RecallStore(recall)
    await plainStore.put(['big'], 'huge', huge)
    expect((await plainStore.get(['big'], 'huge'))?.value).toEqual(huge)
    // What cannot be stored is an error with its hint, and changes nothing.
    await expect(plainStore.put(['big'], 'huge', { text: 'x'.repeat(2 ** 21) })).rejects.toMatchObject({
      code: 'INVALID_RECORD',
    })
    expect((await plainStore.get(['big'], 'huge'))?.value).toEqual(huge)
  })

  test.each<[string, unknown]>([
    ['a BigInt', { count: 10n }],
    ['a BigInt below', { list: [{ count: 1n }] }],
    ['a cycle', circular()],
    ['a toJSON that throws', { at: new Date(Number.NaN), toJSON: () => expect.fail('no JSON') }],
    ['nothing', undefined],
    ['a function', () => 1],
  ])('[E1] a batch with a value that is %s is refused, and changes nothing', async (_name, value) => {
    const store = new RecallStore(recall)
    await store.put(['a'], 'kept', { text: 'kept' })
    const put = (key: string, one: unknown) => ({ namespace: ['a'], key, value: one }) as Operation
    await expect(
      store.batch([put('kept', null), put('new', { text: 'new' }), put('odd', value)]),
    ).rejects.toMatchObject({ name: 'RecallError', code: 'INVALID_RECORD', field: 'value', hint: expect.any(String) })
    expect((await store.search(['a'])).map(({ key }) => key)).toEqual(['kept'])
    // control: without that value, both others are done.
    await store.batch([put('kept', null), put('new', { text: 'new' })])
    expect((await store.search(['a'])).map(({ key }) => key)).toEqual(['new'])
  })
})

function circular(): object {
  const value: Record<string, unknown> = {}
  value['self'] = { value }
  return value
}
