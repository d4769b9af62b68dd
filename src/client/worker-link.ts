/**
 * The link to an engine in a worker: Comlink over the worker's port, events over a channel of their own. When the
 * worker fails, it is given up as a whole: what it still knew cannot be told.
 */
import { type Endpoint, transfer as handOver, type Remote, wrap } from 'comlink'
import { type RecallError, recallError } from '../core/model/errors.ts'
import type { EmbeddingSource, EngineHost, Welcome } from '../protocol/engine-host.ts'
import type { EngineOptions } from '../protocol/engine-options.ts'
import { type Reply, unwrap } from '../protocol/envelope.ts'
import type { EngineEvent, EventListener } from '../protocol/events.ts'
import { checkVersion, protocolVersion } from '../protocol/handshake.ts'
import type { EngineLink } from './engine-link.ts'

/** A started worker, or any endpoint with an end and a way to fail. */
export interface WorkerPort {
  readonly endpoint: Endpoint
  readonly embedding: EmbeddingSource
  /** Told when the thread, or one it depends on, cannot be loaded or dies. */
  onFailure(listener: (problem: string) => void): void
  end(): void
}

/**
 * Opens the engine behind a port. Rejects as the engine does, with `VERSION_SKEW` when it is of another version,
 * `INVALID_CONFIG` when the worker cannot be loaded, `DEADLINE_EXCEEDED` after `openMs`.
 */
export async function openWorkerLink(port: WorkerPort, options: EngineOptions, openMs: number): Promise<EngineLink> {
  const host = wrap<EngineHost>(port.endpoint)
  const events = new MessageChannel()
  const listeners = new Set<EventListener>()
  let storage: EngineEvent | undefined
  events.port1.onmessage = ({ data }: MessageEvent<EngineEvent>) => {
    // Told once, before anybody can listen: kept for those who do later.
    if (data.type === 'storage') storage = data
    for (const listener of listeners) listener(data)
  }
  const failures = new Set<(error: RecallError) => void>()
  const link: EngineLink = {
    call: (request, transfer = []) => host.call(handOver(request, [...transfer])) as Promise<Reply<unknown>>,
    cancel: (id) => void host.cancel(id),
    subscribe(listener) {
      listeners.add(listener)
      const told = storage
      if (told) queueMicrotask(() => listener(told))
      return () => listeners.delete(listener)
    },
    onFailure: (listener) => failures.add(listener),
    end() {
      events.port1.close()
      port.end()
    },
  }
  try {
    await openHost(host, port, options, events.port2, openMs)
  } catch (error) {
    link.end()
    throw error
  }
  port.onFailure((problem) => {
    for (const listener of failures) listener(died(problem))
    failures.clear()
    link.end()
  })
  return link
}

async function openHost(
  host: Remote<EngineHost>,
  port: WorkerPort,
  options: EngineOptions,
  events: MessagePort,
  openMs: number,
): Promise<void> {
  const { embedding } = port
  const hello = { version: protocolVersion, options, embedding, events }
  const ports = embedding.kind === 'port' ? [events, embedding.port] : [events]
  let timer: ReturnType<typeof setTimeout> | undefined
  const given = new Promise<never>((_, reject) => {
    port.onFailure((problem) => reject(notLoaded(problem)))
    timer = setTimeout(() => reject(tooLate(openMs)), openMs)
  })
  try {
    const reply = (await Promise.race([host.open(handOver(hello, ports)), given])) as Reply<Welcome>
    checkVersion(unwrap(reply).version)
  } finally {
    clearTimeout(timer)
  }
}

function notLoaded(problem: string): RecallError {
  return recallError('INVALID_CONFIG', `the engine’s worker cannot be started: ${problem}`, {
    field: 'assets.worker',
    cure: 'Serve dist/worker of the package and allow it in worker-src, or say with assets.worker where it is.',
  })
}

function tooLate(openMs: number): RecallError {
  return recallError('DEADLINE_EXCEEDED', `the engine did not open within ${openMs} ms`, {
    cure: 'Close other tabs that may hold the store, and try again.',
  })
}

function died(problem: string): RecallError {
  return recallError('LEADER_LOST', `the engine’s worker died: ${problem}`, {
    cure: 'Open the store again; a write that was not answered may have been carried out.',
  })
}
