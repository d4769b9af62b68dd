/** Tests that a node that writes without a pause lets other nodes write. */
import { expect, test } from 'vitest'
import type { BlockStore } from '../../../src/protocol/blocks.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'
import { openNode } from '../../support/stores/open-node.ts'

const transportMs = 2
const enough = 40

/** Two nodes, each with four writers that never pause, until both have written often enough. Rejects if a node gives up. */
async function writeBoth(blocks: BlockStore): Promise<void> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, transportMs))
  const slow: BlockStore = {
    ...blocks,
    head: async () => (await pause(), blocks.head()),
    pull: async (after, keys) => (await pause(), blocks.pull(after, keys)),
    ship: async (changes) => (await pause(), blocks.ship(changes)),
  }
  const nodes = [await openNode(slow), await openNode(slow)]
  const written = [0, 0]
  let failure: unknown
  const write = async (node: number, writer: number) => {
    for (let n = 0; failure === undefined && Math.min(...written) < enough; n++) {
      const record = { id: `${node} ${writer} ${n}`, body: `acorn ${n}` }
      await nodes[node]!.call('put', { batch: [record] }).catch((error: unknown) => (failure ??= error))
      written[node]! += 1
    }
  }
  await Promise.all([0, 1].flatMap((node) => [1, 2, 3, 4].map((writer) => write(node, writer))))
  if (failure !== undefined) throw failure
  for (const { call } of nodes) expect(await call('count', { scope: {} })).toBe(written[0]! + written[1]!)
}

test('[N3] two nodes that write without a pause take turns', async () => {
  await writeBoth(memoryBlocks())
})

test('control: a node loses every race to one that does not hear that it waits, and gives up', async () => {
  const blocks = memoryBlocks()
  const silent: BlockStore = {
    ...blocks,
    ship: async (changes) => ((await blocks.ship(changes)) === 'lost' ? 'lost' : 'written'),
  }
  await expect(writeBoth(silent)).rejects.toMatchObject({ code: 'STORE_BUSY' })
})
