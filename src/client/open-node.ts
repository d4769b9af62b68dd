/**
 * Opens the engine in Node: in this thread, or in a thread of its own. The engine is imported under a condition that only Node sets, so that
 * browser bundles do not contain it.
 */
import { type RecallError, recallError } from '../core/model/errors.ts'
import type { EmbeddingSource } from '../protocol/engine-host.ts'
import type { EventListener } from '../protocol/events.ts'
import type { EngineLink } from './link/engine-link.ts'
import type { ResolvedOptions } from './link/resolve-options.ts'
import { openResumingLink } from './link/resume-link.ts'
import { openWorkerLink } from './link/worker-link.ts'

/** `tell`: called with the events of opening. */
export function openInNode(resolved: ResolvedOptions, openMs: number, tell: EventListener): Promise<EngineLink> {
  return resolved.engine.runtime === 'inline' ? openInline(resolved, tell) : openThread(resolved, openMs, tell)
}

async function openInline(resolved: ResolvedOptions, tell: EventListener): Promise<EngineLink> {
  // oxlint-disable-next-line no-restricted-imports -- package.json gives Node worker/inline.ts under this name, browsers no-inline.ts.
  const { openInline: open } = await import('#inline')
  const inline = await open(resolved.engine, embeddingOf(resolved), resolved.given.extensions, tell)
  // It runs in this thread: it cannot fail alone and has nothing to free.
  return { ...inline, onFailure: () => undefined, end: () => undefined }
}

/** The process does not wait for an idle thread, as it does not wait for an idle engine in its own thread. */
async function openThread(resolved: ResolvedOptions, openMs: number, tell: EventListener): Promise<EngineLink> {
  // oxlint-disable-next-line no-restricted-imports -- as above.
  const { startThread } = await import('#inline')
  const { worker } = resolved.assets
  if (typeof worker === 'function') throw notThere('assets.worker must be the URL of a file')
  // In a bundle of CommonJS modules, no file has a URL.
  const thread = await Promise.resolve(worker)
    .then(startThread)
    .catch((error: unknown) => Promise.reject(notThere(String(error))))
  let problem = ''
  thread.onFailure((first) => (problem ||= first))
  const link = await openResumingLink(
    () => ({ ...thread, embedding: embeddingOf(resolved) }),
    (port, events) =>
      openWorkerLink(port, resolved.engine, openMs, {
        fail: events.fail,
        tell(event) {
          tell(event)
          events.tell(event)
        },
      }),
    [],
  ).catch((error: RecallError) => {
    throw error.field === 'assets.worker' ? notThere(problem) : error
  })
  // Each call has a timer for its deadline, for which the process waits.
  thread.unref()
  return link
}

function notThere(problem: string): RecallError {
  return recallError('INVALID_CONFIG', `must be "inline" if the thread cannot be started: ${problem}`, {
    field: 'runtime',
    value: 'worker',
    hint: 'Leave scrubjay out of the bundle, or give the URL of its dist/worker/thread.js as assets.worker.',
  })
}

function embeddingOf({ builtIn }: ResolvedOptions): EmbeddingSource {
  return builtIn ? { kind: 'table', url: builtIn.table?.href, languages: builtIn.languages?.href } : { kind: 'none' }
}
