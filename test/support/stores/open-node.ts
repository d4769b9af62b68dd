/** Opens a node over shared rows, as the server does, with an engine in memory. */
import type { BlockStore } from '../../../src/protocol/blocks.ts'
import type { EngineOptions } from '../../../src/protocol/engine-options.ts'
import { noExtensions } from '../../../worker/methods/common/extensions.ts'
import { openReplica, type Replica, type ReplicaSettings } from '../../../worker/replica/replica.ts'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { openMemory } from '../../../worker/storage/memory.ts'
import { engineOptions } from './engine-options.ts'
import { asHandedOn, startOfTime, type TestEngine } from './open-engine.ts'

export interface TestNode extends Pick<TestEngine, 'call'> {
  readonly node: Replica
}

export async function openNode(
  blocks: BlockStore,
  options: Partial<EngineOptions> = {},
  settings: Partial<ReplicaSettings> = {},
): Promise<TestNode> {
  const storage = await openMemory(await initSqlite(), 'node')
  const node = await openReplica(storage, { ...engineOptions, ...options }, null, noExtensions, { blocks, ...settings })
  return {
    node,
    call: async (method, request, now = startOfTime) => asHandedOn(method, await node.call(method, request, { now })),
  }
}
