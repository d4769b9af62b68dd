/** Tests that nothing is left of a write that another node's write has undone. */
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { BlockStore } from '../../../src/protocol/blocks.ts'
import { createTurns } from '../../../worker/replica/turns.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openNode, type TestNode } from '../../support/stores/open-node.ts'
import { contentOf, exported, imported } from '../../support/stores/portable.ts'

const now = startOfTime
const older = { id: 'a', body: 'My Zotero library has 45 sources.', createdAt: now }
const other = { id: 'b', body: 'The noodle place is closed on Mondays.', createdAt: now + 1 }
const newer = { ...other, body: 'I have 52 sources in my Zotero library now.' }

type Write = (node: TestNode['node'], context: { now: number; signal?: AbortSignal }) => Promise<unknown>

const writes: Readonly<Record<string, Write>> = {
  'a link': (node, context) => node.call('strengthen', { a: 'a', b: 'b', delta: 0.2 }, context),
  'an outcome': (node, context) => node.call('acknowledge', { of: ['a'], outcomes: { a: 'acted' } }, context),
  'a contradiction': (node, context) => node.call('put', { batch: [newer], findContradictions: true }, context),
  'a new record': (node, context) => node.call('put', { batch: [{ id: 'c', body: 'A third one' }] }, context),
}

const contentIn = async (node: TestNode) => canonicalJson(contentOf(await exported(node)))

test.each(Object.keys(writes))('[N2] of %s, if its caller did not wait for another attempt', async (name) => {
  const write = writes[name]!
  const blocks = memoryBlocks()
  const first = await openNode(blocks)
  await first.call('put', { batch: [older, other] })
  const controller = new AbortController()
  const losing: BlockStore = {
    ...blocks,
    ship: async () => {
      controller.abort()
      return 'lost'
    },
  }
  const second = await openNode(losing)
  await expect(write(second.node, { now: now + 2, signal: controller.signal })).rejects.toThrow()
  const before = await contentIn(first)
  expect(await contentIn(second)).toBe(before)
  expect(second.node.undone()).toBe(1)
  // Control: the write would have changed the content.
  await write(first.node, { now: now + 2 })
  const after = await contentIn(first)
  expect(after).not.toBe(before)
  expect(await contentIn(await openNode(blocks))).toBe(after)
  expect(await first.call('proposals', {})).toHaveLength(name === 'a contradiction' ? 1 : 0)
})

/** Answers `head` and `ship` only when they are released. */
function gated(blocks: BlockStore) {
  const gates = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>()
  const pass = async (name: string) => gates.get(name)?.opened
  const over: { -readonly [K in keyof BlockStore]: BlockStore[K] } = {
    ...blocks,
    async head() {
      const answer = await blocks.head()
      await pass('head')
      return answer
    },
    async ship(changes) {
      await pass('ship')
      return blocks.ship(changes)
    },
  }
  const close = (name: 'head' | 'ship') => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    gates.set(name, { opened, open: () => open() })
  }
  const open = (name: 'head' | 'ship') => {
    gates.get(name)?.open()
    gates.delete(name)
  }
  return { over, close, open }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 30))

/** A write of the second node is committed there, and undone because the first one has written. `read` runs between. */
async function undone<T>(read: (node: TestNode) => Promise<T>) {
  const blocks = memoryBlocks()
  const [first, { over, close, open }] = [await openNode(blocks), gated(blocks)]
  const second = await openNode(over)
  close('head')
  const reading = read(second)
  await soon()
  await first.call('put', { batch: [{ ...older, tags: ['kept'], project: 'kept' }] })
  close('ship')
  const controller = new AbortController()
  const batch = [{ id: 'lost', body: 'Zotero lost Zoology', tags: ['lost'], project: 'lost' }]
  const writing = second.node.call('put', { batch }, { now, signal: controller.signal })
  const rejected = expect(writing).rejects.toThrow()
  await soon()
  open('head')
  await soon()
  controller.abort()
  open('ship')
  await rejected
  return { first, second, answer: await reading }
}

test('[N2] a read during a write that is undone afterwards does not show it', async () => {
  const ask = ({ call }: TestNode) => call('recall', { query: { text: 'zotero' } })
  const { first, second, answer } = await undone(ask)
  expect(second.node.undone()).toBe(1)
  expect(answer.hits.map(({ record }) => record.id)).toEqual(['a'])
  expect(answer.hits).toEqual((await ask(first)).hits)
})

test('[N2] what a read derived of a write that was undone is not shown in the same revision', async () => {
  const blocks = memoryBlocks()
  const [first, { over, close, open }] = [await openNode(blocks), gated(blocks)]
  await first.call('put', { batch: [older, other] })
  const second = await openNode(over)
  const ask = ({ call }: TestNode) => call('recall', { query: { text: 'zotero' } }, now + 9)
  const controller = new AbortController()
  close('head')
  const reading = ask(second)
  // The record is shipped; the contradiction, which is a write of its own, waits.
  const put = { batch: [newer], findContradictions: true }
  let shipped = 0
  const ship = over.ship
  over.ship = async (changes) => {
    if (++shipped === 2) close('ship')
    return ship(changes)
  }
  const writing = second.node.call('put', put, { now, signal: controller.signal }).catch(() => undefined)
  await expect.poll(() => shipped).toBe(2)
  await first.call('put', { batch: [{ id: 'c', body: 'A third one' }] })
  open('head')
  await soon()
  controller.abort()
  open('ship')
  await writing
  await reading
  expect(second.node.revision()).toBe(first.node.revision())
  expect((await ask(second)).warnings).toEqual((await ask(first)).warnings)
  expect(second.node.undone()).toBe(1)
})

test('[N2] a write of a node that was ahead of a restored database is refused', async () => {
  const blocks = memoryBlocks()
  const { call, node } = await openNode(blocks)
  await call('put', { batch: [older] })
  const restore = blocks.backUp()
  await call('put', { batch: [other] })
  await call('put', { batch: [newer] })
  restore()
  await expect(call('put', { batch: [{ id: 'c', body: 'A third one' }] })).rejects.toMatchObject({
    code: 'LEADER_LOST',
  })
  expect(node.isOutdated()).toBe(true)
  // What was restored is left as it is.
  const again = await openNode(blocks)
  expect(await again.call('count', { scope: {} })).toBe(1)
})

test('[N2] a record that another node put again has no tombstone here', async () => {
  const blocks = memoryBlocks()
  const [first, second] = [await openNode(blocks), await openNode(blocks)]
  await first.call('put', { batch: [older] })
  await first.call('forget', { ids: ['a'] })
  expect(await second.call('count', { scope: {} })).toBe(0)
  const tombstones = async (node: TestNode) => contentOf(await exported(node)).tombstones.length
  expect(await tombstones(second)).toBe(1)
  await first.call('put', { batch: [older] })
  expect(await tombstones(first)).toBe(0)
  expect(await tombstones(second)).toBe(0)
})

test('[N2] tombstones that another node removed by restoring a backup are removed here', async () => {
  const blocks = memoryBlocks()
  const [first, second] = [await openNode(blocks), await openNode(blocks)]
  await first.call('put', { batch: [other] })
  const backup = await exported(first)
  await first.call('put', { batch: [older] })
  await first.call('forget', { ids: ['a'] })
  expect(JSON.parse(await contentIn(second)).tombstones).toHaveLength(1)
  await imported(first, backup, 'replace')
  expect(JSON.parse(await contentIn(first)).tombstones).toHaveLength(0)
  expect(await contentIn(second)).toBe(await contentIn(first))
})

test('[N2] a file that another node saw again has no tombstone here', async () => {
  const blocks = memoryBlocks()
  const [first, second] = [await openNode(blocks), await openNode(blocks)]
  const see = (exists: boolean | null) => first.call('checkFiles', { states: [{ path: 'a.md', exists }] })
  const both = async () => [await contentIn(first), await contentIn(second)] as const
  for (const exists of [true, null, false]) {
    await see(exists)
    const [mine, theirs] = await both()
    expect(theirs).toBe(mine)
    expect(JSON.parse(theirs).tombstones).toHaveLength(exists === null ? 1 : 0)
  }
})

test('[R13] nodes keep which fields were changed when', async () => {
  const blocks = memoryBlocks()
  const [first, second] = [await openNode(blocks), await openNode(blocks)]
  await first.call('put', { batch: [older] })
  await first.call('patch', { id: 'a', fields: { tags: ['x'] } }, now + 1)
  expect(await contentIn(second)).toBe(await contentIn(first))
  await second.call('patch', { id: 'a', fields: { title: 'T' } }, now + 2)
  const [record] = contentOf(await exported(first)).records
  expect(record!.fields!.map(([at, , , ...names]) => [at, names.length])).toEqual([
    [now, 0],
    [now + 1, 1],
    [now + 2, 2],
  ])
  expect(await contentIn(second)).toBe(await contentIn(first))
})

test('a node that lets others write goes on as soon as one has written', async () => {
  let asked = 0
  const turns = createTurns(async () => ++asked === 2)
  turns.yield()
  await turns.mine()
  expect(asked).toBe(2)
  await turns.mine()
  expect(asked).toBe(2)
})
