/** Opens engines of a server, over rows that several nodes share. */
import { recallError } from '../../src/core/model/errors.ts'
import type { KeptStore } from '../../src/protocol/blocks.ts'
import type { EmbeddingPort, EngineOptions } from '../../src/protocol/engine-options.ts'
import type { Extensions } from '../../src/protocol/extensions.ts'
import { loadExtensions } from '../methods/common/extensions.ts'
import { openReplica, type ReplicaSettings } from '../replica/replica.ts'
import { storedOptions } from '../replica/shared-settings.ts'
import { answerCalls } from '../rpc/dispatch.ts'
import { initSqlite } from '../sqlite/init-sqlite.ts'
import { openMemory } from '../storage/memory.ts'
import type { InlineReplica } from './inline-engine.ts'

/**
 * Opens an engine over rows that several nodes share. Rejects with `INVALID_CONFIG` if the stored options differ from given ones. A kept
 * database that does not fit is left aside.
 */
export async function openOverBlocks(
  options: EngineOptions,
  embedding: EmbeddingPort | null,
  override: string | URL | Extensions | undefined,
  settings: ReplicaSettings,
): Promise<InlineReplica> {
  if (options.history === true)
    throw recallError(
      'INVALID_CONFIG',
      'must be left out: a store that several nodes share keeps no earlier versions',
      {
        field: 'history',
        value: true,
        hint: 'Leave it out, or keep the store in a file: openRecall({ path, history: true }).',
      },
    )
  const extensions = await loadExtensions(override ?? options.extensions)
  const stored = storedOptions((await settings.blocks.head()).settings)
  for (const name of ['stemmer', 'metadataKeys', 'languages'] as const) {
    const [given, own] = [options[name], stored[name]]
    if (
      given === undefined ||
      own === undefined ||
      String([given].flat().toSorted()) === String([own].flat().toSorted())
    )
      continue
    throw recallError('INVALID_CONFIG', `must be as the stored one, ${JSON.stringify(own)}`, {
      field: name,
      value: given,
      hint: 'Leave it out, or move the store: export it, and import it into a new one.',
    })
  }
  const open = async (kept: KeptStore | undefined) => {
    const storage = await openMemory(initSqlite({ wasmUrl: options.sqliteWasm }), '')
    try {
      return await openReplica(storage, { ...options, ...stored }, embedding, extensions, { ...settings, kept })
    } catch (error) {
      // Its memory belongs to all stores of this thread.
      await storage.close()
      throw error
    }
  }
  const replica = await open(settings.kept).catch((error: unknown) => {
    if (settings.kept === undefined) throw error
    return open(undefined)
  })
  const { call, cancel } = answerCalls(replica)
  const { subscribe, catchUp, isOutdated } = replica
  const closeAndKeep = () => replica.closeAndKeep({ now: Date.now() })
  return { call, cancel, subscribe, catchUp, isOutdated, closeAndKeep }
}
