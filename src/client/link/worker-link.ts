/**
 * Opens a link to an engine in a worker: calls use Comlink over the worker's port, events a separate channel. If the worker fails, the
 * whole link ends, because the state of its calls is unknown.
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

/** A started worker, or another endpoint that can end and fail. */
export interface WorkerPort {
  readonly endpoint: Endpoint
  readonly embedding: EmbeddingSource
  /** Adds a listener that is called when the thread cannot be loaded or fails. */
  onFailure(listener: (problem: string) => void): void
  end(): void
}

/** The engine behind one port, until the port ends. */
export type WorkerLink = Pick<EngineLink, 'call' | 'cancel' | 'end'> & {
  /** Asks the engine to erase replaced text now, without waiting for it. */
  erase(): void
}

export interface LinkEvents {
  readonly tell: EventListener
  /** Called when the engine's thread fails after opening. Later calls get no answer. */
  fail(error: RecallError): void
}

/**
 * Opens the engine behind a port. Rejects with the engine's errors, `VERSION_SKEW` if it has another version, `INVALID_CONFIG` if the
 * worker cannot be loaded, or `DEADLINE_EXCEEDED` after `openMs` without progress.
 */
export async function openWorkerLink(
  port: WorkerPort,
  options: EngineOptions,
  openMs: number,
  { tell, fail }: LinkEvents,
): Promise<WorkerLink> {
  const host = wrap<EngineHost>(port.endpoint)
  // Read only once, because Comlink creates a function at each reading.
  const { call, cancel, erase } = host
  const events = new MessageChannel()
  let renew = () => {}
  events.port1.onmessage = ({ data }: MessageEvent<EngineEvent>) => {
    // Opening takes long but continues: restart its deadline.
    if (data.type === 'progress') renew()
    tell(data)
  }
  // In Node, an open port keeps the process alive.
  ;(events.port1 as { unref?(): void }).unref?.()
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
  const failure = new Promise<never>((_, reject) => {
    port.onFailure((problem) => reject(notStarted(problem)))
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => reject(tooLate(openMs)), openMs)
    }
    wait()
    onWaiting(wait)
  })
  try {
    const reply = (await Promise.race([host.open(handOver(hello, ports)), failure])) as Reply<Welcome>
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

/** Creates the error of calls whose worker ended. It is unknown how far they came. */
export function lost(problem: string): RecallError {
  return recallError('LEADER_LOST', problem, {
    hint: 'Open the store again, or repeat the call. A write may already be done.',
  })
}
