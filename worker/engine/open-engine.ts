/** Opens the engine of a page: loads the ciphers of a locked store, then takes part in the election of the tabs. */
import type { EmbeddingPort, EngineOptions } from '../../src/protocol/engine-options.ts'
import type { EventListener } from '../../src/protocol/events.ts'
import { loadExtensions } from '../methods/common/extensions.ts'
import { initSqlite } from '../sqlite/init-sqlite.ts'
import { openMemory } from '../storage/memory.ts'
import { findTabsPlatform } from '../tabs/find-platform.ts'
import { openTabs } from '../tabs/open-tabs.ts'
import type { ServedEngine } from '../tabs/port.ts'
import { checkOptions } from './check-request.ts'
import { withEncryptedImports } from './encrypted-imports.ts'
import { createEngine, createEngineOver, type Engine } from './engine.ts'
import { loadLock } from './load-lock.ts'
import { warmUp } from './warm-up.ts'

/** Opens an engine for a page. Tabs that have the same store open share it (`tabs/open-tabs.ts`). */
export async function openEngine(
  options: EngineOptions,
  embedding: EmbeddingPort | null,
  tell?: EventListener,
): Promise<ServedEngine> {
  // Checked here, too: a follower never calls createEngine.
  const { policy } = checkOptions(options)
  const resolved = { ...options, policy }
  // Loaded before the election, so that a module that cannot be loaded is reported at once.
  const extensions = await loadExtensions(options.extensions)
  const { name } = options
  const ciphers = options.lock === undefined ? undefined : await loadLock()
  const keyring = ciphers?.createKeyring(options.lock!, name)
  const lock = ciphers && { ciphers, keyring: keyring! }
  const open = async () => {
    const engine = await createEngine(resolved, embedding, extensions, { tell, lock })
    return ciphers?.holdLocks(engine, keyring!.wipe, name) ?? engine
  }
  const prepare = () => warmUp(() => inMemory(resolved))
  const engine = await openTabs(resolved, { open, prepare }, findTabsPlatform())
  try {
    // Only the leader has opened the keys.
    await ciphers?.checkStoredLock(name, keyring!)
    return ciphers?.serveLocks(engine, keyring!) ?? withEncryptedImports(engine)
  } catch (error) {
    await engine.call('close', {}, { now: 0 })
    throw error
  }
}

async function inMemory(options: EngineOptions): Promise<Engine> {
  const storage = await openMemory(initSqlite({ wasmUrl: options.sqliteWasm }), '')
  return createEngineOver(storage, { ...options, index: 'exact' }, null)
}
