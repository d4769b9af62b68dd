/**
 * The link to an engine in a worker: Comlink over the worker's port, events over a channel of their own. When the
 * worker fails, it is given up as a whole: what it still knew cannot be told.
 */
import { type Endpoint, transfer as handOver, type Remote, wrap } from 'comlink'
import { type RecallError, recallError } from '../../core/model/errors.ts'
import type { EmbeddingSource, EngineHost, Welcome } from '../../protocol/engine-host.ts'
import type { EngineOptions } from '../../protocol/engine-options.ts'
import { type Reply, unwrap } from '../../protocol/envelope.ts'
import type { EngineEvent, EventListener } from '../../protocol/events.ts'
import { checkVersion, protocolVersion } from '../../protocol/handshake.ts'
import type { EngineLink } from './engine-link.ts'
import { notStarted } from './not-started.ts'

/** A started worker, or any endpoint with an end and a way to fail. */
export interface WorkerPort {
  readonly endpoint: Endpoint
  readonly embedding: EmbeddingSource
  /** Told when the thread, or one it depends on, cannot be loaded or dies. */
  onFailure(listener: (problem: string) => void): void
  end(): void
}

/** The engine behind one port, until the port ends. */
export type WorkerLink = Pick<EngineLink, 'call' | 'cancel' | 'end'> & {
  /** Asks for replaced text to be erased now; nobody waits for it. */
  erase(): void
}

export interface LinkEvents {
  readonly tell: EventListener
  /** Told when the far side died after it was open; nothing is answered afterwards. */
  fail(error: RecallError): void
}

/**
 * Opens the engine behind a port. Rejects as the engine does, with `VERSION_SKEW` when it is of another version,
 * `INVALID_CONFIG` when the worker cannot be loaded, `DEADLINE_EXCEEDED` after `openMs`.
 */
export async function openWorkerLink(
  port: WorkerPort,
  options: EngineOptions,
  openMs: number,
  { tell, fail }: LinkEvents,
): Promise<WorkerLink> {
  const host = wrap<EngineHost>(port.endpoint)
  // Once: each reading of a method makes it anew.
  const { call, cancel, erase } = host
  const events = new MessageChannel()
  let renew = () => {}
  events.port1.onmessage = ({ data }: MessageEvent<EngineEvent>) => {
    // It opens, and takes its time.
    if (data.type === 'progress') renew()
    tell(data)
  }
  const end = () => {
    events.port1.close()
    port.end()
  }
  try {
    await openHost(host, port, options, events.port2, openMs, (again) => {
      renew = again
    })
  } catch (error) {
    end()
    throw error
  }
  port.onFailure((problem) => {
    end()
    fail(lost(`The engine’s worker ended: ${problem}`))
  })
  return {
    call: (request, transfer = []) => call(handOver(request, [...transfer])) as Promise<Reply<unknown>>,
    cancel: (id) => void cancel(id),
    erase: () => void erase(),
    end,
  }
}

async function openHost(
  host: Remote<EngineHost>,
  port: WorkerPort,
  options: EngineOptions,
  events: MessagePort,
  openMs: number,
  onWaiting: (renew: () => void) => void,
): Promise<void> {
  const { embedding } = port
  const hello = { version: protocolVersion, options, embedding, events }
  const ports = embedding.kind === 'port' ? [events, embedding.port] : [events]
  let timer: ReturnType<typeof setTimeout> | undefined
  const given = new Promise<never>((_, reject) => {
    port.onFailure((problem) => reject(notStarted(problem)))
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => reject(tooLate(openMs)), openMs)
    }
    wait()
    onWaiting(wait)
  })
  try {
    const reply = (await Promise.race([host.open(handOver(hello, ports)), given])) as Reply<Welcome>
    checkVersion(unwrap(reply).version)
  } finally {
    onWaiting(() => undefined)
    clearTimeout(timer)
  }
}

function tooLate(openMs: number): RecallError {
  return recallError('DEADLINE_EXCEEDED', `The engine did not open within ${openMs} ms`, {
    hint: 'Close other tabs, or try again.',
  })
}

/** What was under way when a worker ended: nobody can tell how far it came. */
export function lost(problem: string): RecallError {
  return recallError('LEADER_LOST', problem, {
    hint: 'Open the store, or try again. A write may already be done.',
  })
}
