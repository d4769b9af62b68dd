/**
 * Keeps one engine per store and page. Opening a name again joins its engine, and the last client to leave ends it.
 * A second opener must not set options that contradict the open store.
 */
import type { RecallError } from '../core/model/errors.ts'
import { closed, lockedNow } from '../core/model/shared-errors.ts'
import { createCalls, type Send } from './calls/run-calls.ts'
import type { EngineOptions } from '../protocol/engine-options.ts'
import type { EngineLink } from './link/engine-link.ts'
import type { ResolvedOptions } from './link/resolve-options.ts'
import type { JoinableEngine, SharedEngine } from './shared-engine.ts'

/** Takes a share of the engine of this name, and opens it if there is none. Rejects with `INVALID_CONFIG` if options differ. */
export async function joinEngine(
  resolved: ResolvedOptions,
  deadlineMs: number,
  open: () => Promise<EngineLink>,
): Promise<SharedEngine> {
  const { name } = resolved.engine
  for (;;) {
    // The file handles must be free before the files are opened again.
    await endings.get(name)
    let opening = engines.get(name)
    const isFirst = opening === undefined
    if (opening === undefined) {
      opening = open().then((link) => shareLink(resolved, link, deadlineMs))
      engines.set(name, opening)
    }
    const engine = await opening.catch((error: unknown) => {
      if (engines.get(name) === opening) engines.delete(name)
      throw error
    })
    // The engine may have ended during the wait.
    if (!engine.join()) continue
    if (isFirst) return engine
    try {
      await (await loadCheck()).checkSame(engine, resolved)
      return engine
    } catch (error) {
      await engine.leave()
      throw error
    }
  }
}

const loadCheck = () => import('./failures.ts')

/** Whether this page has a store of this name open, or is opening or closing it. */
export const isOpenHere = (name: string) => engines.has(name) || endings.has(name)

const engines = new Map<string, Promise<JoinableEngine>>()
const endings = new Map<string, Promise<void>>()

function shareLink({ engine: options }: ResolvedOptions, link: EngineLink, deadlineMs: number): JoinableEngine {
  const { name } = options
  // Not the app's clock: a wrong clock must not prevent closing.
  const calls = createCalls({ link, now: Date.now, deadlineMs, clientId: 'shared' })
  const send: Send = (method, request) => calls.run(undefined, (sendOne) => sendOne(method, request))
  const listeners = new Set<(error: RecallError) => void>()
  let shares = 0
  let wasShared = false
  let ending: Promise<void> | undefined

  const end = (error: RecallError | null, finish: () => Promise<void>): Promise<void> => {
    if (ending) return ending
    engines.delete(name)
    if (wasShared) forgetLock(options)
    if (error) for (const listener of listeners) listener(error)
    ending = finish().finally(() => {
      endings.delete(name)
      link.end()
    })
    endings.set(
      name,
      ending.catch(() => undefined),
    )
    return ending
  }
  const ended = (error: RecallError) => void end(error, async () => undefined)
  link.onFailure(ended)
  // Another tab may delete or lock the store. The app's listeners hear of it first.
  link.subscribe(
    (event) => event.type === 'closed' && queueMicrotask(() => ended((event.isLocked ? lockedNow : closed)(name))),
  )

  return {
    options,
    link,
    send,
    join() {
      if (ending) return false
      shares += 1
      wasShared = true
      return true
    },
    onEnd: (listener) => listeners.add(listener),
    async leave() {
      shares -= 1
      if (shares === 0 || ending) await end(null, () => send('close', {}))
    },
    endAll: (method, error) => end(error, () => send(method, {})),
  }
}

/** A client that the app keeps must not keep what opens the store. */
function forgetLock(options: { lock?: EngineOptions['lock'] }): void {
  const { lock } = options
  if (lock && 'key' in lock) lock.key.fill(0)
  if (lock && 'prf' in lock) lock.prf.fill(0)
  options.lock = undefined
}
