/**
 * A scripted engine, and a client that reaches it over a real `MessageChannel` through the shipped boundary: for
 * behaviour that the real engine shows too rarely or too fast.
 */

import type { EngineLink } from '../../src/client/link/engine-link.ts'
import { openResumingLink, type PageEvents } from '../../src/client/link/resume-link.ts'
import { type LinkEvents, openWorkerLink, type WorkerPort } from '../../src/client/link/worker-link.ts'
import { type ClientSettings, createRecallClient, type RecallClient } from '../../src/client/recall-client.ts'
import type { Method, RequestContext } from '../../src/protocol/engine-api.ts'
import type { EngineOptions } from '../../src/protocol/engine-options.ts'
import type { EngineEvent, EventListener } from '../../src/protocol/events.ts'
import { serve } from '../../worker/rpc/serve.ts'
import type { ServedEngine } from '../../worker/tabs/port.ts'
import { engineOptions } from './stores/engine-options.ts'

export const engineOptionsInWorker: EngineOptions = {
  ...engineOptions,
  runtime: 'worker',
}

export type Answerer = (method: Method, request: never, context: RequestContext) => unknown

export interface ScriptedEngine {
  readonly engine: ServedEngine
  /** The calls, in order. */
  readonly calls: readonly { readonly method: Method; readonly request: unknown; readonly context: RequestContext }[]
  emit(event: EngineEvent): void
}

/** Answers with the value or error of the function; a promise that never resolves hangs. */
export function createScriptedEngine(answer: Answerer): ScriptedEngine {
  const calls: { method: Method; request: unknown; context: RequestContext }[] = []
  const listeners = new Set<EventListener>()
  return {
    calls,
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    engine: {
      async call(method, request, context) {
        calls.push({ method, request, context })
        return answer(method, request as never, context) as never
      },
      erase() {},
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  }
}

export interface BoundClient extends RecallClient {
  readonly link: EngineLink
  /** The message of the worker's `error` event. */
  fail(problem: string): void
  /** The page's end of the channel, for hostile messages. */
  readonly port: MessagePort
}

/** A client of an engine on the other side of a channel. */
export async function connect(
  engine: ServedEngine,
  settings: Partial<ClientSettings> = {},
  pageEvents: PageEvents = [],
): Promise<BoundClient> {
  const { near, far, port } = openPort()
  serve(far, async () => engine)
  const link = await openResumingLink(
    () => port,
    (own, events) => openWorkerLink(own, engineOptions, 5_000, events),
    pageEvents,
  )
  const client = createRecallClient({
    link,
    name: 'test',
    now: () => 1_000,
    deadlineMs: 5_000,
    clientId: 'client',
    embedder: null,
    policy: undefined,
    authority: null,
    release: async () => link.end(),
    destroy: async () => link.end(),
    ...settings,
  })
  link.onFailure(client.end)
  return { ...client, link, fail: port.fail, port: near }
}

/** For links without a listener. */
export const noEvents: LinkEvents = { tell: () => undefined, fail: () => undefined }

/** Both ends of a channel, and the near one as the client's view of a worker. */
export function openPort(): {
  near: MessagePort
  far: MessagePort
  port: WorkerPort & { fail(problem: string): void }
} {
  const { port1, port2 } = new MessageChannel()
  const listeners = new Set<(problem: string) => void>()
  const port = {
    endpoint: port1,
    embedding: { kind: 'none' } as const,
    onFailure: (listener: (problem: string) => void) => listeners.add(listener),
    end: () => port1.close(),
    fail: (problem: string) => {
      for (const listener of listeners) listener(problem)
    },
  }
  return { near: port1, far: port2, port }
}
