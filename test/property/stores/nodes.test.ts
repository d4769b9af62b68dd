/**
 * Random lives of three nodes over shared rows, with a transport that loses answers, repeats and delays writes.
 */
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { type BlockStore, blockKinds, type KeptStore } from '../../../src/protocol/blocks.ts'
import { createRandom, type Random } from '../../support/data/random.ts'
import { sized } from '../../support/data/sized.ts'
import { everyPolicy } from '../../support/stores/every-policy.ts'
import { type MemoryBlocks, memoryBlocks, unreliable } from '../../support/stores/memory-blocks.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'
import { openNode, type TestNode } from '../../support/stores/open-node.ts'
import { contentOf, exported, imported } from '../../support/stores/portable.ts'

const lives = sized(2)
const options = { space: { name: 'eight', dimensions: 8 }, metadataKeys: ['flag'] }
const ids = ['a', 'b', 'c', 'd', 'e\0f', 'é']
const words = ['jay', 'acorn', 'cache', 'worm', 'oak', 'shelf', 'yesterday']

interface World {
  readonly blocks: MemoryBlocks
  readonly nodes: readonly TestNode[]
  /** Operation → whether its write was acknowledged. */
  readonly acknowledged: Map<string, readonly string[]>
}

async function live(seed: number, steps = 45): Promise<World> {
  const random = createRandom(seed)
  const blocks = memoryBlocks()
  const transport = unreliable(blocks, random)
  const nodes: TestNode[] = []
  const acknowledged: World['acknowledged'] = new Map()
  const open = async (kept?: KeptStore) => {
    for (;;) {
      try {
        return await openNode(transport, options, { kept })
      } catch (error) {
        if (!String(error).includes('cut')) throw error
      }
    }
  }
  for (let i = 0; i < 3; i++) nodes.push(await open())
  for (let step = 0; step < steps; step += 3) {
    // Three calls at once, so that nodes race.
    const calls = [0, 1, 2].map((n) => takeStep(random.pick(nodes), random, `${seed}-${step + n}`, acknowledged))
    await Promise.all(calls)
    // Another node in its place begins with nothing, or with what the closed one left.
    if (random.below(8) === 0) {
      const i = random.below(3)
      const kept = await nodes[i]!.node.closeAndKeep({ now: startOfTime }).catch(() => null)
      nodes[i] = await open(random.below(3) === 0 ? undefined : (kept ?? undefined))
    }
  }
  return { blocks, nodes, acknowledged }
}

async function takeStep(
  { node }: TestNode,
  random: Random,
  operation: string,
  acknowledged: World['acknowledged'],
): Promise<void> {
  const [a, b] = [random.pick(ids), random.pick(ids)]
  const text = () => Array.from({ length: 3 + random.below(6) }, () => random.pick(words)).join(' ')
  const now = startOfTime + random.below(1e9)
  const context = { now, operation }
  const dice = random.below(14)
  const body = `${text()} ${operation}`
  const fresh = `op ${operation}`
  const write = async (): Promise<unknown> => {
    if (dice < 5) {
      const record = { id: fresh, body, tags: [random.pick(words)], metadata: { flag: random.below(3) } }
      const vectors = [{ vector: random.vector(8), from: 0, to: 4 }]
      return node.call('put', { batch: [random.below(2) === 0 ? record : { ...record, vectors }] }, context)
    }
    if (dice < 8)
      return node.call(
        'put',
        {
          batch: [
            { id: a, body },
            { id: b, body: `${body} b` },
          ],
        },
        context,
      )
    if (dice < 9) return node.call('forget', { ids: [a] }, context)
    if (dice < 10) return node.call('acknowledge', { of: [a], outcomes: { [a]: 'acted' } }, context)
    if (dice < 11) return node.call('strengthen', { a, b, delta: 0.2 }, context)
    if (dice < 12) return node.call('predict', { id: a, expected: random.below(9) / 9 }, context)
    if (dice < 13)
      return node.call('checkFiles', { states: [{ path: `${a}.md`, exists: true, sha256: operation }] }, context)
    return node.call('recall', { query: { text: text() } }, context)
  }
  // As a client does: the same operation again until it is answered, at most some times.
  for (let attempt = 0; attempt < 8; attempt++) {
    try {
      await write()
      if (dice < 5) acknowledged.set(operation, [fresh])
      return
    } catch (error) {
      if (!/cut|late/.test(String(error))) return
    }
  }
}

async function settled({ blocks }: World): Promise<TestNode> {
  return openNode(blocks, options)
}

const seeds = Array.from({ length: lives }, (_, i) => 7100 + i)

test.each(seeds)('[N2] [N3] nodes of life %i agree with the rows', async (seed) => {
  const world = await live(seed)
  const fresh = await settled(world)
  const content = canonicalJson(contentOf(await exported(fresh)))
  for (const { node } of world.nodes) {
    const over = { call: async (method: never, request: never) => node.call(method, request, { now: startOfTime }) }
    let bytes: Uint8Array | undefined
    for (let attempt = 0; bytes === undefined; attempt++) {
      try {
        bytes = await exported(over as never)
      } catch (error) {
        if (attempt === 20 || !/cut|late/.test(String(error))) throw error
      }
    }
    expect(canonicalJson(contentOf(bytes)), 'content of a node').toBe(content)
  }
  expect(await fresh.call('integrityCheck', {})).toMatchObject({ ok: true })
  const stored = new Set((await fresh.call('list', { filter: { limit: 1_000 } })).items.map(({ id }) => id))
  for (const [operation, made] of world.acknowledged) {
    expect(world.blocks.rows.has(`${blockKinds.operation} write ${operation}`), operation).toBe(true)
    for (const id of made) expect(stored.has(id), id).toBe(true)
  }
  const ordinary = await openEngine(options)
  await imported(ordinary, await exported(fresh))
  for (const [name, policy] of everyPolicy) {
    for (const text of ['jay acorn', 'oak shelf yesterday', 'nothing of it']) {
      const ask = async (from: Pick<TestNode, 'call'>) => {
        const { receipt, ...answer } = await from.call('recall', { query: { text, policy, explain: true } })
        return canonicalJson(
          JSON.parse(JSON.stringify({ ...answer, receipt: { ...receipt, id: '', storeRevision: 0 } })),
        )
      }
      expect(await ask(fresh), `${name}: ${text}`).toBe(await ask(ordinary))
    }
  }
})

test('[N3] these lives race, lose answers and undo writes', async () => {
  const world = await live(seeds[0]!)
  const undone = world.nodes.reduce((sum, { node }) => sum + node.undone(), 0)
  expect(undone).toBeGreaterThan(3)
  expect(world.acknowledged.size).toBeGreaterThan(10)
})

test('[N4] the row of a forgotten record is empty, and no row has its text', async () => {
  const blocks = memoryBlocks()
  const { call } = await openNode(blocks)
  await call('put', {
    batch: [
      { id: 'secret', body: 'zanzibar' },
      { id: 'other', body: 'harmless' },
    ],
  })
  const texts = () => [...blocks.rows.values()].map(({ frames }) => Buffer.from(frames ?? []).toString()).join()
  expect(texts()).toContain('zanzibar')
  await call('forget', { ids: ['secret'] })
  expect(texts()).not.toContain('zanzibar')
  expect(blocks.rows.get(`${blockKinds.record} secret`)?.frames).toBeNull()
})

async function insertTwice(blocks: BlockStore): Promise<readonly string[]> {
  const nodes = [await openNode(blocks), await openNode(blocks)]
  const put = async ({ call }: TestNode, n: number) =>
    (await call('put', { batch: [{ id: 'same', body: `by ${n}` }] })).records[0]!.outcome
  return (await Promise.all(nodes.map(put))).sort()
}

test('[N3] of two nodes that insert a record at once, one plans again and updates it', async () => {
  expect(await insertTwice(memoryBlocks())).toEqual(['inserted', 'updated'])
})

test('control: without the compare-and-set, both nodes insert it, and one write is lost', async () => {
  const blocks = memoryBlocks()
  const careless: BlockStore = {
    ...blocks,
    async ship(changes) {
      const { revision } = await blocks.head()
      return blocks.ship({ ...changes, from: revision, to: Math.max(changes.to, revision + 1) })
    },
  }
  expect(await insertTwice(careless)).toEqual(['inserted', 'inserted'])
})

/** Holds back the answers of a method until `release` is called. */
function slow(blocks: BlockStore, name: 'head' | 'pull') {
  let release: () => void = () => undefined
  let isHeld = false
  const over: BlockStore = {
    ...blocks,
    async [name](...given: never[]) {
      const answer = await (blocks[name] as (...all: never[]) => Promise<never>)(...given)
      if (isHeld) await new Promise<void>((resolve) => (release = resolve))
      return answer
    },
  }
  return { over, hold: () => void (isHeld = true), release: () => ((isHeld = false), release()) }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 30))

test('[N2] a read sees a write that was acknowledged before, also if a pull had begun earlier', async () => {
  const blocks = memoryBlocks()
  const { over, hold, release } = slow(blocks, 'pull')
  const [first, second] = [await openNode(blocks), await openNode(over)]
  hold()
  const pulling = second.node.catchUp()
  await soon()
  await first.call('put', { batch: [{ id: 'new', body: 'written meanwhile' }] })
  const reading = second.call('get', { ids: ['new'] })
  await soon()
  release()
  await pulling
  expect((await reading)[0]?.body).toBe('written meanwhile')
})

test('[N2] a read that asked for the revision before its own node wrote is answered', async () => {
  const { over, hold, release } = slow(memoryBlocks(), 'head')
  const { call, node } = await openNode(over)
  await call('put', { batch: [{ id: 'a', body: 'one' }] })
  hold()
  const reading = call('get', { ids: ['b'] })
  await soon()
  await call('put', { batch: [{ id: 'b', body: 'two' }] })
  release()
  expect((await reading)[0]?.body).toBe('two')
  expect(node.isOutdated()).toBe(false)
})

test('[N2] a kept database of a store that was deleted and made again is refused', async () => {
  const blocks = memoryBlocks()
  const put = async ({ call }: TestNode, id: string) => call('put', { batch: [{ id, body: `acorn ${id}` }] })
  const first = await openNode(blocks, options)
  await put(first, 'old')
  const kept = (await first.node.closeAndKeep({ now: startOfTime }))!
  const again = await openNode(blocks, options, { kept })
  expect(await again.call('count', { scope: {} })).toBe(1)
  await blocks.remove()
  const other = await openNode(blocks, options)
  for (const id of ['new', 'newer', 'newest']) await put(other, id)
  await expect(openNode(blocks, options, { kept })).rejects.toMatchObject({ code: 'LEADER_LOST' })
  // The same holds for an engine that was open all the time.
  await expect(again.call('count', { scope: {} })).rejects.toMatchObject({ code: 'LEADER_LOST' })
  expect(again.node.isOutdated()).toBe(true)
})
