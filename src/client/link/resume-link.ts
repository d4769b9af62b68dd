/**
 * Opens a link whose worker ends when the browser freezes the page, and starts again when the page resumes. Otherwise a page in the
 * back/forward cache would keep the lock and the files from all other tabs. Running calls then reject with `LEADER_LOST`; later calls wait.
 */
import type { RecallError } from '../../core/model/errors.ts'
import type { Method } from '../../protocol/engine-api.ts'
import type { Reply } from '../../protocol/envelope.ts'
import type { EngineEvent, EventListener } from '../../protocol/events.ts'
import { aborted } from './aborted.ts'
import type { EngineLink } from './engine-link.ts'
import { type LinkEvents, lost, type WorkerLink, type WorkerPort } from './worker-link.ts'

/** Events that say that the page is frozen (`frozen`) and that it runs again (`resumed`). */
export type PageEvents = readonly (readonly [target: EventTarget, frozen: string, resumed: string])[]

/** Resolves when the engine is open. Rejects as `open` does. If opening again fails, listeners of `onFailure` are called. */
export async function openResumingLink(
  spawn: () => WorkerPort,
  open: (port: WorkerPort, events: LinkEvents) => Promise<WorkerLink>,
  events: PageEvents = pageEvents(),
): Promise<EngineLink> {
  const watching = new AbortController()
  const listeners = new Set<EventListener>()
  const failures = new Set<(error: RecallError) => void>()
  // Called when the worker opens, ends or fails.
  const waiting = new Set<() => void>()
  // Calls that wait for the next worker.
  const unsent = new Set<string>()
  let port: WorkerPort | undefined
  let live: WorkerLink | undefined
  let failure: RecallError | undefined
  const lastEvents = new Map<'storage' | 'vectors', EngineEvent>()
  let wroteMs = Number.NEGATIVE_INFINITY

  const tell: EventListener = (event) => {
    // These may be sent before the app can subscribe, so they are kept for later listeners.
    if (event.type === 'storage' || event.type === 'vectors') lastEvents.set(event.type, event)
    each(listeners, event)
  }
  const start = () => {
    if (port) return
    try {
      const own = spawn()
      port = own
      open(own, { tell, fail }).then(
        (link) => {
          if (port !== own) return
          live = link
          each(waiting)
        },
        (error: RecallError) => port === own && fail(error),
      )
    } catch (error) {
      fail(error as RecallError)
    }
  }
  /** Erases replaced text from the files before the worker ends [P4]. */
  const erase = (event: Event) => {
    if (event.type === 'visibilitychange' && document.visibilityState !== 'hidden') return
    live?.erase()
  }
  const freeze = () => {
    live?.erase()
    // Some browsers drop the last message to an ended worker. An event handler cannot await, so it blocks while the worker erases.
    const nowMs = performance.now()
    if (live && nowMs - wroteMs < unerasedMs) while (performance.now() < nowMs + erasingMs);
    stop()
  }
  const stop = () => {
    port?.end()
    port = live = undefined
    each(waiting)
  }
  const fail = (error: RecallError) => {
    watching.abort()
    failure = error
    each(waiting)
    each(failures, error)
  }
  /** Waits for a worker, then does the work at once: an abort that comes later must reach the worker. */
  const whenOpen = async <T>(work: (link: WorkerLink) => T, id = ''): Promise<T> => {
    unsent.add(id)
    while (!live) {
      if (failure) throw failure
      await new Promise<void>((resolve) => waiting.add(resolve))
      if (!unsent.has(id)) throw aborted()
    }
    unsent.delete(id)
    return work(live)
  }
  const send = (link: WorkerLink, ...call: Parameters<EngineLink['call']>) => {
    if (replacing.has(call[0].method)) wroteMs = performance.now()
    return new Promise<Reply<unknown>>((resolve, reject) => {
      const check = () => live === link || reject(lost('The browser froze the page before the answer'))
      waiting.add(check)
      void link
        .call(...call)
        .then(resolve, reject)
        .finally(() => waiting.delete(check))
    })
  }

  for (const [target, frozen, resumed] of events) {
    target.addEventListener(frozen, freeze, watching)
    target.addEventListener(resumed, start, watching)
  }
  // The only event that is certain before the browser ends a page in the background.
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', erase, watching)
  start()
  await whenOpen(() => undefined)
  return {
    async call(request, transfer) {
      if (live) return send(live, request, transfer)
      // A copy, so that later changes of the caller have no effect.
      const copy = structuredClone(request)
      return whenOpen((link) => send(link, copy), copy.id)
    },
    cancel(id) {
      if (unsent.delete(id)) each(waiting)
      else live?.cancel(id)
    },
    subscribe(listener) {
      listeners.add(listener)
      for (const event of lastEvents.values()) queueMicrotask(() => listener(event))
      return () => listeners.delete(listener)
    },
    onFailure: (listener) => failures.add(listener),
    end() {
      watching.abort()
      stop()
    },
  }
}

function each<T extends readonly unknown[]>(listeners: ReadonlySet<(...args: T) => void>, ...args: T): void {
  for (const listener of listeners) listener(...args)
}

/** Methods that may replace text. */
const replacing: ReadonlySet<Method> = new Set(['put', 'patch', 'finishImport'])

/** Time for a worker to erase (ms), and time after a write in which there may be replaced text (ms). */
const erasingMs = 60
const unerasedMs = 3_000

/** Events of a page: back/forward cache, and freezing in the background. A worker has none. */
function pageEvents(): PageEvents {
  if (typeof document === 'undefined') return []
  return [
    [globalThis, 'pagehide', 'pageshow'],
    [document, 'freeze', 'resume'],
  ]
}
