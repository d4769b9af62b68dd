/** Tests that nothing is left of a write that another node's write has undone. */
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import type { BlockStore } from '../../../src/protocol/blocks.ts'
import { createTurns } from '../../../worker/replica/turns.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { openNode, type TestNode } from '../../support/stores/open-node.ts'
import { contentOf, exported } from '../../support/stores/portable.ts'

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

test('a node that lets others write goes on as soon as one has written', async () => {
  let asked = 0
  const turns = createTurns(async () => ++asked === 2)
  turns.yield()
  await turns.mine()
  expect(asked).toBe(2)
  await turns.mine()
  expect(asked).toBe(2)
})
