/** Opens a store: resolves the options, opens or joins the page's link to its engine, creates a client for the link. */
import { closed, lockedNow } from '../core/model/shared-errors.ts'
import { tuning } from '../core/model/tuning.ts'
import type { Embedder } from '../protocol/embedder.ts'
import type { EngineEvent } from '../protocol/events.ts'
import type { OpenOptions } from './api/open-options.ts'
import type { Recall } from './api/recall.ts'
import { findPlatform } from './find-platform.ts'
import type { EngineLink } from './link/engine-link.ts'
import { type Given, type Platform, type ResolvedOptions, resolveOptions } from './link/resolve-options.ts'
import { openResumingLink } from './link/resume-link.ts'
import type { StartWorker } from './link/start-refused.ts'
import { openWorkerLink } from './link/worker-link.ts'
import { createRecallClient, type RecallClient } from './recall-client.ts'
import { joinEngine } from './share-engine.ts'
import { spawnWorker } from './spawn-worker.ts'

/**
 * Opens a store and resolves when it can be used. Creates it if it does not exist. Rejects with `INVALID_CONFIG`, `INVALID_POLICY`,
 * `STORAGE_UNAVAILABLE`, `STORE_BUSY`, `STORE_CORRUPT`, `STORE_NEWER`, `DATA_MISSING`, `SPACE_MISMATCH`, `VERSION_SKEW` or
 * `DEADLINE_EXCEEDED`; `hint` of the error says what to do.
 */
export async function openRecall(options: OpenOptions = {}): Promise<Recall> {
  if ((options?.remote ?? options?.token) != null)
    return (await import('./open-remote.ts')).openRemote(options, newClientId())
  let given: Given | undefined
  const { path, lock, embedder, assets, metadataKeys, languages } = options ?? {}
  const isRare = lock !== undefined || (path ?? assets ?? metadataKeys ?? languages) != null
  if (isRare || (embedder != null && !isPlainlyRight(embedder)))
    given = await (await import('./link/check-given.ts')).checkGiven(options)
  const platform = findPlatform()
  const resolved = resolveOptions(options, platform, given)
  const { deadlineMs } = tuning
  const engine = await joinEngine(resolved, deadlineMs, () => openLink(resolved, platform))
  const { name, policy, authority } = resolved.engine
  const client: RecallClient = createRecallClient({
    link: engine.link,
    name,
    now: resolved.now,
    timeZone: resolved.timeZone,
    deadlineMs,
    clientId: newClientId(),
    embedder: resolved.embedder,
    degraded: options.embedder?.degraded,
    embedderFailure: resolved.engine.embedderFailure,
    policy: policy === engine.options.policy ? undefined : policy,
    authority,
    release: engine.leave,
    destroy: () => engine.endAll('destroy', closed(name)),
    lockNow: () => engine.endAll('lockNow', lockedNow(name)),
  })
  engine.onEnd(client.end)
  const { onProgress } = resolved.given
  if (onProgress && resolved.engine.standIn)
    engine.link.subscribe((event) => {
      if (event.type === 'progress' && event.operation === 'reembed') onProgress(event)
    })
  return client.recall
}

/** Whether no check of the embedder can fail: then the worker starts without waiting for the file of the checks. */
function isPlainlyRight({ space, dimensions, embed, timeoutMs }: Embedder): boolean {
  const isSpace = typeof space === 'string' && space.trim() !== ''
  const { maxDimensions } = tuning
  return (
    isSpace &&
    Number.isInteger(dimensions) &&
    dimensions > 0 &&
    dimensions <= maxDimensions &&
    typeof embed === 'function' &&
    timeoutMs === undefined
  )
}

/** Deadline for opening an engine (ms). It may have to wait for file handles, migrate the database and read all vectors. */
const openMs = 60_000

async function openLink(resolved: ResolvedOptions, { isNode }: Platform): Promise<EngineLink> {
  const { engine } = resolved
  if (isNode || engine.runtime === 'inline')
    return (await import('./open-node.ts')).openInNode(resolved, openMs, (event) => tellProgress(resolved, event))
  const open = (start?: StartWorker) =>
    openResumingLink(
      () => spawnWorker(resolved, start),
      (port, { tell, fail }) =>
        openWorkerLink(port, engine, openMs, {
          fail,
          tell(event) {
            tellProgress(resolved, event)
            tell(event)
          },
        }),
    )
  try {
    return await open()
  } catch (error) {
    const { openRefused } = await import('./failures.ts').catch(() => Promise.reject(error))
    return openRefused(error, resolved.assets, open)
  }
}

/** Passes on progress while the app cannot subscribe yet. */
function tellProgress({ given }: ResolvedOptions, event: EngineEvent): void {
  if (event.type === 'progress' && event.operation === 'options') given.onProgress?.(event)
}

/** Unique among the clients of a store, in all tabs. */
function newClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('-')
}
