/**
 * A link whose worker ends when the page is put aside and starts again when it comes back: a page in the back/forward
 * cache would keep lock and files from every other tab. Calls under way then are LEADER_LOST; later ones wait.
 */
import type { RecallError } from '../../core/model/errors.ts'
import type { Method } from '../../protocol/engine-api.ts'
import type { Reply } from '../../protocol/envelope.ts'
import type { EngineEvent, EventListener } from '../../protocol/events.ts'
import type { EngineLink } from './engine-link.ts'
import { type LinkEvents, lost, type WorkerLink, type WorkerPort } from './worker-link.ts'

/** Where a page says that it is put aside, and that it is back. */
export type PageEvents = readonly (readonly [target: EventTarget, aside: string, back: string])[]

/** Resolves when the engine is open. Rejects as `open` does; when opening again fails, `onFailure` is told. */
export async function openResumingLink(
  spawn: () => WorkerPort,
  open: (port: WorkerPort, events: LinkEvents) => Promise<WorkerLink>,
  events: PageEvents = pageEvents(),
): Promise<EngineLink> {
  const watching = new AbortController()
  const listeners = new Set<EventListener>()
  const failures = new Set<(error: RecallError) => void>()
  // Told when the worker opens, ends or fails.
  const waiting = new Set<() => void>()
  let port: WorkerPort | undefined
  let live: WorkerLink | undefined
  let failure: RecallError | undefined
  const kept = new Map<'storage' | 'vectors', EngineEvent>()
  let wroteMs = Number.NEGATIVE_INFINITY

  const tell: EventListener = (event) => {
    // Told before anybody can listen: kept for those who do later.
    if (event.type === 'storage' || event.type === 'vectors') kept.set(event.type, event)
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
  /** Replaced text must leave the files before the worker ends [P4]. */
  const erase = (event: Event) => {
    if (event.type === 'visibilitychange' && document.visibilityState !== 'hidden') return
    live?.erase()
  }
  const putAside = () => {
    live?.erase()
    // Some browsers drop what an ended worker was told last. Nothing else can be waited for here, so it is given the time.
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
  const opened = async () => {
    while (!live) {
      if (failure) throw failure
      await new Promise<void>((resolve) => waiting.add(resolve))
    }
    return live
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

  for (const [target, aside, back] of events) {
    target.addEventListener(aside, putAside, watching)
    target.addEventListener(back, start, watching)
  }
  // Comes before a page is ended in the background, where nothing else may come.
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', erase, watching)
  start()
  await opened()
  return {
    async call(request, transfer) {
      if (live) return send(live, request, transfer)
      // What the caller changes after his call is not part of it.
      const copy = structuredClone(request)
      return send(await opened(), copy)
    },
    cancel: (id) => live?.cancel(id),
    subscribe(listener) {
      listeners.add(listener)
      for (const told of kept.values()) queueMicrotask(() => listener(told))
      return () => listeners.delete(listener)
    },
    onFailure: (listener) => failures.add(listener),
    end() {
      watching.abort()
      stop()
    },
  }
}

function each<T extends readonly unknown[]>(listeners: ReadonlySet<(...told: T) => void>, ...told: T): void {
  for (const listener of listeners) listener(...told)
}

/** Methods that may replace text. */
const replacing: ReadonlySet<Method> = new Set(['put', 'patch', 'finishImport'])

/** ms that a worker gets to erase, and ms after a write in which there may be something to. */
const erasingMs = 60
const unerasedMs = 3_000

/** Also frozen in the background; a worker has neither. */
function pageEvents(): PageEvents {
  if (typeof document === 'undefined') return []
  return [
    [globalThis, 'pagehide', 'pageshow'],
    [document, 'freeze', 'resume'],
  ]
}
