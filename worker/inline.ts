/**
 * Runs the engine in Node, for tests, servers and command lines: in the caller's thread, or in a thread of its own (node/thread.ts).
 * Requests are copied as on the way to a worker, so that later changes to the caller's objects have no effect.
 */
import { recallError } from '../src/core/model/errors.ts'
import { ownTables, type StaticEmbedderOptions } from '../src/embedders/static-embedder.ts'
import type { EmbeddingSource } from '../src/protocol/engine-host.ts'
import type { EmbeddingPort, EngineOptions } from '../src/protocol/engine-options.ts'
import type { EventListener } from '../src/protocol/events.ts'
import type { Extensions } from '../src/protocol/extensions.ts'
import { checkOptions } from './engine/check-request.ts'
import { withEncryptedImports } from './engine/encrypted-imports.ts'
import { createEngine } from './engine/engine.ts'
import { loadLock } from './engine/load-lock.ts'
import { loadExtensions } from './methods/common/extensions.ts'
import { createThreads, type EngineThreads, type ThreadEmbedding } from './node/engine-threads.ts'
import { nodeDisk } from './node/node-disk.ts'
import { openNodeFile } from './node/open-node-file.ts'
import { createUnlocker, type Unlocker } from './storage/file/unlock-file.ts'
import type { InlineEngine } from './node/inline-engine.ts'
import { type EngineThread, startThread as start } from './node/start-thread.ts'
import { createProcessPlatform, type ProcessPlatform } from './node/process-platform.ts'
import { answerCalls } from './rpc/dispatch.ts'
import { serve } from './rpc/serve.ts'
import type { LoadingSqlite } from './storage/common/port.ts'
import { openTabs } from './tabs/open-tabs.ts'
import type { LeadingEngine, ServedEngine } from './tabs/port.ts'

export { convertFile } from './node/convert-file.ts'
export { destroyFile } from './node/destroy-file.ts'
export { listFiles } from './node/list-files.ts'
export { locateFile } from './node/locate-file.ts'
export type { EngineThreads } from './node/engine-threads.ts'
export type { InlineEngine, InlineReplica } from './node/inline-engine.ts'
export { openOverBlocks } from './node/open-over-blocks.ts'
export { salvageFile } from './node/salvage-file.ts'
export { serveEngines } from './node/serve-engines.ts'

/** Opens an engine in this process. Rejects as `createEngine` does. */
export async function openInline(
  options: EngineOptions,
  embedding: EmbeddingSource,
  override?: string | URL | Extensions,
  tell?: EventListener,
): Promise<InlineEngine> {
  const engine = await openInNode(options, embedding, override, tell)
  const { call, cancel } = answerCalls(engine)
  return {
    // `async`: a request that cannot be copied must reject, not throw.
    call: async (request) => call(structuredClone(request)),
    cancel,
    subscribe: engine.subscribe,
  }
}

/** Starts an engine's thread. `program`: the file that it runs; default: the file of the package. */
export function startThread(program: URL = nextToThis('thread.js')): EngineThread {
  return start(program)
}

/** The name is a parameter so that bundlers do not follow it: they would copy the file without what it imports. */
function nextToThis(file: string): URL {
  return new URL(file, import.meta.url)
}

/** Serves an engine to the thread at the other end of the port. */
export function serveThread(port: MessagePort): void {
  serve(port, ({ options, embedding, events }) =>
    openInNode(options, embedding, undefined, (event) => events.postMessage(event)),
  )
}

/** Starts threads for engines over shared rows when they are needed, at most `count`. */
export function openThreads(
  count: number,
  embedding: ThreadEmbedding,
  extensions: string | URL | undefined,
  program: URL = nextToThis('thread.js'),
): EngineThreads {
  return createThreads(count, program, embedding, extensions)
}

async function openInNode(
  options: EngineOptions,
  embedding: EmbeddingSource,
  override?: string | URL | Extensions,
  tell?: EventListener,
): Promise<ServedEngine> {
  const extensions = await loadExtensions(override ?? options.extensions)
  const storage = kindFor(options)
  if (options.lock !== undefined && storage !== 'file') throw nothingToLock()
  const port = openEmbedding(embedding)
  const { name, lock } = options
  const ciphers = lock && (await loadLock())
  const keyring = ciphers?.createKeyring(lock!, name)
  const unlocker = createUnlocker(nodeDisk, name, keyring)
  const engine = await (options.storage === 'file'
    ? openShared(options, unlocker, async (platform) => {
        platform.assertOwner()
        const openFile = async (sqlite3: LoadingSqlite, path: string) => {
          const opened = await openNodeFile(sqlite3, path, unlocker)
          platform.opened(opened.identity?.() ?? null)
          return opened
        }
        const leading = await createEngine(options, port, extensions, { tell, openFile })
        return ciphers?.holdLocks(leading, keyring!.wipe, name) ?? leading
      })
    : createEngine({ ...options, storage }, port, extensions, { tell }))
  return ciphers?.serveLocks(engine, keyring!) ?? withEncryptedImports(engine)
}

/** The embedder of the package. Engines of this thread may share its tables, each with the port that `ofStore` gives. */
export function openTable(tables: StaticEmbedderOptions): EmbeddingPort {
  return ownTables(tables)
}

/** Browsers choose among their own kinds; Node has memory, and files by their path. */
function kindFor({ storage }: EngineOptions): EngineOptions['storage'] {
  if (storage === 'auto' || storage === 'memory') return 'memory'
  if (storage === 'file') return storage
  throw recallError('STORAGE_UNAVAILABLE', 'must be "auto" or "memory" where the engine runs inline', {
    field: 'storage',
    value: storage,
    hint: 'Use "auto" or "memory", or `path` to keep the store in a file.',
  })
}

function nothingToLock() {
  return recallError('INVALID_CONFIG', 'must be absent for a store in memory, which writes nothing to the disk', {
    field: 'lock',
    hint: 'Give `path`, or leave `lock` out.',
  })
}

/** The processes that open a file share one engine, which is in the process that owns the file. Each needs a lock of the store. */
async function openShared(
  options: EngineOptions,
  unlocker: Unlocker,
  open: (platform: ProcessPlatform) => Promise<LeadingEngine>,
): Promise<ServedEngine> {
  const { policy } = checkOptions(options)
  await unlocker.check()
  const platform = createProcessPlatform(options.name)
  // Nothing is prepared in advance: a process can be elected at any time, and SQLite loads in some milliseconds.
  const leading = { open: () => open(platform), prepare: async () => undefined }
  return openTabs({ ...options, policy }, leading, platform)
}

function openEmbedding(source: EmbeddingSource): EmbeddingPort | null {
  if (source.kind !== 'table') return null
  const { url, languages } = source
  return ownTables({
    table: url === undefined ? undefined : new URL(url),
    languages: languages === undefined ? undefined : new URL(languages),
  })
}
