/**
 * [N2] Tests what a node answers next to a write that another node's write undoes, and after it: nothing of the undone write, nothing derived
 * from it, and nothing at all once the shared rows are older than what the node has seen.
 */
import { expect, test } from 'vitest'
import type { BlockStore } from '../../../src/protocol/blocks.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openNode, type TestNode } from '../../support/stores/open-node.ts'
import { contentOf, exported } from '../../support/stores/portable.ts'

const now = startOfTime
const space = { name: 'four', dimensions: 4 }
const unit = (place: number) => Float32Array.from([0, 1, 2, 3], (i) => (i === place ? 1 : 0))

/** A door that calls wait at once it is shut. `arrived` resolves when a call has come. */
function createDoor() {
  let open = () => {}
  let arrive = () => {}
  let waiting: Promise<void> | null = null
  let arrived = Promise.resolve()
  return {
    shut() {
      waiting = new Promise((resolve) => (open = resolve))
      arrived = new Promise((resolve) => (arrive = resolve))
    },
    open() {
      waiting = null
      open()
    },
    arrived: () => arrived,
    async pass() {
      if (waiting === null) return
      arrive()
      await waiting
    },
  }
}

/** Two nodes over the same rows. What the second ships or asks for waits at its doors. */
async function openTwo() {
  const blocks = memoryBlocks()
  const [ships, asks] = [createDoor(), createDoor()]
  const slow: BlockStore = {
    ...blocks,
    head: async () => (await asks.pass(), blocks.head()),
    ship: async (changes) => (await ships.pass(), blocks.ship(changes)),
  }
  return { blocks, ships, asks, first: await openNode(blocks, { space }), second: await openNode(slow, { space }) }
}

/** Resolves when the second node's write is undone; its caller has left, so it is not planned again. `meanwhile`: after its commit. */
async function loseWrite(
  { first, second, ships }: Awaited<ReturnType<typeof openTwo>>,
  batch: readonly object[],
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const controller = new AbortController()
  ships.shut()
  const put = second.node.call('put', { batch } as never, { now: now + 1, signal: controller.signal }).then(
    () => 'written',
    () => 'undone',
  )
  expect(await Promise.race([ships.arrived(), put])).toBeUndefined()
  await meanwhile()
  await first.call('put', { batch: [{ id: 'winner', body: 'A wren won.', tags: ['winner'] }] }, now + 2)
  controller.abort()
  ships.open()
  expect(await put).toBe('undone')
}

/** Lets waiting reads reach the engine. */
const readCommit = (asks: ReturnType<typeof createDoor>) => async () => {
  asks.open()
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
}

const idsOf = async ({ call }: TestNode, query: object) =>
  (await call('recall', { query: query as never })).hits.map(({ id }) => id)

test('[N2] a recall that reads between a commit and its undoing answers as the other node', async () => {
  const two = await openTwo()
  const { first, second, asks } = two
  await first.call('put', { batch: [{ id: 'old', body: 'A jay sits there.' }] })
  await second.node.catchUp()
  // The recall has asked for nothing yet when the write commits.
  asks.shut()
  const reading = idsOf(second, { text: 'jay wren' })
  await asks.arrived()
  await loseWrite(two, [{ id: 'lost', body: 'A jay that nobody saw.' }], readCommit(asks))
  const found = await reading
  expect(found).not.toContain('lost')
  expect(found.toSorted()).toEqual((await idsOf(first, { text: 'jay wren' })).toSorted())
  expect(second.node.undone()).toBe(1)
})

test('[N2] lists, facets, suggestions, tiers and vector answers hold nothing of an undone write', async () => {
  const two = await openTwo()
  const { first, second, asks } = two
  await first.call('put', { batch: [{ id: 'old', body: 'A jay sits.', tags: ['old'], vectors: unit(0) }] })
  await second.node.catchUp()
  const answersOf = (node: TestNode) =>
    Promise.all([
      node.call('facets', { request: { keys: ['tags', 'kind'] } }),
      node.call('suggest', { prefix: 'magp' }),
      idsOf(node, { text: 'magpie' }),
      idsOf(node, { text: 'jay', prefix: 'last' }),
      idsOf(node, { scope: { tags: { any: ['lost'] } } }),
      idsOf(node, { vector: unit(1) }),
      node.call('list', { filter: {} }).then(({ items }) => items.map(({ id, authorityTier }) => [id, authorityTier])),
      node.call('count', { scope: {} }),
    ])
  // What is derived is made of the commit, before it is undone.
  asks.shut()
  const reading = answersOf(second)
  await asks.arrived()
  await loseWrite(
    two,
    [
      {
        id: 'lost',
        body: 'A magpie.',
        title: 'Magpie',
        tags: ['lost'],
        vectors: unit(1),
        authorityTier: 'canon',
      },
      { id: 'old', body: 'A magpie sits.', tags: ['lost'], vectors: unit(1), authorityTier: 'canon' },
    ],
    readCommit(asks),
  )
  expect(await reading).toEqual(await answersOf(first))
  expect(await answersOf(second)).toEqual(await answersOf(first))
  expect((await answersOf(second)).at(-1)).toBe(2)
})

test('[N2] a node that is newer than the rows refuses writes and reads, and writes nothing', async () => {
  for (const method of ['put', 'recall'] as const) {
    const blocks = memoryBlocks()
    let back: BlockStore = blocks
    const turning: BlockStore = {
      head: () => back.head(),
      pull: (after, keys) => back.pull(after, keys),
      ship: (changes) => back.ship(changes),
      remove: () => back.remove(),
    }
    const node = await openNode(turning)
    await node.call('put', { batch: [{ id: 'a', body: 'one' }] })
    // The backup: the rows as they were.
    const backup = memoryBlocks()
    const { revision, settings } = await blocks.head()
    const rows = [...blocks.rows.values()].map(({ revision: _old, ...row }) => row)
    await node.call('put', { batch: [{ id: 'b', body: 'two' }] })
    await node.call('put', { batch: [{ id: 'c', body: 'three' }] })
    await backup.ship({ from: 0, to: revision, settings: settings!, rows })
    back = backup
    const call =
      method === 'put'
        ? node.call('put', { batch: [{ id: 'd', body: 'four' }] })
        : node.call('recall', { query: { text: 'one' } })
    await expect(call, method).rejects.toMatchObject({ code: 'LEADER_LOST' })
    expect(node.node.isOutdated()).toBe(true)
    expect((await backup.head()).revision).toBe(revision)
    expect([...backup.rows.values()].some(({ id }) => id.includes('d'))).toBe(false)
  }
})

test('[N2] a node forgets that a record was forgotten when another node puts it again', async () => {
  const { first, second } = await openTwo()
  const contentIn = async (node: TestNode) => contentOf(await exported(node))
  await first.call('put', {
    batch: [
      { id: 'a', body: 'one' },
      { id: 'b', body: 'two' },
    ],
  })
  await first.call('forget', { ids: ['a', 'b'] } as never)
  await second.node.catchUp()
  expect(await contentIn(second)).toEqual(await contentIn(first))
  await first.call('put', { batch: [{ id: 'a', body: 'again' }] }, now + 5)
  await second.node.catchUp()
  expect(await contentIn(second)).toEqual(await contentIn(first))
})
